"""The top-2 rules of "max", worked out by hand."""

from __future__ import annotations

import numpy as np

from sector.segmentation import Reading, make
from sector.segmentation.max import top_two

ROWS = np.array(
    [
        [0.6, 0.3, 0.1],  # section label 0
        [0.4, 0.5, 0.1],  # 0 is second: goes on; mean [.5, .4, .1]
        [0.1, 0.5, 0.4],  # 0 is third: a new section, label 1
        [0.3, 0.1, 0.6],  # 1 is third: a new section, label 2, though 2 is shared with the sentence before
        [0.6, 0.0, 0.4],  # 2 is second
        [0.6, 0.4, 0.0],  # mean of the two [.45, .05, .5]: label 2 is third here, a new section
    ],
    np.float32,
)


def test_a_section_ends_where_its_label_is_not_among_the_two_best() -> None:
    assert make("max").starts(Reading(ROWS)).tolist() == [0, 2, 3, 5]


def test_neighbours_that_share_one_of_two_labels_stay_together() -> None:
    assert make("max", rule="sentence").starts(Reading(ROWS)).tolist() == [0]
    apart = np.array([[0.5, 0.4, 0.1, 0.0], [0.0, 0.1, 0.4, 0.5]], np.float32)
    assert make("max", rule="sentence").starts(Reading(apart)).tolist() == [0, 1]


def test_top_two_labels_right_and_with_the_flaw_of_the_authors_code() -> None:
    rows = np.array([[0.3, 0.5, 0.1, 0.1], [0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1]], np.float32)
    assert top_two(rows).tolist() == [[1, 0], [3, 2], [0, 1]]
    assert top_two(rows, blank_maxima=True).tolist() == [[1, 2], [3, 0], [0, 1]]
