"""Confidence intervals: the documents of a test set are resampled with replacement (bootstrap)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sector.errors import ConfigError
from sector.values import is_number, is_whole
from sector.visible import brief

CHUNK = 1 << 22
"""How many document weights are drawn at a time."""
MOST = 1_000_000
"""Resamples, beyond which no digit changes."""


def bootstrap_intervals(
    numerators: NDArray[np.float64],
    denominators: NDArray[np.float64],
    resamples: int = 1000,
    *,
    seed: int = 0,
    level: float = 0.95,
) -> NDArray[np.float64]:
    """Return percentile intervals of ratios of sums over documents.

    Args:
        numerators: float64 [documents, metrics].
        denominators: float64 [documents, metrics]; a metric is Σ numerators / Σ denominators.
        resamples: how often the documents are resampled with replacement.
        seed: of the resampling.
        level: share of the resamples between the two ends.

    Returns:
        float64 [metrics, (low, high)], NaN where a metric is undefined.

    Raises:
        ConfigError: no resamples, or a level that is not between 0 and 1.
    """
    if not is_whole(resamples, 1) or resamples > MOST or not (is_number(level) and 0 < level < 1):
        raise ConfigError(
            f"The bootstrap got {brief(resamples)} resamples and the level {brief(level)}; "
            f"it needs 1 to {MOST:,} resamples and a level between 0 and 1."
        )
    ratios = _resampled_ratios(numerators, denominators, resamples, np.random.default_rng(seed))
    tail = (1 - level) / 2
    bounds = np.full((2, ratios.shape[1]), np.nan)
    defined = ~np.isnan(ratios).any(axis=0)
    bounds[:, defined] = np.quantile(ratios[:, defined], [tail, 1 - tail], axis=0)
    return bounds.T


def _resampled_ratios(
    numerators: NDArray[np.float64],
    denominators: NDArray[np.float64],
    resamples: int,
    random: np.random.Generator,
) -> NDArray[np.float64]:
    documents = len(numerators)
    step = max(1, CHUNK // documents)
    shares = np.full(documents, 1 / documents)
    parts = []
    for start in range(0, resamples, step):
        weights = random.multinomial(documents, shares, size=min(step, resamples - start)).astype(np.float64)
        with np.errstate(invalid="ignore", divide="ignore"):
            parts.append((weights @ numerators) / (weights @ denominators))
    return np.concatenate(parts)
