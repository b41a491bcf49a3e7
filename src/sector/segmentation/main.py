"""The main sections alone, "main": where the label changes, or a main section of an article begins; past the paper.

A model with a boundary layer learns two kinds of boundaries. "joint" looks at both and finds sections within sections,
too. This one looks at the coarser kind only.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import ClassVar

import numpy as np

from sector.arrays import Floats1d, Ints1d
from sector.segmentation.base import Reading, starts_from
from sector.segmentation.learned import check_granularity, log_odds, sigmoid

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
        check_granularity(self.granularity)

    def starts(self, reading: Reading) -> Ints1d:
        """Return the sentences that begin a section."""
        odds = self._log_odds(reading)
        odds[:1] = -np.inf  # nothing stood before the first sentence
        around = np.concatenate([[-np.inf], odds, [-np.inf]])
        return starts_from((odds > 0) & (odds >= around[:-2]) & (odds > around[2:]))

    def deviation(self, reading: Reading) -> Floats1d:
        """Return the learned probability of a main boundary, 0 for the first sentence."""
        found = sigmoid(self._log_odds(reading)).astype(np.float32)
        found[:1] = 0.0
        return found

    def _log_odds(self, reading: Reading) -> Floats1d:
        return log_odds(reading, SHIFT + log(self.granularity), name=self.name, instead="max")[:, 0]
