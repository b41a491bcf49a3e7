"""Embedding deviation, "emd": a section begins where the topic embedding moves fastest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np

from sector.arrays import Doubles1d, Floats1d, Floats2d, Ints1d
from sector.errors import ConfigError
from sector.segmentation.base import Reading, starts_from, strict_maxima
from sector.segmentation.deviation import movement
from sector.segmentation.options import check_deviation_options
from sector.visible import brief

Join = Literal["concatenate", "mean"]


@dataclass(frozen=True, slots=True)
class EmbeddingDeviation:
    """d_k = cosine distance of e'_{k−1} and e'_k; sections begin at its strict local maxima."""

    name: ClassVar[str] = "emd"

    sigma: float = 2.5
    """Standard deviation of the Gaussian smoothing, in sentences; 0 smooths nothing."""
    dimensions: int = 16
    """How many principal components of the document's embeddings are kept."""
    join: Join = "concatenate"
    """How both directions become one vector: "concatenate" (the paper) or "mean" (the authors' code)."""
    centred: bool = True
    """Whether the mean embedding is subtracted before the components are computed."""

    def __post_init__(self) -> None:
        check_deviation_options(self.sigma, self.dimensions)
        if self.join not in get_args(Join):
            raise ConfigError(f"The option 'join' is {brief(self.join)}; it must be one of: concatenate, mean.")

    def starts(self, reading: Reading) -> Ints1d:
        """Return 0 and the strict local maxima of the deviation."""
        return starts_from(strict_maxima(self._deviation(reading)))

    def deviation(self, reading: Reading) -> Floats1d:
        """Return d_k for each sentence k; 0 for the first."""
        return self._deviation(reading).astype(np.float32)

    def _deviation(self, reading: Reading) -> Doubles1d:
        return movement(self._embeddings(reading), self.dimensions, self.sigma, centred=self.centred)

    def _embeddings(self, reading: Reading) -> Floats2d:
        given = [part for part in (reading.forward, reading.backward) if part is not None]
        if not given:
            raise ConfigError("The segmentation 'emd' needs embeddings, which the reading lacks; choose 'max'.")
        return np.concatenate(given, axis=1) if self.join == "concatenate" else np.mean(given, axis=0)
