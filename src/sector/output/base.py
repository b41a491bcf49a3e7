"""The protocol of an output format: a document in, a string out, and a frame around several."""

from __future__ import annotations

from typing import ClassVar, NamedTuple, Protocol

from sector.document import Document


class Frame(NamedTuple):
    """What is printed before the first document, between two, and after the last."""

    before: str = ""
    between: str = ""
    after: str = ""


class Format(Protocol):
    """Renders segmented documents. A new format is a new file with such a class."""

    suffix: ClassVar[str]
    """File name ending of a single document."""

    def render(self, document: Document) -> str:
        """Return one document in this format."""
        ...

    def frame(self, several: bool) -> Frame:
        """Return the frame; with ``several``, more than one document may come."""
        ...
