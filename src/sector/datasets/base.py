"""What a format's reader is: the one protocol behind which all formats stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from sector.datasets.source import DatasetPath
from sector.document import Document


class DatasetReader(Protocol):
    """Reads one format; a new format is a new file with such a class, listed in `formats.py`."""

    @property
    def name(self) -> str:
        """What users type after ``--from``."""
        ...

    def recognises(self, source: DatasetPath) -> bool:
        """Whether the names and the first bytes look like this format."""
        ...

    def read(self, source: DatasetPath) -> Iterator[Document]:
        """Return the documents one by one; what is malformed raises a `DataError`."""
        ...
