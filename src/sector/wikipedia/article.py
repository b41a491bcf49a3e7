"""From a page to a document: abstract split off, headings unfolded, sections side by side without a gap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from sector.document import Document, Section
from sector.wikipedia.classes import TextRules
from sector.wikipedia.conventions import closing_headings, is_disambiguation, is_redirect, is_stub
from sector.wikipedia.links import Namespaces
from sector.wikipedia.page import Page
from sector.wikipedia.wikitext import WikiSection, Wikitext, parse

SEPARATOR = " | "
"""Stands between the parts of a heading's path."""


class Fate(StrEnum):
    """What became of a page."""

    KEPT = "kept"
    OTHER_NAMESPACE = "other namespaces"
    REDIRECT = "redirects"
    NOT_SELECTED = "not selected"
    DISAMBIGUATION = "disambiguations"
    STUB = "stubs"
    SHORT = "too short or too few sections"
    BROKEN = "broken"


@dataclass(frozen=True)
class ArticleMaker:
    """Makes documents of one set."""

    kind: str
    """The type of the documents, e.g. ``disease``."""
    language: str
    rules: TextRules
    namespaces: Namespaces = field(default_factory=Namespaces)

    def parse(self, page: Page) -> Wikitext:
        """Read a page's wikitext."""
        return parse(page.source, self.namespaces, self.rules.list_marker)

    def early_fate(self, page: Page) -> Fate:
        """Return what is known without parsing the text: a redirect."""
        return Fate.REDIRECT if page.is_redirect or is_redirect(page.source) else Fate.KEPT

    def make(self, page: Page, wikitext: Wikitext, id: str) -> tuple[Fate, Document | None]:
        """Return the document, or the reason why there is none."""
        if is_disambiguation(page.title, wikitext.templates):
            return Fate.DISAMBIGUATION, None
        if is_stub(wikitext.templates) and not self.rules.stubs:
            return Fate.STUB, None
        document = self._document(page, wikitext, id)
        rules = self.rules
        if len(document.sections) < rules.min_sections or len(document.text) < max(1, rules.min_characters):
            return Fate.SHORT, None
        return Fate.KEPT, document

    def _document(self, page: Page, wikitext: Wikitext, id: str) -> Document:
        dropped = closing_headings(self.language) | self.rules.dropped
        sections = list(unfold(wikitext.sections, dropped))
        text = "".join(f"{body}\n" for _, body in sections)
        provenance = {"page": f"{page.number}", "revision": page.revision, "timestamp": page.timestamp}
        abstract = wikitext.sections[0].text
        return Document(
            text=text,
            id=id,
            title=page.title,
            language=self.language,
            sections=tuple(_spans(sections, text)),
            metadata={"type": self.kind, "abstract": abstract}
            | {key: value for key, value in provenance.items() if value},
        )


def unfold(sections: Iterable[WikiSection], dropped: frozenset[str] = frozenset()) -> Iterator[tuple[str, str]]:
    """Return the path of headings and the text of each section that has text.

    What stands before the first heading is left out, and so is a dropped heading with all that is below it.
    """
    path: list[tuple[int, str]] = []
    for section in sections:
        if not section.level:
            continue
        while path and path[-1][0] >= section.level:
            path.pop()
        path.append((section.level, section.heading))
        if section.text and not any(heading.casefold() in dropped for _, heading in path):
            yield SEPARATOR.join(heading for _, heading in path if heading), section.text


def _spans(sections: Iterable[tuple[str, str]], text: str) -> Iterator[Section]:
    begin = 0
    for heading, body in sections:
        end = begin + len(body) + 1
        yield Section(begin, end, heading=heading, source=text)
        begin = end
