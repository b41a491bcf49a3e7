"""PDF, by PDFium: lines with their sizes, put together to paragraphs, headings, lists and code, page by page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from threading import Lock
from typing import Any

from sector.errors import DataError, MissingExtraError
from sector.reading.base import Content, Extract
from sector.reading.furniture import find_furniture
from sector.reading.lines import ENDS_CLAUSE, make_line
from sector.reading.marks import BULLET, NUMBER, NUMBERED, is_table
from sector.structure.blocks import Kind

HEAD = 1024
MOST_PAGES = 20_000
LARGER = 1.12
"""Times the size of the text is a heading's, at least."""
BOLD = 600
LONGEST_HEADING = 160
GAP = 1.35
"""Times the usual distance of lines parts paragraphs."""
SCANNED = 20
"""Characters per page below which a document with pictures was scanned."""
MONOSPACED = re.compile(rb"mono|courier|consol|code|typewriter|cmtt|menlo", re.IGNORECASE)
SIGNS = str.maketrans(
    {"\x02": "-", "\ufffe": "-", "\xad": "-", "\x00": None, "\ufb01": "fi", "\ufb02": "fl", "\ufb00": "ff"}
)
LOCK = Lock()
"""PDFium is not made for threads."""


@dataclass(slots=True)
class PdfLine:
    """One line of a page."""

    text: str
    page: int
    size: float = 0.0
    left: float = 0.0
    right: float = 0.0
    top: float = 0.0
    is_bold: bool = False
    is_code: bool = False
    breaks_page: bool = False


@dataclass(frozen=True, slots=True)
class PdfFormat:
    """Portable documents with a text layer."""

    name: str = "pdf"
    suffixes: tuple[str, ...] = (".pdf",)

    def recognises(self, head: bytes) -> bool:
        """Whether PDF's signature is near the beginning."""
        return b"%PDF-" in head[:HEAD]

    def read(self, content: bytes, encoding: str | None = None) -> Content:
        """Return text and blocks, which have their pages."""
        try:
            import pypdfium2
        except ImportError as error:
            raise MissingExtraError("pypdfium2", "documents") from error
        with LOCK:
            try:
                document = pypdfium2.PdfDocument(content)
            except pypdfium2.PdfiumError as error:
                raise _broken(str(error)) from error
            try:
                return _content(document)
            except pypdfium2.PdfiumError as error:
                raise _broken(str(error)) from error
            finally:
                document.close()


def _broken(reason: str) -> DataError:
    if "assword" in reason or "ecurity" in reason:
        return DataError("This PDF is encrypted; save it without a password first, e.g. with qpdf --decrypt.")
    return DataError(f"This PDF is broken ({reason.rstrip('.')}); save it anew, e.g. with qpdf.")


def _content(document: Any) -> Content:
    count = len(document)
    if count > MOST_PAGES:
        raise DataError(f"This PDF has {count:,} pages; at most {MOST_PAGES:,} are read. Split it into parts.")
    lines: list[PdfLine] = []
    for number in range(count):
        page = document[number]
        lines += _lines(page, number + 1)
        page.close()
    if sum(len(line.text) for line in lines) < SCANNED * count:
        raise DataError(
            f"This PDF has no text on its {count:,} {'page' if count == 1 else 'pages'}: it was scanned, or its "
            "letters are drawn. Recognise the text first, e.g. with ocrmypdf."
        )
    extract = Extract()
    _Layout(lines, _bookmarks(document)).fill(extract)
    title = str(document.get_metadata_value("Title") or "")
    return extract.content(" ".join(title.split()))


def _bookmarks(document: Any) -> dict[tuple[int, str], int]:
    """Return the level of each bookmark, by its page and its title without blanks."""
    found = {}
    for number, entry in enumerate(document.get_toc(max_depth=6)):
        if number > MOST_PAGES:
            break
        target = entry.get_dest()
        page = target.get_index() if target is not None else None
        if page is not None:
            found[page + 1, _key(entry.get_title() or "")] = entry.level + 1
    return found


def _key(title: str) -> str:
    return "".join(sign for sign in title.lower() if sign.isalnum())


def _lines(page: Any, number: int) -> Iterator[PdfLine]:
    """Return the lines of a page with what can be told of their first and last characters."""
    from pypdfium2 import raw

    textpage = page.get_textpage()
    text = textpage.get_text_range()
    place, first = 0, True
    for piece in re.split(r"(\r\n|\r|\n)", text):
        shown = piece.translate(SIGNS).rstrip()
        if shown.strip() and not piece.startswith(("\r", "\n")):
            lead = place + len(piece) - len(piece.lstrip())
            line = PdfLine(shown.strip(), number, breaks_page=first)
            _measure(line, textpage, raw, lead, place + len(piece.rstrip()) - 1)
            first = False
            yield line
        place += len(piece)
    textpage.close()


def _measure(line: PdfLine, textpage: Any, raw: Any, first: int, last: int) -> None:
    middle = (first + last) // 2
    if last >= textpage.count_chars():
        return
    box, end = textpage.get_charbox(first), textpage.get_charbox(last)
    line.left, line.right, line.top = box[0], end[2], box[3]
    line.size = round(max(raw.FPDFText_GetFontSize(textpage, place) for place in (first, middle)) * 2) / 2
    if line.size <= 1.5:  # the size lies in the matrix
        line.size = round((box[3] - box[1]) * 2) / 2
    name = _font(textpage, raw, middle)
    weights = [raw.FPDFText_GetFontWeight(textpage, place) for place in (first, middle)]
    line.is_bold = min(weights) >= BOLD or b"bold" in name.lower() or b"cmbx" in name.lower()
    line.is_code = MONOSPACED.search(name) is not None


def _font(textpage: Any, raw: Any, place: int) -> bytes:
    import ctypes

    buffer, flags = ctypes.create_string_buffer(128), ctypes.c_int()
    raw.FPDFText_GetFontInfo(textpage, place, buffer, 128, flags)
    return bytes(buffer.value)


class _Layout:
    """The lines of all pages, and what is usual among them."""

    def __init__(self, lines: Sequence[PdfLine], bookmarks: dict[tuple[int, str], int]) -> None:
        bare = [make_line(line.text, 0, line.breaks_page) for line in lines]
        furniture = find_furniture(bare)
        self._lines = [line for number, line in enumerate(lines) if number not in furniture]
        self._bookmarks = bookmarks
        sizes: Counter[float] = Counter()
        for line in self._lines:
            sizes[line.size] += len(line.text)
        self._size = sizes.most_common(1)[0][0] if sizes else 0.0
        steps = Counter(round(a.top - b.top) for a, b in pairwise(self._lines) if a.page == b.page and a.top > b.top)
        self._step = steps.most_common(1)[0][0] if steps else 12
        self._right = self._margin()
        large = sorted({line.size for line in self._lines if self._is_large(line)}, reverse=True)
        self._levels = {size: level for level, size in enumerate(large, 1)}

    def _margin(self) -> float:
        rights = sorted(line.right for line in self._lines)
        return rights[int(0.9 * (len(rights) - 1))] if rights else 0.0

    def fill(self, extract: Extract) -> None:
        """Put all paragraphs into an extract."""
        for lines in self._paragraphs():
            text = _joined(lines)
            kind, level = self._kind(lines, text)
            if kind in ("code", "table"):
                text = "\n".join(line.text for line in lines)
            extract.add(text, kind, level, lines[0].page)

    def _paragraphs(self) -> Iterator[list[PdfLine]]:
        run: list[PdfLine] = []
        for line in self._lines:
            if run and self._parts(run[-1], line):
                yield run
                run = []
            run.append(line)
        if run:
            yield run

    def _parts(self, line: PdfLine, after: PdfLine) -> bool:
        """Whether a paragraph ends between two lines."""
        if line.size != after.size and (self._is_large(line) or self._is_large(after)):
            return True
        if line.is_code != after.is_code or self._is_title(line) != self._is_title(after):
            return True
        if BULLET.match(after.text) or (NUMBER.match(after.text) and ENDS_CLAUSE.search(line.text)):
            return True
        if line.page != after.page or after.top > line.top:  # a new page or column
            return not (after.text[0].islower() or line.text.endswith("-")) or ENDS_CLAUSE.search(line.text) is not None
        far = line.top - after.top > GAP * max(self._step, line.size)
        indented = after.left - line.left > 0.8 * self._size and ENDS_CLAUSE.search(line.text) is not None
        short = self._right - line.right > 6 * self._size and ENDS_CLAUSE.search(line.text) is not None
        return far or indented or short

    def _is_large(self, line: PdfLine) -> bool:
        return line.size >= LARGER * self._size and any(map(str.isalpha, line.text))

    def _is_title(self, line: PdfLine) -> bool:
        """Whether a line that is as large as the text is set in bold, as a heading."""
        short = len(line.text) <= LONGEST_HEADING and line.size >= self._size
        return line.is_bold and short and not ENDS_CLAUSE.search(line.text) and any(map(str.isalpha, line.text))

    def _kind(self, lines: Sequence[PdfLine], text: str) -> tuple[Kind, int]:
        first = lines[0]
        if level := self._bookmarks.get((first.page, _key(text))):
            return "heading", level
        short = len(text) <= LONGEST_HEADING and len(lines) <= 4
        if short and all(map(self._is_large, lines)) and not text.endswith((",", ";")):
            return "heading", min(6, self._levels.get(first.size, 1))
        if short and len(lines) <= 2 and all(map(self._is_title, lines)) and text[0].isupper() | text[0].isdigit():
            match = NUMBERED.match(text)
            return "heading", min(6, len(self._levels) + 1 + ((match[1] or "").count(".") if match else 0))
        if all(line.is_code for line in lines):
            return "code", 0
        if is_table([make_line(line.text, 0) for line in lines]):
            return "table", 0
        if BULLET.match(text) or (NUMBER.match(text) and len(text) <= 300):
            return "list_item", 1
        return "paragraph", 0


def _joined(lines: Sequence[PdfLine]) -> str:
    """Return the lines as one, without the hyphens of broken words."""
    found = lines[0].text
    for line in lines[1:]:
        if found.endswith("-") and found[-2:-1].isalpha() and line.text[:1].islower():
            found = found[:-1] + line.text
        else:
            found = f"{found} {line.text}"
    return found
