"""The styles of an OpenDocument text: which of them set code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from sector.reading.archive import Archive, local

STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
FORMAT = "{urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0}"
MONOSPACED = re.compile(r"mono|courier|consol|typewriter|menlo|\bcode\b", re.IGNORECASE)
DEEPEST = 20


def monospaced_styles(archive: Archive) -> frozenset[str]:
    """Return the names of the styles whose font is one of a typewriter, or which are based on such a style."""
    fonts: dict[str, str] = {}
    above: dict[str, str] = {}
    for part in ("styles.xml", "content.xml"):
        for style in _styles(archive, part):
            name = style.get(f"{STYLE}name", "")
            above[name] = style.get(f"{STYLE}parent-style-name", "")
            fonts[name] = _font(style)
    return frozenset(name for name in fonts if MONOSPACED.search(_inherited(name, fonts, above)))


def _styles(archive: Archive, part: str) -> Iterator[ElementTree.Element]:
    if part in archive.names:
        yield from (element for element in archive.xml(part).iter() if local(element.tag) == "style")


def _font(style: ElementTree.Element) -> str:
    """Return the font that a style names; empty where it has that of the style above it."""
    given = (element for element in style if local(element.tag) == "text-properties")
    return next((e.get(f"{STYLE}font-name") or e.get(f"{FORMAT}font-family") or "" for e in given), "")


def _inherited(name: str, fonts: dict[str, str], above: dict[str, str]) -> str:
    for _ in range(DEEPEST):
        if found := fonts.get(name, ""):
            return found
        name = above.get(name, "")
    return ""
