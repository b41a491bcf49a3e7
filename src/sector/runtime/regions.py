"""Where the topic embeddings of known documents lie, and where those of other documents do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Doubles1d, Floats2d


@dataclass(frozen=True, slots=True, eq=False)
class Regions:
    """Normal distributions in a few principal components, the first that of known documents."""

    projection: Floats2d
    """float32 [embedding, components]"""
    maps: NDArray[np.float32]
    """float32 [regions, components + 1, components]: what makes each distribution a standard one; last its shift."""
    offsets: Sequence[float]
    """What is added to each log density."""

    def scores(self, rows: Floats2d) -> Doubles1d:
        """Return float64 [rows]: the log density of the first region less that of all others together."""
        placed = (rows @ self.projection).astype(np.float64)
        logs = [
            offset - 0.5 * np.square(placed @ one[:-1] + one[-1]).sum(axis=1)
            for one, offset in zip(self.maps.astype(np.float64), self.offsets, strict=True)
        ]
        return np.asarray(logs[0] - np.logaddexp.reduce(logs[1:])) if len(logs) > 1 else logs[0]
