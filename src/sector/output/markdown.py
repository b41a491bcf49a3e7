"""Markdown: a heading per section above its unchanged text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from sector.document import Document, Section
from sector.output.base import Frame
from sector.output.preview import author

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
        top = min((section.level for section in document.sections), default=1)
        sections = (f"{_title(section, top)}\n\n{_closed(section.text)}" for section in document.sections)
        return "\n".join([*title, *sections])

    def frame(self, several: bool) -> Frame:
        """Separate documents by an empty line."""
        return Frame(between="\n")


def _title(section: Section, top: int) -> str:
    """Return the label, below the author's heading if there is one, as a heading of the section's level."""
    marks = "#" * min(6, 2 + section.level - top)
    named = author(section)
    return f"{marks} {_escaped(f'{named} · {section.label}' if named else section.label)}"


def _escaped(words: str) -> str:
    return SPECIAL.sub(r"\\\1", " ".join(words.split()))


def _closed(text: str) -> str:
    return text if text.endswith("\n") else f"{text}\n"
