"""Running heads, page numbers and footers: lines that belong to the page and not to the text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from sector.reading.lines import END, Line

NUMBER = re.compile(
    r"[-–—\[(]?\s*(?:page|seite|p\.)?\s*(?:\d{1,4}|[ivxl]{1,6})\s*(?:(?:of|von|/)\s*\d{1,4})?\s*[-–—\])]?",
    re.IGNORECASE,
)
PAGE = re.compile(r"\[Page \d+\]$|\bPage \d+ of \d+$", re.IGNORECASE)
DIGITS = re.compile(r"\d+")
EDGE_NUMBER = re.compile(r"^\d{1,4}(?=\s)|(?<=\s)\d{1,4}$")
LONGEST = 120
"""Characters of a running head."""
DEEP = 2
"""Lines at the top and at the bottom of a page that may be furniture."""
REPEATED = 3
"""Pages on which the same line stands at least."""


def find_furniture(lines: Sequence[Line]) -> set[int]:
    """Return the positions of the lines that are repeated on pages, or have a page's number."""
    found = {number for number, line in enumerate(lines) if PAGE.search(line.text)}
    pages = list(_pages(lines))
    if len(pages) < REPEATED and not found:
        return set()
    edges = [place for page in pages for place in dict.fromkeys((*page[:DEEP], *page[-DEEP:]))]
    counts = Counter(_shape(lines[place]) for place in edges)
    needed = max(REPEATED, len(pages) // 4)
    repeated = {place for place in edges if counts[_shape(lines[place])] >= needed and len(lines[place].text) < LONGEST}
    numbers = {page[i] for page in pages for i in (0, -1) if NUMBER.fullmatch(lines[page[i]].text)}
    return found | repeated | numbers | _numbered(lines, pages)


def _numbered(lines: Sequence[Line], pages: Sequence[Sequence[int]]) -> set[int]:
    """Return the heads and footers that begin or end with the page's number, whatever else they say."""
    found = [
        (place, int(match[0]) - number)
        for number, page in enumerate(pages)
        for place in dict.fromkeys((page[0], page[-1]))
        if len(lines[place].text) < LONGEST
        for match in EDGE_NUMBER.finditer(lines[place].text)
    ]
    counts = Counter(offset for _, offset in found)
    common = {offset for offset, count in counts.items() if count >= max(REPEATED, len(pages) // 3)}
    return {place for place, offset in found if offset in common}


def _pages(lines: Sequence[Line]) -> Iterator[list[int]]:
    """Return the positions of the visible lines of each page; a text without form feeds is one page."""
    page: list[int] = []
    for number, line in enumerate(lines):
        if line.breaks_page and page:
            yield page
            page = []
        if line:
            page.append(number)
    if page:
        yield page


def _shape(line: Line) -> str:
    return DIGITS.sub("#", " ".join(line.text.split()))


def without(lines: Sequence[Line], furniture: set[int]) -> list[Line]:
    """Return the other lines; where a sentence goes on across the furniture, the gap is closed."""
    kept: list[Line] = []
    gap: list[Line] = []
    passed = False
    for number, line in enumerate(lines):
        if number in furniture:
            passed = True
        elif not line:
            gap.append(line)
        else:
            if not (passed and kept and _goes_on(kept[-1], line)):
                kept += gap
            else:
                line.breaks_page = False
            kept.append(line)
            gap, passed = [], False
    return kept + gap


def _goes_on(line: Line, after: Line) -> bool:
    return not END.search(line.text) and after.text[0].islower() and abs(line.indent - after.indent) <= 1
