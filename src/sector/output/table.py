"""Tab-separated lines for pipes, one per section, the same on every machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sector.document import Document
from sector.output.base import Frame
from sector.output.preview import previews, sentence_counts
from sector.visible import visible

WORDS = 80
"""Number of characters of the text in a line."""


@dataclass(frozen=True, slots=True)
class TableFormat:
    """Lines of document, begin, end, label, confidence, number of sentences, first words and the author's heading."""

    suffix: ClassVar[str] = ".tsv"

    def render(self, document: Document) -> str:
        """Return one line per section."""
        name = visible(" ".join(document.id.split()))
        lines = []
        counted = zip(document.sections, sentence_counts(document), previews(document, WORDS), strict=True)
        for section, sentences, words in counted:
            label, heading = (visible(" ".join(written.split())) for written in (section.label, section.heading))
            fields = (name, section.begin, section.end, label, f"{section.confidence:.2f}", sentences, words, heading)
            lines.append("\t".join(map(str, fields)) + "\n")
        return "".join(lines)

    def frame(self, several: bool) -> Frame:
        """Return an empty frame."""
        return Frame()
