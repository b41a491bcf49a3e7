"""PDF, by PDFium: its pages, with their text and their bookmarks, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import Any

from sector.errors import DataError, MissingExtraError
from sector.reading.base import Content, Extract
from sector.reading.pdf_layout import PdfLayout, key
from sector.reading.pdf_lines import PdfLine, page_lines

HEAD = 1024
MOST_PAGES = 20_000
SCANNED = 20
"""Characters per page below which a document of several pages was scanned."""
LOCK = Lock()
"""PDFium is not made for threads."""


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
        lines += page_lines(page, number + 1)
        page.close()
    found = sum(len(line.text) for line in lines)
    if not found or (count > 1 and found < SCANNED * count):
        raise DataError(
            f"This PDF has no text on its {count:,} {'page' if count == 1 else 'pages'}: it was scanned, or its "
            "letters are drawn. Recognise the text first, e.g. with ocrmypdf."
        )
    extract = Extract()
    PdfLayout(lines, _bookmarks(document)).fill(extract)
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
            found[page + 1, key(entry.get_title() or "")] = entry.level + 1
    return found
