"""The main sections alone, "main": where the label changes, or a main section of an article begins; past the paper.

A model with a boundary layer learns two kinds of boundaries. "joint" looks at both and finds sections within sections,
too. This one looks at the coarser kind only.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, log
from typing import ClassVar

import numpy as np

from sector.arrays import Floats1d, Ints1d
from sector.errors import ConfigError
from sector.segmentation.base import Reading, starts_from

SHIFT = 0.88
"""Added to the learned log-odds of a main boundary (odds × 2.4), for the reason that "joint" has. Chosen on the main
sections of validation documents."""


@dataclass(frozen=True, slots=True)
class MainSections:
    """A section begins where the learned probability of a main boundary has a peak above one half."""

    name: ClassVar[str] = "main"

    granularity: float = 1.0
    """Multiplies the odds of every boundary: 2 gives more and shorter sections, 0.5 fewer and longer ones."""

    def __post_init__(self) -> None:
        if not (isfinite(self.granularity) and self.granularity > 0):
            raise ConfigError(f"The option 'granularity' is {self.granularity}; it must be a positive number.")

    def starts(self, reading: Reading) -> Ints1d:
        """Give the sentences that begin a section."""
        log_odds = self._log_odds(reading)
        log_odds[:1] = -np.inf  # nothing stood before the first sentence
        around = np.concatenate([[-np.inf], log_odds, [-np.inf]])
        return starts_from((log_odds > 0) & (log_odds >= around[:-2]) & (log_odds > around[2:]))

    def deviation(self, reading: Reading) -> Floats1d:
        """Give the learned probability of a main boundary, 0 for the first sentence."""
        found = (1 / (1 + np.exp(-np.clip(self._log_odds(reading), -50, 50)))).astype(np.float32)
        found[:1] = 0.0
        return found

    def _log_odds(self, reading: Reading) -> Floats1d:
        if reading.boundary is None:
            raise ConfigError(
                "The segmentation 'main' needs a model with a boundary layer, which this one lacks; "
                "choose 'max', or train a model with the option boundary = 1."
            )
        return np.asarray(reading.boundary[:, 0] + np.float32(SHIFT + log(self.granularity)), np.float32)
