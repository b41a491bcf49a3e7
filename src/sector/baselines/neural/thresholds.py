"""Where to cut: the probability from which on a boundary counts, chosen by Pk on validation documents."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Floats1d
from sector.evaluation.windows import pk, window_size

THRESHOLDS = tuple(np.round(np.arange(0.05, 0.96, 0.05), 2).tolist())


def best_threshold(
    probabilities: Floats1d, gold: NDArray[np.bool_], documents: NDArray[np.int64]
) -> tuple[float, float]:
    """Return the lowest mean Pk of the documents and its threshold; all sentences stand in one row."""
    spans = [(begin, end) for begin, end in pairwise(documents.tolist()) if end > begin]
    references = [np.cumsum(gold[begin:end]) for begin, end in spans]
    if not references:
        return 1.0, 0.5
    width = window_size(references)

    def error(threshold: float) -> float:
        return float(
            np.mean(
                [
                    pk(reference, np.cumsum(above(probabilities[begin:end], threshold)), width)
                    for reference, (begin, end) in zip(references, spans, strict=True)
                ]
            )
        )

    errors = [error(threshold) for threshold in THRESHOLDS]
    best = int(np.argmin(errors))
    return errors[best], THRESHOLDS[best]


def above(probabilities: Floats1d, threshold: float) -> NDArray[np.bool_]:
    """Return which sentences begin a segment; never the first of a document."""
    found = probabilities > threshold
    found[:1] = False
    return found
