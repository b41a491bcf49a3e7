"""Precision, recall and F1 of each label, and their unweighted mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class LabelScore:
    """How well one label is found; values from 0 to 1."""

    label: str
    precision: float
    recall: float
    f1: float
    support: int
    """How many examples have this label."""


def label_scores(answers: NDArray[np.int64], labels: Sequence[str]) -> tuple[LabelScore, ...]:
    """Return precision, recall and F1 of each label.

    Args:
        answers: int64 [examples, 2], the columns of the right and the predicted label; −1 for none.
        labels: the names of the columns.
    """
    right, predicted = answers[:, 0], answers[:, 1]
    support, claims, hits = (
        np.bincount(column[column >= 0], minlength=len(labels))
        for column in (right, predicted, right[right == predicted])
    )
    precision, recall = hits / np.maximum(claims, 1), hits / np.maximum(support, 1)
    f1 = 2 * hits / np.maximum(support + claims, 1)
    columns = (precision.tolist(), recall.tolist(), f1.tolist(), support.tolist())
    return tuple(LabelScore(*row) for row in zip(labels, *columns, strict=True))


def macro_f1(scores: Sequence[LabelScore]) -> float | None:
    """Return the mean F1 over all labels, those that never occur included as 0; None without labels."""
    return float(np.mean([score.f1 for score in scores])) if scores else None
