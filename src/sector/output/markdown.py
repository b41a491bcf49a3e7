"""Markdown: a heading per section above its unchanged text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from sector.document import Document
from sector.output.base import Frame

SPECIAL = re.compile(r"([\\`*_\[\]<>#|])")


@dataclass(frozen=True, slots=True)
class MarkdownFormat:
    """Labels as headings; with several documents, each document's name is a heading above them."""

    suffix: ClassVar[str] = ".md"
    titled: bool = True
    """Whether the document's title or name comes before its sections."""

    def render(self, document: Document) -> str:
        """Return the headings and the unchanged texts."""
        name = document.title or document.id
        title = [f"# {_escaped(name)}\n"] if self.titled and name else []
        sections = (f"## {_escaped(section.label)}\n\n{_closed(section.text)}" for section in document.sections)
        return "\n".join([*title, *sections])

    def frame(self, several: bool) -> Frame:
        """Separate documents by an empty line."""
        return Frame(between="\n")


def _escaped(words: str) -> str:
    return SPECIAL.sub(r"\\\1", " ".join(words.split()))


def _closed(text: str) -> str:
    return text if text.endswith("\n") else f"{text}\n"
