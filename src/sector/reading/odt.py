"""OpenDocument text, ODT: headings with their levels, paragraphs, lists and tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

from sector.reading.archive import Archive, local
from sector.reading.base import Content, Extract
from sector.reading.sniffing import zip_has

TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
SKIPPED = frozenset(("annotation", "tracked-changes", "note", "sequence-decls", "ruby-text"))
BOILERPLATE = frozenset(("table-of-content", "alphabetical-index", "illustration-index", "bibliography"))
MOST_BLANKS = 1000


@dataclass(frozen=True, slots=True)
class OdtFormat:
    """Text documents of LibreOffice and others."""

    name: str = "odt"
    suffixes: tuple[str, ...] = (".odt", ".ott", ".fodt")

    def recognises(self, head: bytes) -> bool:
        """Whether it is an archive that calls itself OpenDocument text."""
        return zip_has(head, b"application/vnd.oasis.opendocument.text")

    def read(self, content: bytes, encoding: str | None = None) -> Content:
        """Return text and blocks."""
        archive = Archive(content, "ODT")
        extract = Extract()
        body = next((e for e in archive.xml("content.xml").iter() if local(e.tag) == "body"), None)
        if body is not None:
            _walk(body, extract, 0, False)
        return extract.content(_title(archive))


def _walk(element: ElementTree.Element, extract: Extract, depth: int, quiet: bool) -> None:
    """Put what is in an element into the extract; ``depth`` is how many lists are around it."""
    for child in element:
        name = local(child.tag)
        if name == "h":
            level = child.get(f"{TEXT}outline-level", "1")
            extract.add(_words(child), "boilerplate" if quiet else "heading", int(level) if level.isdigit() else 1)
        elif name == "p":
            style = child.get(f"{TEXT}style-name", "")
            kind = "code" if style.startswith(("Preformatted", "Source")) else "paragraph"
            extract.add(_words(child), "boilerplate" if quiet else "list_item" if depth else kind, depth)  # type: ignore[arg-type]
        elif name == "list":
            if depth < 50:
                _walk(child, extract, depth + 1, quiet)
        elif name == "table":
            extract.add("\n".join(_rows(child)), "table")
        elif name not in SKIPPED:
            _walk(child, extract, depth, quiet or name in BOILERPLATE)


def _rows(table: ElementTree.Element) -> Iterator[str]:
    for row in table.iter():
        if local(row.tag) == "table-row":
            cells = (cell for cell in row if local(cell.tag) == "table-cell")
            yield "\t".join(" ".join(_words(cell).split()) for cell in cells).rstrip()


def _words(element: ElementTree.Element) -> str:
    return "".join(_pieces(element)).strip()


def _pieces(element: ElementTree.Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        name = local(child.tag)
        if name == "s":
            count = child.get(f"{TEXT}c", "1")
            yield " " * (min(int(count), MOST_BLANKS) if count.isdigit() else 1)
        elif name in ("tab", "line-break"):
            yield "\t" if name == "tab" else "\n"
        elif name not in SKIPPED:
            yield from _pieces(child)
            yield "\n" if name == "p" else ""
        yield child.tail or ""


def _title(archive: Archive) -> str:
    if "meta.xml" not in archive.names:
        return ""
    return next((e.text or "" for e in archive.xml("meta.xml").iter() if local(e.tag) == "title"), "")
