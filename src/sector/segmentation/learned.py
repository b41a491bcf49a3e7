"""What the segmentations of a network's boundary layer have in common: log-odds, and one number that moves them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Floats2d
from sector.errors import ConfigError
from sector.segmentation.base import Reading
from sector.values import is_number
from sector.visible import brief

MOST_GRANULARITY = 1e6
"""Above it, and below its inverse, nothing is left to change."""
MOST_BIAS = 50.0


def check_granularity(granularity: float) -> None:
    """Raise ConfigError for a factor that is none, or one that no section would be left of."""
    if not (is_number(granularity) and granularity > 0):
        raise ConfigError(f"The option 'granularity' is {brief(granularity)}; it must be a positive number.")
    if not 1 / MOST_GRANULARITY <= granularity <= MOST_GRANULARITY:
        raise ConfigError(f"The option 'granularity' is {granularity}; it must be between 1e-6 and 1e6, mostly near 1.")


def check_biases(*biases: float) -> None:
    """Raise ConfigError for what cannot be added to log-odds."""
    for bias in biases:
        if isinstance(bias, bool) or not isinstance(bias, int | float) or not abs(bias) <= MOST_BIAS:
            raise ConfigError(f"A bias of boundaries is {brief(bias)}; it must be a number between -50 and 50.")


def log_odds(reading: Reading, shift: float, *, name: str, instead: str) -> Floats2d:
    """Return the learned log-odds [sentences, 2] of both boundaries, moved; ``name`` is who asks, if there are none."""
    if reading.boundary is None:
        raise ConfigError(
            f"The segmentation '{name}' needs a model with a boundary layer, which this one lacks; "
            f"choose '{instead}', or train a model with the option boundary = 1."
        )
    return np.asarray(reading.boundary + np.float32(shift), np.float32)


def sigmoid(values: NDArray[Any]) -> NDArray[np.float64]:
    """Turn log-odds into probabilities."""
    return np.asarray(1 / (1 + np.exp(-np.clip(values.astype(np.float64), -50, 50))))
