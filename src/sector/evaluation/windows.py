"""Pk (Beeferman et al. 1999) and WindowDiff (Pevzner and Hearst 2002): errors of a sliding window."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from numpy.typing import NDArray

from sector.arrays import Ints1d
from sector.documents import many
from sector.errors import ConfigError, SectorError
from sector.evaluation.segments import SegmentIds, aligned_runs, run_numbers
from sector.values import is_whole
from sector.visible import brief

MIN_WINDOW = 2


def pk(reference: SegmentIds, hypothesis: SegmentIds, k: int | None = None) -> float:
    """Return Pk: the share of windows whose two ends lie in one segment on one side and in two on the other.

    Args:
        reference: the gold segmentation, one section id per sentence; only where it changes matters.
        hypothesis: the predicted segmentation of the same sentences.
        k: distance between the ends of a window; by default ``window_size([reference])``.

    Returns:
        From 0 (equal) to 1. Two sentences are one window whatever ``k`` is; a document that is not longer than ``k``
        scores 0.

    Raises:
        SectorError: the sequences differ in length, or there is no sentence to take ``k`` from.
        ConfigError: ``k`` is less than 1.
    """
    return wrong_windows(*aligned_runs(reference, hypothesis), k, lambda runs, width: runs[width:] == runs[:-width])


def window_diff(reference: SegmentIds, hypothesis: SegmentIds, k: int | None = None) -> float:
    """Return WindowDiff: the share of windows with different numbers of boundaries.

    Args:
        reference: the gold segmentation, one section id per sentence; only where it changes matters.
        hypothesis: the predicted segmentation of the same sentences.
        k: length of a window; by default ``window_size([reference])``.

    Returns:
        From 0 (equal) to 1, with the special cases of `pk`.

    Raises:
        SectorError: the sequences differ in length, or there is no sentence to take ``k`` from.
        ConfigError: ``k`` is less than 1.
    """
    return wrong_windows(*aligned_runs(reference, hypothesis), k, lambda runs, width: runs[width:] - runs[:-width])


def window_size(references: Iterable[SegmentIds]) -> int:
    """Return the usual k: half the mean length of all segments, halves rounded up, at least 2.

    Args:
        references: one gold segmentation per document, each with one section id per sentence.

    Raises:
        SectorError: there is no segment.
    """
    runs = [run_numbers(reference) for reference in many(references, "segmentations")]
    sentences = sum(len(run) for run in runs)
    segments = sum(int(run[-1]) + 1 for run in runs if len(run))
    if not segments:
        raise SectorError("There is no segment to take a window size from; give documents with sentences.")
    return max(MIN_WINDOW, (sentences + segments) // (2 * segments))


def wrong_windows(
    reference: Ints1d, hypothesis: Ints1d, k: int | None, view: Callable[[Ints1d, int], NDArray[Any]]
) -> float:
    """Compare what ``view`` sees in each window of two lists of run numbers."""
    if k is None:
        k = window_size([reference])
    if not is_whole(k, 1):
        raise ConfigError(f"The window size k is {brief(k)}; it must be a whole number of at least 1, or None.")
    width = 1 if len(reference) == 2 else k
    if len(reference) <= width:
        return 0.0
    return float((view(reference, width) != view(hypothesis, width)).mean())
