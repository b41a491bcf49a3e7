"""Sections that are too short join the neighbour with more similar labels, as far as the limit allows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Floats2d
from sector.segmentation.spans import SectionSpans


def join_short(spans: SectionSpans, shortest: int, longest: int, probabilities: Floats2d | None) -> list[int]:
    """Return the edges of the sections that remain; one round is enough, for sections only grow."""
    sums = _LabelSums(spans, probabilities)
    ends = spans.end.tolist()
    edges: list[int] = spans.begin[:1].tolist()
    previous = current = sums.nothing
    for i, end in enumerate(ends):
        current = current + sums[i]
        forward = i + 1 < len(ends) and ends[i + 1] - edges[-1] <= longest
        back = len(edges) > 1 and end - edges[-2] <= longest
        if end - edges[-1] >= shortest or not (forward or back):
            edges.append(end)
            previous, current = current, sums.nothing
        elif back and not (forward and _prefers_second(current, previous, sums[i + 1])):
            edges[-1] = end
            previous, current = previous + current, sums.nothing
    return edges


def _prefers_second(vector: NDArray[Any], one: NDArray[Any], two: NDArray[Any]) -> bool:
    """Whether the cosine to ``two`` is at least the one to ``one``."""
    return bool(vector @ two * np.linalg.norm(one) >= vector @ one * np.linalg.norm(two))


class _LabelSums:
    """The sum of the sentences' label distributions for each section; without any, vectors of no length."""

    def __init__(self, spans: SectionSpans, probabilities: Floats2d | None) -> None:
        self._spans = spans
        self._rows = np.zeros((0, 0), np.float32) if probabilities is None else probabilities
        self.nothing: NDArray[np.float64] = np.zeros(self._rows.shape[1])

    def __getitem__(self, section: int) -> NDArray[np.float64]:
        rows = self._rows[self._spans.first[section] : self._spans.last[section]]
        return np.asarray(rows.sum(axis=0, dtype=np.float64))
