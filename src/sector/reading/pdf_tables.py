"""Tables and tables of contents of a PDF: lines of cells that stand below one another, lines that end with a page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from sector.reading.marks import BULLET, NUMBER
from sector.reading.pdf_lines import PdfLine

LEADERS = re.compile(r"(?:\.[ \t]?){4,}[ \t]*(?:\d{1,4}|[ivxl]{1,6})$")
ENTRY = re.compile(r"[^\W\d_].*\D[ \t](\d{1,4})$")
CONTENTS = re.compile(r"(?:table of )?contents|inhalt(?:sverzeichnis)?|table des matières|índice|sumário|indice", re.I)
FEWEST_ENTRIES = 5
FEWEST_ROWS = 3
NEAR = 3.0
"""Points between the beginnings of two cells that stand below one another, at most."""


def find_contents(lines: Sequence[PdfLine]) -> Iterator[int]:
    """Return the positions of the lines of tables of contents, their titles included."""
    for _, group in groupby(range(len(lines)), key=lambda number: lines[number].page):
        page = list(group)
        entries = _entries(lines, page)
        if entries:
            first = page.index(entries[0])
            while first and (CONTENTS.fullmatch(lines[page[first - 1]].text) or _is_title_above(lines, page, first)):
                first -= 1
            yield from page[first : page.index(entries[-1]) + 1]


def _is_title_above(lines: Sequence[PdfLine], page: Sequence[int], first: int) -> bool:
    return first == 2 and CONTENTS.fullmatch(lines[page[0]].text) is not None


def _entries(lines: Sequence[PdfLine], page: Sequence[int]) -> list[int]:
    """Return the entries on a page: lines with leaders, or most of its lines with growing numbers at their ends."""
    dotted = [number for number in page if LEADERS.search(lines[number].text)]
    found = [(number, int(match[1])) for number in page if (match := ENTRY.search(lines[number].text))]
    if len(dotted) >= FEWEST_ROWS:
        return sorted({*dotted, *(number for number, _ in found)})
    growing = sum(a <= b for (_, a), (_, b) in pairwise(found))
    if len(found) < max(FEWEST_ENTRIES, 0.6 * len(page)) or growing < 0.9 * (len(found) - 1):
        return []
    return [number for number, _ in found]


def find_tables(lines: Sequence[PdfLine]) -> Iterator[int]:
    """Return the positions of the lines that are rows of a table, or go on in one of its cells."""
    number = 0
    while number < len(lines):
        rows = _table(lines, number) if _is_row(lines[number]) else []
        yield from rows
        number = rows[-1] + 1 if rows else number + 1


def _is_row(line: PdfLine) -> bool:
    """Whether a line has cells; a list item, whose text is set off from its mark, has none."""
    if len(line.cells) < 2:
        return False
    mark = BULLET.match(line.text) or NUMBER.match(line.text)
    return not (mark and len(line.cells) == 2) and not re.match(r"\d+(?:\.\d+)*\.?[ \t]", line.text)


def _table(lines: Sequence[PdfLine], first: int) -> list[int]:
    """Return the lines of the table that begins with a row; none if it has too few rows."""
    columns = list(lines[first].cells)
    last, rows = first, 1
    for number in range(first + 1, len(lines)):
        line = lines[number]
        if line.page != lines[last].page:
            break
        if _is_row(line) and any(_near(cell, columns) for cell in line.cells[1:]):
            columns += [cell for cell in line.cells if not _near(cell, columns)]
            last, rows = number, rows + 1
        elif not (number - last <= FEWEST_ENTRIES and _near(line.left, columns)):
            break
    return list(range(first, last + 1)) if rows >= FEWEST_ROWS else []


def _near(place: float, columns: Sequence[float]) -> bool:
    return any(abs(place - column) <= NEAR for column in columns)
