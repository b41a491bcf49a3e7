"""Optimal partitioning: cut a row of vectors into runs, each of which lies close around its own mean.

The cost of a run is the sum of squared distances to its mean, Σ‖x‖² − ‖Σx‖² / n, and its begin costs a penalty
more. Dynamic programming finds the cheapest partition (Jackson et al. 2005). A begin that is worse than a later
one stays worse and is dropped (PELT, Killick et al. 2012), so that time is about linear where runs end.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from sector.arrays import Bools1d, Doubles1d, Doubles2d, Floats2d, Ints1d

BLOCK = 16
"""Ends that are looked at together: their costs come from one product of matrices,"""
PRODUCT = 2**18
"""made in pieces of this many multiplications: for more, BLAS starts threads, which wait for longer than they save."""
LONGEST = 2048
"""Begins that lie further back are dropped whatever they cost: bounds time and memory."""
ROUNDING = 1e-9


def partition(vectors: Floats2d, penalties: Doubles1d) -> Ints1d:
    """Return the begins of the runs with the least Σ (cost + penalty), 0 first; none if there are no vectors.

    ``penalties`` has the price of a begin at each vector. The result is exact for up to ``LONGEST`` vectors; among
    more, longer runs are joined from shorter ones.
    """
    search = _Search(vectors.shape[1])
    for begin in range(0, len(vectors), BLOCK):
        later = np.append(penalties[begin + 1 : begin + BLOCK + 1], 0.0)
        search.extend(np.asarray(vectors[begin : begin + BLOCK], np.float64), later)
    begins = search.begins()
    return begins if len(vectors) <= LONGEST else join(vectors, begins, penalties)


class _Search:
    """The least cost up to each end and the begin of the last run there, block by block."""

    def __init__(self, width: int) -> None:
        self._open = np.zeros(1, np.int64)
        """Begins that a later end may still take;"""
        self._least = np.zeros(1)
        """for each, the least cost up to it, with its own penalty,"""
        self._sums = np.zeros((1, width))
        """the sum of the vectors from it on"""
        self._energies = np.zeros(1)
        """and the sum of their squared lengths."""
        self._previous: list[int] = [0]

    def extend(self, block: Doubles2d, penalties: Doubles1d) -> None:
        """Find the best partition up to each of the block's vectors; ``penalties`` are of begins after them."""
        totals, energy = np.cumsum(block, axis=0), np.cumsum(np.einsum("ij,ij->i", block, block))
        waiting = len(self._open)
        self._add(-totals, -energy)
        costs = self._costs(totals, energy)
        for row in range(len(block)):
            reached = self._least[: waiting + row] + costs[row, : waiting + row]
            best = int(reached.argmin())
            self._least[waiting + row] = reached[best] + penalties[row]
            self._previous.append(int(self._open[best]))
        self._sums += totals[-1]
        self._energies += energy[-1]
        self._keep(self._least + costs[-1] <= self._least[-1] + ROUNDING)

    def _add(self, sums: Doubles2d, energies: Doubles1d) -> None:
        """Open the begins after each of the block's vectors; sums count from the block's begin."""
        first = len(self._previous)
        self._open = np.concatenate([self._open, np.arange(first, first + len(sums))])
        self._least = np.concatenate([self._least, np.zeros(len(sums))])
        self._sums = np.concatenate([self._sums, sums])
        self._energies = np.concatenate([self._energies, energies])

    def _costs(self, totals: Doubles2d, energy: Doubles1d) -> Doubles2d:
        """Return [ends in the block, open begins]; where the begin is not before the end it means nothing."""
        lengths = self._open[-len(totals) :, None] - self._open
        squares = _products(2 * totals, self._sums)
        squares += np.einsum("ij,ij->i", self._sums, self._sums)
        squares += np.einsum("ij,ij->i", totals, totals)[:, None]
        costs: Doubles2d = self._energies + energy[:, None] - squares / np.maximum(lengths, 1)
        return costs

    def _keep(self, kept: Bools1d) -> None:
        kept = kept & (self._open > self._open[-1] - LONGEST)
        self._open, self._least = self._open[kept], self._least[kept]
        self._sums, self._energies = self._sums[kept], self._energies[kept]

    def begins(self) -> Ints1d:
        """Walk back from the last end."""
        found: list[int] = []
        position = len(self._previous) - 1
        while position:
            position = self._previous[position]
            found.append(position)
        return np.array(found[::-1], np.int64)


def _products(left: Doubles2d, right: Doubles2d) -> Doubles2d:
    """Return ``left @ right.T`` without threads."""
    products = np.empty((len(left), len(right)))
    step = max(1, PRODUCT // max(1, left.size))
    for begin in range(0, len(right), step):
        np.matmul(left, right[begin : begin + step].T, out=products[:, begin : begin + step])
    return products


def join(vectors: Floats2d, begins: Ints1d, penalties: Doubles1d) -> Ints1d:
    """Drop begins, from left to right, where a run of more than ``LONGEST`` is cheaper than its two parts."""
    kept: list[int] = []
    before, total = 0, np.zeros(vectors.shape[1])
    for begin, end in pairwise([*begins.tolist(), len(vectors)]):
        own = vectors[begin:end].sum(axis=0, dtype=np.float64)
        long = bool(kept) and end - kept[-1] > LONGEST
        if long and saving(total, before, own, end - begin) <= penalties[begin] + ROUNDING:
            before, total = end - kept[-1], total + own
        else:
            kept.append(begin)
            before, total = end - begin, own
    return np.array(kept, np.int64)


def saving(left: Doubles1d, left_size: int, right: Doubles1d, right_size: int) -> float:
    """Return how much less two runs cost than one, from their sums: n·m / (n + m) · ‖mean − mean‖²."""
    apart = left / left_size - right / right_size
    return float(apart @ apart) * left_size * right_size / (left_size + right_size)


def savings(vectors: Floats2d, begins: Ints1d) -> Doubles1d:
    """Return for each vector how much a begin there saves between the begins before and after it; 0 for the first.

    Where a run of ``partition`` begins it is at least the penalty, elsewhere at most.
    """
    found = np.zeros(len(vectors))
    edges = [*begins.tolist(), len(vectors)]
    left, size = np.zeros(vectors.shape[1]), 0
    for begin, end in pairwise(edges):
        rows = np.cumsum(vectors[begin:end], axis=0, dtype=np.float64)
        found[begin + 1 : end] = _inside(rows)
        if size:
            found[begin] = saving(left, size, rows[-1], end - begin)
        left, size = rows[-1], end - begin
    return found


def _inside(rows: Doubles2d) -> Doubles1d:
    """Return the saving of a cut after each but the last of a run's vectors, from its cumulative sums."""
    sizes = np.arange(1, len(rows))[:, None]
    rest = len(rows) - sizes
    apart = rows[:-1] / sizes - (rows[-1] - rows[:-1]) / rest
    found: Doubles1d = np.einsum("ij,ij->i", apart, apart) * (sizes * rest)[:, 0] / len(rows)
    return found
