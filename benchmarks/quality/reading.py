"""A model that reads each document once, however many segmentations and protocols are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import sector
from sector.document import Document
from sector.segmentation import Reading


class ReadOnce:
    """What `evaluate` needs of a model."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.model = sector.load(name)
        self.config, self.task, self.labels = self.model.config, self.model.task, self.model.labels
        self._readings: dict[str, Reading] = {}

    def segment_all(self, documents: Iterable[str | Document], /, *, segmentation: Any = None) -> Iterator[Document]:
        """Return a segmented document for each document, in order."""
        for given in documents:
            document = Document(given, language=self.config.language) if isinstance(given, str) else given
            if document.text not in self._readings:
                (self._readings[document.text],) = self.model.read([document])
            yield self.model.decode(document, self._readings[document.text], segmentation=segmentation)
