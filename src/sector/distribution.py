"""A value for each label of a model: what a sentence or a section was found to be about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Ints1d
from sector.errors import ConfigError
from sector.values import is_whole
from sector.visible import brief


@dataclass(frozen=True, slots=True)
class Distribution:
    """A value for each label of a model, e.g. one row of its probabilities."""

    labels: tuple[str, ...]
    values: NDArray[np.floating[Any]]

    def ranked(self, limit: int | None = None) -> dict[str, float]:
        """Return ``{label: value}``, best first; ties keep the order of the labels."""
        if limit is not None and not is_whole(limit, 0):
            raise ConfigError(f"The number of scores is {brief(limit)}; it must be a whole number, or None for all.")
        places = self._best(limit)
        order = places[np.argsort(-self.values[places], kind="stable")][:limit].tolist()
        values = self.values[order].tolist()
        return {self.labels[i]: value for i, value in zip(order, values, strict=True)}

    def _best(self, limit: int | None) -> Ints1d:
        """Return the places of the ``limit`` greatest values and of their equals, in the order of the labels."""
        count = len(self.values)
        if limit is None or not 0 < limit < count:
            return np.arange(count)
        return np.flatnonzero(self.values >= np.partition(self.values, count - limit)[count - limit])
