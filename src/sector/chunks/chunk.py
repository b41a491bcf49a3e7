"""A chunk: what is put into an index, with its place in the document and a stable id."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sector.arrays import Floats1d
from sector.text.headings import PATH
from sector.visible import shortened

BREADCRUMB = " › "
"""Between the parts of a path in front of a text."""
SURE = 0.5
"""Confidence from which on a label is in the breadcrumb: one that is likelier wrong makes the text harder to find."""
DIGITS = 16
"""Hexadecimal digits of a content's hash in an id: 64 bits."""

_RENAMED = {"document": "document_id", "previous": "previous_id", "next": "next_id"}
"""Fields of a record that have shorter names there."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of whole sentences within a number of tokens."""

    id: str
    """Hash of the document's id and the chunk's text, and its begin: the same in every run."""
    begin: int
    end: int
    text: str = field(repr=False)
    """``document.text[begin:end]``"""
    tokens: int
    """Of the text, as the tokenizer counts."""
    label: str = ""
    confidence: float = 1.0
    heading: str = ""
    """The author's heading path, "Guide | Install": what all of the chunk lies below, or where it begins."""
    page: int | None = None
    """The page that it begins on, from 1, where the document has pages."""
    previous_id: str | None = field(default=None, repr=False)
    next_id: str | None = field(default=None, repr=False)
    document_id: str = field(default="", repr=False)
    title: str = field(default="", repr=False)
    """The document's."""
    embedding: Floats1d | None = field(default=None, repr=False, compare=False)
    """float32 [dim] of length 1: what it is about, where the model says so."""

    @staticmethod
    def from_dict(record: Mapping[str, Any], embedding: Floats1d | None = None) -> Chunk:
        """Return the chunk of which `to_dict` made a record."""
        kept = {name: value for name, value in record.items() if name not in _RENAMED}
        renamed = {own: record[name] for name, own in _RENAMED.items()}
        return Chunk(**kept, **renamed, embedding=embedding)

    @property
    def breadcrumb(self) -> str:
        """Title and heading path, "Manual › Guide › Install"; without headings the title and a label that is sure."""
        label = self.label if self.confidence >= SURE else ""
        parts = self.heading.split(PATH) if self.heading else [label]
        return BREADCRUMB.join(dict.fromkeys(part for part in (self.title, *parts) if part))

    def context(self) -> str:
        """Return the text with its breadcrumb in front, for embedding."""
        text = self.text.strip()
        return f"{self.breadcrumb}\n\n{text}" if self.breadcrumb else text

    def __repr__(self) -> str:
        named = [f"{name}={value!r}" for name in ("label", "heading", "page") if (value := getattr(self, name))]
        shown = [f"{self.begin}, {self.end}, tokens={self.tokens}", *named, f"confidence={self.confidence:.2f}"]
        return f"Chunk({self.id!r}, {', '.join(shown)}, text={shortened(self.text)!r})"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of the chunk; it has the same keys whatever the document."""
        return {
            "id": self.id,
            "document": self.document_id,
            "title": self.title,
            "begin": self.begin,
            "end": self.end,
            "tokens": self.tokens,
            "label": self.label,
            "confidence": self.confidence,
            "heading": self.heading,
            "page": self.page,
            "previous": self.previous_id,
            "next": self.next_id,
            "text": self.text,
        }


def chunk_id(document: str, text: str, begin: int) -> str:
    """Return the id of the chunk of a document that begins at a position: "0f3c…-1200"."""
    content = f"{len(document)}:{document}{text}".encode("utf-8", "surrogatepass")
    return f"{hashlib.sha256(content).hexdigest()[:DIGITS]}-{begin}"
