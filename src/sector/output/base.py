"""What an output format is: a document in, a string out, and what stands around several of them."""

from __future__ import annotations

from typing import ClassVar, NamedTuple, Protocol

from sector.document import Document


class Frame(NamedTuple):
    """What is written before the first document, between two and after the last."""

    before: str = ""
    between: str = ""
    after: str = ""


class Format(Protocol):
    """Shows segmented documents in one way; a new format is a new file with such a class."""

    suffix: ClassVar[str]
    """How the name of a file with one document ends."""

    def render(self, document: Document) -> str:
        """Show one document."""
        ...

    def frame(self, several: bool) -> Frame:
        """Return what holds the documents together; ``several``: there may be more than one."""
        ...
