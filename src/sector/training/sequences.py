"""How labels follow one another in the training documents: what the segmentation ``joint`` knows beforehand."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sector.training.prepared import PreparedData, SplitData

UNSEEN = 0.5
"""How often each pair of labels is taken to have occurred beyond what was counted."""
DIGITS = 4


def joint_options(data: PreparedData) -> dict[str, Any]:
    """Return the options of ``joint`` that come from the data; headings have too many words for any."""
    if data.task != "topics":
        return {}
    return {"transitions": np.round(label_transitions(data.train, len(data.labels)), DIGITS).tolist()}


def label_transitions(split: SplitData, labels: int) -> NDArray[np.float64]:
    """Return P(next label | label) [labels, labels] where the label changes, so with zeros in the diagonal."""
    counts = np.full((labels, labels), UNSEEN)
    for begin, end in pairwise(split.document_offsets):
        found = _labels(split, np.unique(split.sections[begin:end]))
        changes = found[:-1] != found[1:]
        np.add.at(counts, (found[:-1][changes], found[1:][changes]), 1)
    np.fill_diagonal(counts, 0.0)
    return np.asarray(counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-9))


def _labels(split: SplitData, sections: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the first label of each of these sections that has one."""
    begins, ends = split.label_offsets[sections], split.label_offsets[sections + 1]
    return split.labels[begins[ends > begins]]
