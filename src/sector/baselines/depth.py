"""Depth scores (Hearst 1997): how deep a valley of cohesion lies at each gap; what both Tilings decide by."""

from __future__ import annotations

import numpy as np

from sector.arrays import Bools1d, Doubles


def depth_scores(cohesion: Doubles) -> Doubles:
    """Return for each gap how far cohesion rises from it to the next peak on the left plus on the right."""
    return (_climb(cohesion) - cohesion) + (_climb(cohesion[::-1])[::-1] - cohesion)


def _climb(cohesion: Doubles) -> Doubles:
    """Return for each gap the height that is reached by going left for as long as cohesion does not fall."""
    reached = cohesion.astype(np.float64).copy()
    for gap in range(1, len(cohesion)):
        if cohesion[gap - 1] >= cohesion[gap]:
            reached[gap] = reached[gap - 1]
    return reached


def deep_valleys(depths: Doubles, deviations: float) -> Bools1d:
    """Return which gaps are local minima of cohesion deeper than mean − ``deviations`` · standard deviation."""
    if not len(depths):
        return np.zeros(0, np.bool_)
    padded = np.pad(depths, 1, constant_values=-np.inf)
    peaks = (depths >= padded[:-2]) & (depths > padded[2:]) & (depths > 0)
    found: Bools1d = peaks & (depths > depths.mean() - deviations * depths.std())
    return found


def block_cosines(rows: Doubles, block: int) -> Doubles:
    """Return for each gap between rows the cosine of the sums of up to ``block`` rows before and after it."""
    sums = np.concatenate([np.zeros((1, rows.shape[1])), np.cumsum(rows, axis=0)])
    gaps = np.arange(1, len(rows))
    left = sums[gaps] - sums[np.maximum(gaps - block, 0)]
    right = sums[np.minimum(gaps + block, len(rows))] - sums[gaps]
    lengths = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
    products = np.einsum("ij,ij->i", left, right)
    return np.asarray(np.divide(products, lengths, out=np.zeros(len(gaps)), where=lengths > 0))
