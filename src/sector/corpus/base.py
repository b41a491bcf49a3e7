"""What a source of documents is, and how it says that a document cannot be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from sector.document import Document


@dataclass(frozen=True, slots=True)
class Problem:
    """A file or a record that cannot be read; the others are not stopped by it."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


class Source(Protocol):
    """Yields documents one by one; a new kind of input is a new file with such a class."""

    @property
    def name(self) -> str:
        """What a file with the results of the whole source is called, without its ending."""
        ...

    @property
    def is_corpus(self) -> bool:
        """Whether it is one file with many documents."""
        ...

    @property
    def is_single(self) -> bool:
        """Whether there is exactly one document."""
        ...

    @property
    def total(self) -> int | None:
        """How many documents there are, if that is known."""
        ...

    def documents(self) -> Iterator[Document | Problem]:
        """Return the documents, and the problems where there should have been one."""
        ...

    def names(self) -> Iterator[str]:
        """Return the ids of the documents, as far as they are known before they are read."""
        ...

    def target(self, document_id: str) -> str:
        """Return the path of a document's own file of results below the output folder, without its ending."""
        ...
