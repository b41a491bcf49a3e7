"""Merging: neighbours with the same best label become one section, for any segmentation."""

from __future__ import annotations

import numpy as np

from sector.segmentation import Merged, Newline, Reading, make, merge_equal

PROBABILITIES = np.array([[0.9, 0.1], [0.2, 0.8], [0.8, 0.2], [0.7, 0.3], [0.1, 0.9]], np.float32)


def test_neighbours_of_one_label_become_one() -> None:
    assert merge_equal(np.arange(5), PROBABILITIES).tolist() == [0, 1, 2, 4]


def test_every_segmentation_can_merge() -> None:
    reading = Reading(PROBABILITIES, paragraph_end=np.ones(5, np.bool_))
    assert make("newline").starts(reading).tolist() == [0, 1, 2, 3, 4]
    merged = make("newline", merge=True)
    assert merged == Merged(Newline())
    assert merged.starts(reading).tolist() == [0, 1, 2, 4]
    assert merged.deviation(reading).tolist() == [0] * 5
