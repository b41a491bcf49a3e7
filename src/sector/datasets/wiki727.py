"""Wiki-727K and Wiki-50 (Koshorek et al., 2018): a folder, nested or flat, with one file per article.

Header lines are ``========,<level>,<title>.``; every other line is a sentence and stays one. The markers
``***LIST***``, ``***formula***`` and ``***codice***`` are removed; lines that are blank then vanish.
Headers deeper than ``levels`` are ignored, and their text joins the section before. Parts of a heading's
path are joined by `` | `` (level 2 begins a path). Sections without sentences vanish; labels are empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sector.datasets.sentence_lines import GivenSection, assemble
from sector.datasets.source import DatasetFile, DatasetPath
from sector.document import Document
from sector.errors import DataError

PREFACE = "preface"
HEADER_MARK = "========,"
_HEADER = re.compile(r"========,(\d{1,3}),(.*?)\.?\s*$")
_MARKERS = re.compile(r"\*\*\*(?:LIST|formula|codice)\*\*\*")
_TOP = 2
"""The level of an article's own sections; 1 is the preface."""


@dataclass(frozen=True)
class Wiki727Reader:
    """Reads articles with headers down to ``levels`` (0: all of them), with or without the preface."""

    levels: int = 2
    preface: bool = True
    name: str = "wiki727"

    def recognises(self, source: DatasetPath) -> bool:
        """Whether the first file begins with a header line."""
        entry = source.first()
        return entry is not None and any(line.startswith(HEADER_MARK) for line in entry.first_lines(3))

    def read(self, source: DatasetPath) -> Iterator[Document]:
        """Return one document for each file; the file's path is its id."""
        for entry in source.entries():
            sections = list(self._sections(entry))
            if not self.preface:
                sections = [section for section in sections if section.heading != PREFACE]
            yield assemble(sections, entry.name, entry.place)

    def _sections(self, entry: DatasetFile) -> Iterator[GivenSection]:
        section, path = GivenSection(heading=PREFACE), list[str]()
        for number, line in enumerate(entry.lines(), 1):
            if not line.startswith(HEADER_MARK):
                section.sentences.extend(_sentence(line))
                continue
            level, title = _header(line, number, entry)
            if not self.levels or level <= self.levels:
                yield section
                path = [*path[: max(level - _TOP, 0)], title]
                section = GivenSection(heading=" | ".join(path))
        yield section


def _header(line: str, number: int, entry: DatasetFile) -> tuple[int, str]:
    found = _HEADER.match(line)
    if found is None:
        message = "This header line is not of the form '========,<level>,<title>.'"
        raise DataError(f"{message}: {line[:80]!r}.", file=entry.place, record=f"line {number}")
    return int(found[1]), found[2].strip()


def _sentence(line: str) -> list[str]:
    bare = _MARKERS.sub("", line).strip()
    is_left_over = bare != line.strip() and not bare.strip(". ")
    return [bare] if bare and not is_left_over else []
