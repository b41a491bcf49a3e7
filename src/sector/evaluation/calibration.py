"""Calibration: whether confidences agree with accuracies."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

BINS = 10


def expected_calibration_error(confidences: ArrayLike, right: ArrayLike, bins: int = BINS) -> float:
    """Return the expected calibration error: Σ over bins of |mean confidence − accuracy|, weighted by size.

    Args:
        confidences: [examples] from 0 to 1.
        right: [examples] whether each answer is right.
        bins: number of bins of equal width.

    Returns:
        From 0 to 1; 0 without examples.
    """
    confidence, correct = np.asarray(confidences, np.float64), np.asarray(right, np.float64)
    if not len(confidence):
        return 0.0
    place = np.clip((confidence * bins).astype(np.int64), 0, bins - 1)
    gaps: NDArray[Any] = np.bincount(place, confidence - correct, bins)
    return float(np.abs(gaps).sum() / len(confidence))
