"""The lines of a page of a PDF, as PDFium finds them: where they stand, how large and in which style they are set."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

BOLD_WEIGHT = 600
BOLD = re.compile(rb"bold|black|heavy|demi|cmbx|-medi|\bbd\b")
MONOSPACED = re.compile(rb"mono|courier|consol|code|typewriter|cmtt|menlo", re.IGNORECASE)
SIGNS = str.maketrans(
    {"\x02": "-", "\ufffe": "-", "\xad": "-", "\x00": None, "\ufb01": "fi", "\ufb02": "fl", "\ufb00": "ff"}
    | {"\x1b": "ff", "\x1c": "fi", "\x1d": "fl", "\x1e": "ffi", "\x1f": "ffl"}
)
"""Signs that are shown as others: hyphens at the end of a line, and ligatures, also by their places in TeX's fonts."""
BROKEN = re.compile("(?<=[^\\W\\d_])[\x02\ufffe](?=[a-zß-ÿ])")
"""The hyphen of a word that is broken at the end of a line."""
BREAK = re.compile(r"(\r\n|\r|\n)")
CELL_GAP = 1.3
"""Times the size of the letters between two pieces of a line makes them cells of a table."""
SAME_LINE = 0.6
"""Of the size of the letters at most is a raised or lowered piece away from its line."""


@dataclass(slots=True)
class PdfLine:
    """One line of a page."""

    text: str
    page: int
    size: float = 0.0
    left: float = 0.0
    right: float = 0.0
    top: float = 0.0
    last_top: float = 0.0
    """That of its last part: PDFium joins lines that a broken word connects."""
    is_bold: bool = False
    has_bold_name: bool = False
    """Whether the names of its fonts say so."""
    is_code: bool = False
    breaks_page: bool = False
    cells: tuple[float, ...] = field(default=(), repr=False)
    """Where its cells begin, if it has several."""


def page_lines(page: Any, number: int) -> Iterator[PdfLine]:
    """Return the lines of a page, in the order in which they are read."""
    from pypdfium2 import raw

    textpage = page.get_textpage()
    text = textpage.get_text_range()
    found: list[PdfLine] = []
    for piece, place in _pieces(text):
        lead = place + units(piece[: len(piece) - len(piece.lstrip())])
        shown = BROKEN.sub("", piece).translate(SIGNS).strip()
        line = PdfLine(shown, number)
        _measure(line, textpage, raw, lead, lead + units(piece.strip()) - 1)
        if found and _is_raised(found[-1], line):
            _append(found[-1], line)
        else:
            found.append(line)
    textpage.close()
    for place, line in enumerate(found):
        line.breaks_page = place == 0
        yield line


def _pieces(text: str) -> Iterator[tuple[str, int]]:
    """Return the lines that have visible characters, with the place of each in PDFium's units."""
    place = 0
    for piece in BREAK.split(text):
        if piece.translate(SIGNS).strip():
            yield piece, place
        place += units(piece)


def units(text: str) -> int:
    """Return how many units of UTF-16, which PDFium counts, a text has."""
    return len(text) if text.isascii() else len(text) + sum(sign > "\uffff" for sign in text)


def _measure(line: PdfLine, textpage: Any, raw: Any, first: int, last: int) -> None:
    middle = (first + last) // 2
    if last >= textpage.count_chars():
        return
    box, end = textpage.get_charbox(first), textpage.get_charbox(last)
    line.left, line.right, line.top = box[0], end[2], box[3]
    line.size = round(max(raw.FPDFText_GetFontSize(textpage, place) for place in (first, middle)) * 2) / 2
    if line.size <= 1.5:  # the size lies in the matrix
        line.size = round((box[3] - box[1]) * 2) / 2
    line.last_top = end[3] if line.top - end[3] > line.size else line.top
    fonts = [_font(textpage, raw, place) for place in (first, middle, last)]
    weights = [raw.FPDFText_GetFontWeight(textpage, place) for place in (first, middle)]
    line.has_bold_name = all(BOLD.search(name.lower()) for name in fonts[:2])
    line.is_bold = line.has_bold_name or min(weights) >= BOLD_WEIGHT
    line.is_code = all(MONOSPACED.search(name) for name in fonts)
    line.cells = _cells(_rectangles(textpage, raw, first, last - first + 1), line.size)


def _font(textpage: Any, raw: Any, place: int) -> bytes:
    buffer, flags = ctypes.create_string_buffer(128), ctypes.c_int()
    raw.FPDFText_GetFontInfo(textpage, place, buffer, 128, flags)
    return bytes(buffer.value)


def _rectangles(textpage: Any, raw: Any, first: int, count: int) -> list[tuple[float, float]]:
    """Return where the pieces of a line begin and end, which are of one font each or stand apart."""
    found = []
    for number in range(raw.FPDFText_CountRects(textpage, first, count)):
        left, top, right, bottom = (ctypes.c_double() for _ in range(4))
        raw.FPDFText_GetRect(textpage, number, left, top, right, bottom)
        found.append((left.value, right.value))
    return sorted(found)


def _cells(pieces: Sequence[tuple[float, float]], size: float) -> tuple[float, ...]:
    begins = [after[0] for before, after in pairwise(pieces) if after[0] - before[1] > CELL_GAP * size > 0]
    return (pieces[0][0], *begins) if begins else ()


def _is_raised(line: PdfLine, after: PdfLine) -> bool:
    """Whether a piece stands to the right of a line at about its height, such as an exponent and what follows it."""
    near = abs(line.top - after.top) < SAME_LINE * max(line.size, after.size)
    return near and -1 <= after.left - line.right < max(line.size, after.size) and after.right > after.left


def _append(line: PdfLine, after: PdfLine) -> None:
    close = after.left - line.right < 0.15 * max(line.size, after.size)
    line.text = f"{line.text}{'' if close else ' '}{after.text}"
    line.right, line.size = after.right, max(line.size, after.size)
    line.last_top = after.last_top if after.last_top < after.top else line.last_top
