"""EPUB: the pages of a book in the order in which they are read."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote
from xml.etree import ElementTree

from sector.errors import DataError
from sector.reading import html
from sector.reading.archive import Archive, local
from sector.reading.base import Content, Extract
from sector.reading.decoding import decode_html
from sector.reading.sniffing import zip_has

CONTAINER = "META-INF/container.xml"


@dataclass(frozen=True, slots=True)
class EpubFormat:
    """Electronic books."""

    name: str = "epub"
    suffixes: tuple[str, ...] = (".epub",)

    def recognises(self, head: bytes) -> bool:
        """Whether it is an archive that calls itself an EPUB."""
        return zip_has(head, b"application/epub+zip")

    def read(self, content: bytes, encoding: str | None = None) -> Content:
        """Return text and blocks."""
        archive = Archive(content, "EPUB")
        top = _top(archive)
        package_name = top + _package(archive, top)
        package = archive.xml(package_name)
        extract = Extract()
        for name in dict.fromkeys(_pages(package, posixpath.dirname(package_name))):
            if name in archive.names:
                _add(extract, decode_html(archive.part(name)))
        facts = {local(e.tag): e.text or "" for e in package.iter() if local(e.tag) in ("title", "language")}
        return extract.content(facts.get("title", ""), facts.get("language", "")[:2].lower())


def _top(archive: Archive) -> str:
    """Return the folder that all parts lie in, where somebody packed it with them."""
    found = min((name for name in archive.names if name.endswith(f"/{CONTAINER}")), key=len, default=CONTAINER)
    return "" if CONTAINER in archive.names else found.removesuffix(CONTAINER)


def _package(archive: Archive, top: str) -> str:
    for element in archive.xml(top + CONTAINER).iter():
        if local(element.tag) == "rootfile" and element.get("full-path"):
            return element.get("full-path", "")
    raise DataError("This EPUB file is broken: its container names no package; save it anew.")


def _pages(package: ElementTree.Element, folder: str) -> Iterator[str]:
    """Return the names of the pages in reading order, without the table of contents."""
    items = {e.get("id", ""): e for e in package.iter() if local(e.tag) == "item"}
    for element in package.iter():
        item = items.get(element.get("idref", "")) if local(element.tag) == "itemref" else None
        if item is not None and "nav" not in item.get("properties", "").split():
            yield posixpath.normpath(posixpath.join(folder, unquote(item.get("href", ""))))


def _add(extract: Extract, source: str) -> None:
    for block in html.blocks(source, is_whole=False):
        if block.is_prose:
            extract.add(" ".join(block.content.split(" ")), block.kind, block.level)
        elif block.kind != "boilerplate":
            extract.add(html.shown(block.text), block.kind)
