"""How much a section resembles the documents that a model was trained on."""

from __future__ import annotations

from typing import Protocol

from sector.arrays import Floats1d
from sector.document import Document
from sector.segmentation import Reading, SectionSpans


class Domain(Protocol):
    """Statistics of training documents."""

    def scores(self, read: Document, spans: SectionSpans, reading: Reading) -> Floats1d:
        """Return float32 [sections], 0 to 1."""
        ...
