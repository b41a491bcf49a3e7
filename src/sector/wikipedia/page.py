"""One page of a dump: cut from the stream as bytes, read as XML by itself, so that a broken one harms no other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

from sector.wikipedia.site import Site

PAGE, PAGE_END = b"<page>", b"</page>"
_NAMESPACE = re.compile(rb"<ns>(-?\d+)</ns>")
_TITLE = re.compile(rb"<title>([^<]*)</title>")


@dataclass(frozen=True, slots=True)
class Page:
    """An article as it lies in the dump, in its newest revision."""

    title: str
    number: int
    revision: str
    timestamp: str
    is_redirect: bool
    source: str
    """The wikitext."""


class BrokenPageError(ValueError):
    """A page that is no XML or lacks what every page has."""


def cut_pages(piece: bytes) -> Iterator[bytes]:
    """Return the pages of a piece of a dump; ``<`` is escaped in their text, so the marks are never part of it."""
    begin = piece.find(PAGE)
    while begin >= 0:
        end = piece.find(PAGE_END, begin)
        if end < 0:
            return
        end += len(PAGE_END)
        # A page inside a page means that the end of the first is lost.
        yield piece[piece.rfind(PAGE, begin, end) : end]
        begin = piece.find(PAGE, end)


def is_article(page: bytes, site: Site) -> bool:
    """Whether a page is in the main namespace; told without reading all of it."""
    found = _NAMESPACE.search(page)
    if found is not None:
        return int(found[1]) == 0
    title = _TITLE.search(page)
    return title is None or site.namespace_of(title[1].decode("utf-8", "replace")) == 0


def read_page(page: bytes) -> Page:
    """Read a page; raises `BrokenPageError`."""
    try:
        element = ElementTree.fromstring(page)
    except (ElementTree.ParseError, ValueError) as error:
        raise BrokenPageError(str(error)) from error
    title, number = element.findtext("title"), element.findtext("id") or ""
    revisions = element.findall("revision")
    if not title or not revisions or not number.isdecimal():
        raise BrokenPageError("it has no title, no id or no revision")
    revision = revisions[-1]
    return Page(
        title=title,
        number=int(number),
        revision=revision.findtext("id") or "",
        timestamp=revision.findtext("timestamp") or "",
        is_redirect=element.find("redirect") is not None,
        source=revision.findtext("text") or "",
    )
