"""Calibration: whether confidences agree with accuracies."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

BINS = 10


def expected_calibration_error(confidences: ArrayLike, right: ArrayLike, bins: int = BINS) -> float:
    """Return Σ over bins of equal width of |mean confidence − share of right answers|, weighed by size; 0 to 1."""
    confidence, correct = np.asarray(confidences, np.float64), np.asarray(right, np.float64)
    if not len(confidence):
        return 0.0
    place = np.clip((confidence * bins).astype(np.int64), 0, bins - 1)
    gaps: NDArray[Any] = np.bincount(place, confidence - correct, bins)
    return float(np.abs(gaps).sum() / len(confidence))
