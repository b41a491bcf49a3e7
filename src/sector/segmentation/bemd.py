"""Bidirectional embedding deviation, "bemd": where both directions of reading move fastest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sector.arrays import Doubles1d, Floats1d, Floats2d, Ints1d
from sector.errors import ConfigError
from sector.segmentation.base import Reading, starts_from, strict_maxima
from sector.segmentation.deviation import movement
from sector.segmentation.options import check_deviation_options
from sector.visible import brief


@dataclass(frozen=True, slots=True)
class Variant:
    """One form of the method; a step s is the distance from sentence s − 1 to s."""

    sigma: float
    dimensions: int | None
    centred: bool
    dropped: int
    """How many of the first principal components are left out."""
    forward: int
    """Sentence k looks at the forward step k + this,"""
    backward: int
    """and at the backward step k + this."""
    earliest: int
    """The first sentence with a deviation."""


VARIANTS = {
    "aligned": Variant(sigma=0.75, dimensions=None, centred=True, dropped=0, forward=0, backward=0, earliest=1),
    "paper": Variant(sigma=2.5, dimensions=16, centred=True, dropped=0, forward=0, backward=1, earliest=1),
    "2018": Variant(sigma=1.5, dimensions=16, centred=True, dropped=0, forward=1, backward=0, earliest=1),
    "head": Variant(sigma=1.5, dimensions=16, centred=False, dropped=2, forward=1, backward=-1, earliest=3),
}
"""Ours, which compares the same two sentences in both directions; the paper's formula; and two versions of the authors'
code: that of October 2018, which is nearest to the published figures, and the last one."""


@dataclass(frozen=True, slots=True)
class BidirectionalDeviation:
    """d'_k = √(forward distance · backward distance) around k; sections begin at its strict local maxima."""

    name: ClassVar[str] = "bemd"

    variant: str = "aligned"
    """One of ``VARIANTS``."""
    sigma: float | None = None
    """Standard deviation of the Gaussian smoothing, in sentences; None: the variant's."""
    dimensions: int | None = None
    """How many principal components of each direction's embeddings are kept; None: as the variant does, which is
    16 in the paper and the authors' code, and all of them in ours."""
    centred: bool | None = None
    """Whether means are subtracted before the components are computed; None: as the variant does."""

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            choices = ", ".join(VARIANTS)
            raise ConfigError(f"The option 'variant' is {brief(self.variant)}; it must be one of: {choices}.")
        check_deviation_options(self.sigma or 0.0, 1 if self.dimensions is None else self.dimensions)

    def starts(self, reading: Reading) -> Ints1d:
        """Return 0 and the strict local maxima of the deviation."""
        return starts_from(strict_maxima(self._deviation(reading)))

    def deviation(self, reading: Reading) -> Floats1d:
        """Return d'_k for each sentence k; 0 at the ends."""
        return self._deviation(reading).astype(np.float32)

    def _deviation(self, reading: Reading) -> Doubles1d:
        if reading.forward is None or reading.backward is None:
            raise ConfigError(
                "The segmentation 'bemd' needs forward and backward embeddings, and the reading lacks them; "
                "choose 'emd' or 'max'."
            )
        form = VARIANTS[self.variant]
        forward = _ahead(self._steps(reading.forward), form.forward)
        backward = _ahead(self._steps(reading.backward), form.backward)
        deviation = np.sqrt(forward * backward)
        deviation[: form.earliest] = 0
        return deviation

    def _steps(self, embeddings: Floats2d) -> Doubles1d:
        form = VARIANTS[self.variant]
        sigma = form.sigma if self.sigma is None else self.sigma
        centred = form.centred if self.centred is None else self.centred
        dimensions = form.dimensions if self.dimensions is None else self.dimensions
        return movement(embeddings, dimensions, sigma, centred=centred, dropped=form.dropped)


def _ahead(values: Doubles1d, places: int) -> Doubles1d:
    """Return ``values[k + places]`` at k, and 0 beyond the ends."""
    moved = np.zeros_like(values)
    if places > 0:
        moved[:-places] = values[places:]
    elif places < 0:
        moved[-places:] = values[:places]
    else:
        moved[:] = values
    return moved
