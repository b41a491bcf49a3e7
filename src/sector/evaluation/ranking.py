"""Ranks of the right labels among all labels, and what follows from them: AP, P@k, R@k, A@k.

Only the ranks of relevant labels are needed, so nothing is sorted: a rank is one more than the number of
better scores. Equal scores rank in the order of their columns. A label without a score (−∞, NaN) has rank ∞.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Ints1d
from sector.errors import SectorError

CHUNK = 1 << 22
"""How many scores are compared at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The ranks of the relevant labels of some examples."""

    examples: int
    rows: Ints1d
    """[pairs] the example of each pair of example and relevant label"""
    ranks: NDArray[np.float64]
    """[pairs] the label's rank, 1 is best"""

    def relevant(self) -> NDArray[np.float64]:
        """Return the number of relevant labels per example."""
        return self.found(np.inf)

    def found(self, k: float) -> NDArray[np.float64]:
        """Return the number of relevant labels among the ``k`` best, per example."""
        counts = np.bincount(self.rows, weights=self.ranks <= k, minlength=self.examples)
        return counts.astype(np.float64)

    def precision_at(self, k: int) -> NDArray[np.float64]:
        """Return the part of the ``k`` best labels that is relevant."""
        return self.found(k) / k

    def recall_at(self, k: int) -> NDArray[np.float64]:
        """Return the part of the relevant labels that is among the ``k`` best; 0 where none is relevant."""
        return self.found(k) / np.maximum(self.relevant(), 1)

    def accuracy_at(self, k: int) -> NDArray[np.float64]:
        """Return 1 where a relevant label is among the ``k`` best, else 0."""
        return (self.found(k) > 0).astype(np.float64)

    def average_precision(self) -> NDArray[np.float64]:
        """Return the mean precision at the ranks of the relevant labels; 0 where none is relevant."""
        order = np.lexsort((self.ranks, self.rows))
        rows = self.rows[order]
        place = np.arange(len(rows)) - np.searchsorted(rows, rows) + 1
        sums = np.bincount(rows, weights=place / self.ranks[order], minlength=self.examples)
        return np.asarray(sums / np.maximum(self.relevant(), 1))


def rank(scores: NDArray[Any], relevant: NDArray[Any]) -> Ranking:
    """Rank the relevant labels of each example among all labels.

    Args:
        scores: [examples, labels]; −∞ or NaN for a label without a score, whose rank is ∞.
        relevant: [examples, labels], 1 for each right label, else 0.

    Returns:
        The ranks of the relevant labels, 1 for the best; equal scores rank in the order of their columns.

    Raises:
        SectorError: the arrays differ in shape.
    """
    if scores.shape != relevant.shape or scores.ndim != 2:
        raise SectorError(
            f"Scores of shape {scores.shape} and relevant labels of shape {relevant.shape} do not match; "
            "give two arrays [examples, labels]."
        )
    rows, columns = np.nonzero(relevant)
    return Ranking(len(scores), rows, label_ranks(scores, rows, columns))


def label_ranks(scores: NDArray[Any], rows: Ints1d, columns: Ints1d) -> NDArray[np.float64]:
    """Return the rank of ``scores[row, column]`` in its row, for each pair."""
    step = max(1, CHUNK // max(scores.shape[1], 1))
    parts = [slice(start, start + step) for start in range(0, len(rows), step)]
    ranks = [_ranks_in_rows(scores[rows[part]], columns[part]) for part in parts]
    return np.concatenate(ranks) if ranks else np.empty(0)


def _ranks_in_rows(scores: NDArray[Any], columns: Ints1d) -> NDArray[np.float64]:
    own = np.take_along_axis(scores, columns[:, None], axis=1)
    earlier = np.arange(scores.shape[1]) < columns[:, None]
    ahead = (scores > own) | ((scores == own) & earlier)
    missing = np.isnan(own) | np.isneginf(own)
    return np.where(missing[:, 0], np.inf, 1.0 + ahead.sum(axis=1))
