"""C99 (Choi 2000): ranks of sentence similarities, clustered from the top down until the density stops rising fast."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Ints1d
from sector.baselines.base import BoundarySystem, check_options, known_segments
from sector.baselines.stems import stems_of
from sector.document import Document

Matrix = NDArray[np.float64]
KERNEL = np.array([1.0, 2, 4, 8, 4, 2, 1])
"""Smooths the rises in density before the stop is looked for, as the author's program does."""


@dataclass
class C99(BoundarySystem):
    """Divisive clustering of the rank matrix; the number of segments is found from the rises in density."""

    name: ClassVar[str] = "c99"
    citation: ClassVar[str] = "Choi 2000, Advances in domain independent linear text segmentation (NAACL)"

    mask: int = 11
    """Side of the square of neighbours that a similarity is ranked among."""
    deviations: float = 1.2
    """A rise counts while it is above mean + so many standard deviations of all rises."""
    known: bool = False
    """Whether the gold number of segments is given instead."""

    def __post_init__(self) -> None:
        check_options(self, {"mask": 3, "deviations": 0})

    def starts(self, document: Document) -> Ints1d:
        """Return 0 and the boundaries before the stop."""
        ranks = rank_matrix(cosines(stems_of(document, self.language).counts()), self.mask)
        order, rises = divide(ranks)
        wanted = known_segments(document) if self.known else None
        cuts = stop(rises, self.deviations) if wanted is None else wanted - 1
        return np.union1d([0], order[: max(0, cuts)]).astype(np.int64)


def cosines(counts: Matrix) -> Matrix:
    """Return the cosine of each pair of rows, rounded so that equal ones are equal; 0 for a row of zeros."""
    lengths = np.linalg.norm(counts, axis=1, keepdims=True)
    units = np.divide(counts, lengths, out=np.zeros_like(counts), where=lengths > 0)
    found: Matrix = (units @ units.T).round(9)
    return found


def rank_matrix(similarities: Matrix, mask: int) -> Matrix:
    """Return for each entry the share of its neighbours within the mask that are smaller."""
    size, reach = len(similarities), mask // 2
    smaller = np.zeros((size, size), np.int32)
    for down in range(-min(reach, size - 1), min(reach, size - 1) + 1):
        for right in range(-min(reach, size - 1), min(reach, size - 1) + 1):
            here, there = _overlap(size, down), _overlap(size, right)
            shifted = similarities[_overlap(size, -down), _overlap(size, -right)]
            smaller[here, there] += shifted < similarities[here, there]
    places = np.arange(size)
    span = np.minimum(places + reach, size - 1) - np.maximum(places - reach, 0) + 1
    return np.asarray(smaller / np.maximum(np.outer(span, span) - 1, 1))


def _overlap(size: int, shift: int) -> slice:
    """Return the places of 0 … size − 1 that have a neighbour ``shift`` further on."""
    return slice(max(0, -shift), size - max(0, shift))


def divide(ranks: Matrix) -> tuple[Ints1d, NDArray[np.float64]]:
    """Split the whole into single sentences, each time where the inside density becomes greatest.

    Returns the sentences that begin a segment, in the order in which they were split off, and the rise of each.
    """
    sums = _Sums(ranks)
    open_regions = [sums.region(0, len(ranks))]
    total, area = sums.between(0, len(ranks)), float(len(ranks)) ** 2
    order, densities = [], [total / area]
    for _ in range(len(ranks) - 1):
        gained = np.array([region.gain for region in open_regions]) + total
        sizes = np.array([region.growth for region in open_regions]) + area
        chosen = int((gained / sizes).argmax())
        region = open_regions.pop(chosen)
        total, area = float(gained[chosen]), float(sizes[chosen])
        order.append(region.cut)
        densities.append(total / area)
        parts = (sums.region(region.begin, region.cut), sums.region(region.cut, region.end))
        open_regions += [part for part in parts if part.end - part.begin > 1]
    return np.array(order, np.int64), np.diff(densities)


@dataclass(frozen=True, slots=True)
class _Region:
    """A run of sentences, the best place to cut it, and what that adds to the sum and the area (both fall)."""

    begin: int
    end: int
    cut: int
    gain: float
    growth: float


class _Sums:
    """Sums of square blocks along the diagonal, from a table of sums over all leading blocks."""

    def __init__(self, matrix: Matrix) -> None:
        self._table = np.pad(matrix.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
        self._diagonal = np.diagonal(self._table)

    def between(self, begin: Any, end: Any) -> Any:
        """Return the sum of the block [begin, end)², also element by element for arrays."""
        return self._diagonal[end] + self._diagonal[begin] - self._table[begin, end] - self._table[end, begin]

    def region(self, begin: int, end: int) -> _Region:
        """Find the cut with the greatest density of both parts together."""
        if end - begin < 2:
            return _Region(begin, end, begin, 0.0, 0.0)
        cuts = np.arange(begin + 1, end)
        inside = self.between(begin, cuts) + self.between(cuts, end)
        areas = (cuts - begin) ** 2.0 + (end - cuts) ** 2.0
        best = int((inside / areas).argmax())
        whole = float(self.between(begin, end))
        gain, growth = float(inside[best]) - whole, float(areas[best]) - float(end - begin) ** 2
        return _Region(begin, end, int(cuts[best]), gain, growth)


def stop(rises: NDArray[np.float64], deviations: float) -> int:
    """Return how many of the first rises are unusually large, once smoothed."""
    if len(rises) < 2:
        return 0
    weights = np.convolve(np.ones(len(rises)), KERNEL, "full")[3:-3]
    smooth = np.convolve(rises, KERNEL, "full")[3:-3] / weights
    large = smooth > smooth.mean() + deviations * smooth.std(ddof=1)
    return int(np.cumprod(large).sum())
