"""Cities and Elements (Chen et al., 2009): one file for the whole data set.

A line is ``document,sentence,heading<U+0001>sentence text``; sentence number 1 begins a document. Lines
under ``TOP-LEVEL SEGMENT`` (what stands before the first heading) are left out unless asked for.
Consecutive lines of one heading form a section. The heading is lower-cased; the label is the heading with
``_`` for spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from sector.datasets.sentence_lines import GivenSection, assemble
from sector.datasets.source import DatasetPath
from sector.document import Document
from sector.errors import DataError

SEPARATOR = "\x01"
TOP_LEVEL = "TOP-LEVEL SEGMENT"
_LINE = re.compile(r"\s*(\d{1,18})\s*,\s*(\d{1,18})\s*,([^\x01]*)\x01(.*)$", re.DOTALL)


@dataclass
class _Open:
    """The document whose lines are being read."""

    id: str
    sections: list[GivenSection] = field(default_factory=list)

    def add(self, heading: str, sentence: str) -> None:
        if not self.sections or self.sections[-1].heading != heading:
            self.sections.append(GivenSection(heading.replace(" ", "_"), heading))
        if sentence:
            self.sections[-1].sentences.append(sentence)


@dataclass(frozen=True)
class ChenReader:
    """Reads the Cities or Elements file."""

    top_level: bool = False
    """Whether to keep the lines before the first heading, as a section ``preface``."""
    name: str = "chen"

    def recognises(self, source: DatasetPath) -> bool:
        """Whether the first line has the separator U+0001 in its place."""
        entry = None if source.path.is_dir() else source.first()
        return entry is not None and any(_LINE.match(line) for line in entry.first_lines(1))

    def read(self, source: DatasetPath) -> Iterator[Document]:
        """Return the documents as they stream in."""
        entry, current = source.only(), None
        for number, line in enumerate(entry.lines(), 1):
            if not line.strip():
                continue
            document, sentence, heading, text = _fields(line, number, entry.place)
            if current is None or sentence == 1:
                if current is not None:
                    yield assemble(current.sections, current.id, entry.place)
                current = _Open(document)
            self._add(current, heading, text)
        if current is not None:
            yield assemble(current.sections, current.id, entry.place)

    def _add(self, document: _Open, heading: str, text: str) -> None:
        if heading != TOP_LEVEL:
            document.add(heading.lower(), text)
        elif self.top_level:
            document.add("preface", text)


def _fields(line: str, number: int, place: str) -> tuple[str, int, str, str]:
    found = _LINE.match(line)
    if found is None:
        message = "The line is not of the form 'document,sentence,heading<U+0001>text'"
        raise DataError(f"{message}: {line[:60]!r}.", file=place, record=f"line {number}")
    return found[1], int(found[2]), found[3].strip(), found[4].strip()
