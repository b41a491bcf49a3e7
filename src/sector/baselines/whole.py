"""One section per document: what a system must beat, for on long segments it scores well."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sector.arrays import Ints1d
from sector.baselines.base import BoundarySystem
from sector.document import Document


@dataclass
class Whole(BoundarySystem):
    """Cuts nothing."""

    name: ClassVar[str] = "whole"
    citation: ClassVar[str] = "no boundary at all"

    def starts(self, document: Document) -> Ints1d:
        """Return the first sentence."""
        return np.zeros(1, np.int64)
