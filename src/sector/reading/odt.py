"""OpenDocument text, ODT: headings with their levels, paragraphs, lists and tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

from sector.reading.archive import Archive, local, number_in, shallow
from sector.reading.base import Content, Extract
from sector.reading.odt_styles import monospaced_styles
from sector.reading.sniffing import zip_has
from sector.structure.blocks import Kind

TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
SKIPPED = frozenset(("annotation", "tracked-changes", "note", "sequence-decls", "ruby-text"))
BOILERPLATE = frozenset(("table-of-content", "alphabetical-index", "illustration-index", "bibliography"))
MOST_BLANKS = 1000
DEEPEST = 50


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
            with shallow("ODT"):
                _Body(extract, monospaced_styles(archive)).walk(body)
        return extract.content(_title(archive))


@dataclass(frozen=True, slots=True)
class _Body:
    """Puts what is in the document's elements into an extract."""

    extract: Extract
    monospaced: frozenset[str]
    """Styles of code."""

    def walk(self, element: ElementTree.Element, depth: int = 0, quiet: bool = False) -> None:
        """Take what is in an element; ``depth`` is how many lists are around it."""
        for child in element:
            name = local(child.tag)
            if name == "h":
                level = number_in(child.get(f"{TEXT}outline-level"), 1, DEEPEST)
                kind: Kind = "boilerplate" if quiet else "heading"
                self.extract.add(_words(child), kind, level)
            elif name == "p":
                self.extract.add(_words(child), "boilerplate" if quiet else self._kind(child, depth), depth)
            elif name == "list":
                if depth < DEEPEST:
                    self.walk(child, depth + 1, quiet)
            elif name == "table":
                self.extract.add("\n".join(_rows(child)), "table")
            elif name not in SKIPPED:
                self.walk(child, depth, quiet or name in BOILERPLATE)

    def _kind(self, element: ElementTree.Element, depth: int) -> Kind:
        if depth:
            return "list_item"
        style = element.get(f"{TEXT}style-name", "")
        is_code = style.startswith(("Preformatted", "Source")) or style in self.monospaced or self._is_typed(element)
        return "code" if is_code else "paragraph"

    def _is_typed(self, element: ElementTree.Element) -> bool:
        """Whether all of a paragraph's text is in pieces set as code."""
        pieces = [child for child in element if local(child.tag) == "span"]
        bare = (element.text or "") + "".join(child.tail or "" for child in element)
        typed = all(piece.get(f"{TEXT}style-name", "") in self.monospaced for piece in pieces if _words(piece))
        return bool(pieces) and not bare.strip() and typed


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
            yield " " * number_in(child.get(f"{TEXT}c"), 1, MOST_BLANKS)
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
