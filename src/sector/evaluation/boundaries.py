"""Boundaries as a set: precision, recall, F1 and the boundary similarity of Fournier (2013)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Ints1d
from sector.evaluation.segments import SegmentIds, aligned_runs


@dataclass(frozen=True, slots=True)
class BoundaryScores:
    """How many of the boundaries are right (precision) and found (recall)."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class BoundaryCounts:
    """The boundaries of one document."""

    matches: int
    reference: int
    hypothesis: int


def boundary_counts(reference: SegmentIds, hypothesis: SegmentIds) -> BoundaryCounts:
    """Count the boundaries of both segmentations and those that they share."""
    gold, predicted = (np.diff(runs) for runs in aligned_runs(reference, hypothesis))
    return BoundaryCounts(int(gold @ predicted), int(gold.sum()), int(predicted.sum()))


def boundary_scores(reference: SegmentIds, hypothesis: SegmentIds) -> BoundaryScores:
    """Return precision, recall and F1 of the boundaries, each at its exact place.

    Args:
        reference: the gold segmentation, one section id per sentence.
        hypothesis: the predicted segmentation of the same sentences.

    Returns:
        Values from 0 to 1; all are 1 where neither side has a boundary.
    """
    counts = boundary_counts(reference, hypothesis)
    if not counts.reference + counts.hypothesis:
        return BoundaryScores(1.0, 1.0, 1.0)
    return BoundaryScores(
        precision=counts.matches / max(counts.hypothesis, 1),
        recall=counts.matches / max(counts.reference, 1),
        f1=2 * counts.matches / (counts.reference + counts.hypothesis),
    )


def boundary_similarity(reference: SegmentIds, hypothesis: SegmentIds) -> float:
    """Return Fournier's B: 1 − weighted edits / (edits + matches); a boundary one sentence off costs half.

    Args:
        reference: the gold segmentation, one section id per sentence.
        hypothesis: the predicted segmentation of the same sentences.

    Returns:
        From 0 to 1 (equal); 1 where neither side has a boundary.
    """
    gold, predicted = (np.diff(runs) for runs in aligned_runs(reference, hypothesis))
    near = _near_misses(gold - predicted)
    full = int((gold != predicted).sum()) - 2 * near
    pairs = full + near + int(gold @ predicted)
    return 1.0 - (full + near / 2) / pairs if pairs else 1.0


def _near_misses(difference: Ints1d) -> int:
    """Count, from the left and without overlap, boundaries that the other side has one sentence away."""
    crossing: NDArray[np.intp] = np.flatnonzero(difference[1:] * difference[:-1] == -1)
    chains = np.split(crossing, np.flatnonzero(np.diff(crossing) > 1) + 1)
    return sum((len(chain) + 1) // 2 for chain in chains)
