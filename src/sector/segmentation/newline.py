"""The paper's baseline "NL": a section ends with each paragraph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sector.arrays import Floats1d, Ints1d
from sector.errors import ConfigError
from sector.segmentation.base import Reading, no_deviation, starts_from


@dataclass(frozen=True, slots=True)
class Newline:
    """A sentence begins a section iff a line break stands before it."""

    name: ClassVar[str] = "newline"

    def starts(self, reading: Reading) -> Ints1d:
        """Return the first sentences of the paragraphs."""
        if reading.paragraph_end is None:
            raise ConfigError("The segmentation 'newline' needs the ends of paragraphs; choose another one.")
        return starts_from(np.roll(reading.paragraph_end, 1))

    def deviation(self, reading: Reading) -> Floats1d:
        """Return zeros."""
        return no_deviation(reading)
