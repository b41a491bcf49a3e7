"""The lines of a text with their places, and what can be told from one line alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

BREAKS = "\n\r\f\v\x85\u2028\u2029"
LINE = re.compile(rf"([^{BREAKS}]*)(\r\n|[{BREAKS}]|\Z)")
TAB = 8
QUOTE = re.compile(r"[ \t]{0,3}(?:>[ ]?)+")
END = re.compile(r"[.!?…。！？]['\"’”»)\]*_]*$")
"""The last characters of a sentence."""
ENDS_CLAUSE = re.compile(r"[.!?…。！？:;]['\"’”»)\]*_]*$")
RULE = re.compile(r"\s*([-=_*~#+.·—–─═^\"'`:])(?:\s?\1){2,}\s*$")
"""A line of one sign, which parts or underlines."""


@dataclass(slots=True)
class Line:
    """One line without its break."""

    begin: int
    end: int
    """The end of its visible characters."""
    indent: int
    """Columns of white space before the first visible character."""
    text: str
    """The visible characters."""
    breaks_page: bool = False
    """Whether a form feed stands before it."""

    @property
    def first(self) -> int:
        """Where the visible characters begin."""
        return self.end - len(self.text)

    @property
    def width(self) -> int:
        """The columns that the line takes."""
        return self.indent + len(self.text)

    def __bool__(self) -> bool:
        return bool(self.text)


def split_lines(text: str, begin: int = 0, end: int | None = None) -> Iterator[Line]:
    """Return the lines of a part of a text, blank ones included."""
    page = False
    end = len(text) if end is None else end
    for match in LINE.finditer(text, begin, end):
        if match.start() >= end and match.end() >= end:
            return
        yield make_line(match[1], match.start(), page)
        page = match[2] == "\f" or (page and not match[1].strip())


def line_begin(text: str, place: int) -> int:
    """Return where the line of a place begins."""
    while place and text[place - 1] not in BREAKS:
        place -= 1
    return place


def make_line(raw: str, begin: int, breaks_page: bool = False) -> Line:
    """Return a line that stands at ``begin``."""
    text = raw.strip()
    lead = raw[: len(raw) - len(raw.lstrip())]
    indent = len(lead.expandtabs(TAB)) if "\t" in lead else len(lead)
    return Line(begin, begin + len(raw.rstrip()), indent, text, breaks_page)


def paragraphs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Return the runs of lines that are not blank; a new page ends a run."""
    run: list[Line] = []
    for line in lines:
        if run and (not line or line.breaks_page):
            yield run
            run = []
        if line:
            run.append(line)
    if run:
        yield run
