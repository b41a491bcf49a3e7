"""JSON: one indented object per document (a list of several), or one line per document."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import ClassVar

from sector.document import Document
from sector.output.base import Frame
from sector.visible import escaped


@dataclass(frozen=True, slots=True)
class JsonFormat:
    """An indented object, or a list of them if there may be several documents."""

    suffix: ClassVar[str] = ".json"

    def render(self, document: Document) -> str:
        """Return the document as a JSON object."""
        record = document.to_dict()
        return escaped(json.dumps(record, ensure_ascii=False, indent=2))

    def frame(self, several: bool) -> Frame:
        """Return the brackets of a list."""
        return Frame("[\n", ",\n", "\n]\n") if several else Frame(after="\n")


@dataclass(frozen=True, slots=True)
class JsonLinesFormat:
    """One line per document, as `sector evaluate` reads them."""

    suffix: ClassVar[str] = ".jsonl"

    def render(self, document: Document) -> str:
        """Return the line."""
        return document.to_json() + "\n"

    def frame(self, several: bool) -> Frame:
        """Return an empty frame."""
        return Frame()
