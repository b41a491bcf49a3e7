"""A piece of a dump to records of documents: what runs in each worker process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from sector.datasets.json_writers import dumps, wikisection_record
from sector.document import Document
from sector.wikipedia.article import ArticleMaker, Fate
from sector.wikipedia.dump import Piece
from sector.wikipedia.page import BrokenPageError, Page, cut_pages, is_article, read_page
from sector.wikipedia.selection import Selector
from sector.wikipedia.site import Site
from sector.wikipedia.unpacking import unpack_streams
from sector.wikipedia.work import Summary, WorkFolder

_NAMED = 5
"""So many broken pages of a piece are described."""


@dataclass(frozen=True)
class Converter:
    """All that a worker needs to know."""

    work: Path
    dumps: tuple[str, ...]
    """The names of the dump's files."""
    site: Site
    selector: Selector
    maker: ArticleMaker

    def convert(self, piece: Piece) -> None:
        """Convert a piece and keep the result in the work folder."""
        summary = Summary(piece.begin, piece.end)
        data = piece.data
        if piece.is_packed:
            data, failures = unpack_streams(data)
            summary.warnings += [self._damage(piece, failure) for failure in failures]
        lines = [line for page in cut_pages(data) for line in self._lines(page, piece, summary)]
        WorkFolder(self.work).finish(piece, summary, lines)

    def _damage(self, piece: Piece, failure: str) -> str:
        where = f"{self.dumps[piece.file]}, near byte {piece.begin:,}"
        return f"{where}: a stream is damaged and left out ({failure})."

    def _lines(self, raw: bytes, piece: Piece, summary: Summary) -> Iterator[str]:
        """Return the line of a page that becomes a document."""
        if not is_article(raw, self.site):
            summary.fates[Fate.OTHER_NAMESPACE] += 1
            return
        try:
            page = read_page(raw)
        except BrokenPageError as error:
            summary.fates[Fate.BROKEN] += 1
            if summary.fates[Fate.BROKEN] <= _NAMED:
                summary.warnings.append(f"{self.dumps[piece.file]}: a page is broken and left out ({error}).")
            return
        summary.asked += self.selector.is_asked_for(page.title)
        fate, document = self._judge(page)
        summary.fates[fate] += 1
        if document is not None:
            yield f"{page.number}\t{dumps(wikisection_record(self._sourced(document, piece)))}"

    def _judge(self, page: Page) -> tuple[Fate, Document | None]:
        fate = self.maker.early_fate(page)
        if fate is not Fate.KEPT:
            return fate, None
        if not self.selector.takes(page.title, page.source):
            return Fate.NOT_SELECTED, None
        return self.maker.make(page, self.maker.parse(page), self.site.id_of(page.title, self.maker.language))

    def _sourced(self, document: Document, piece: Piece) -> Document:
        source = {"dump": self.dumps[piece.file], "wikidata": self.selector.titles.get(document.title, "")}
        return replace(document, metadata=dict(document.metadata) | source)
