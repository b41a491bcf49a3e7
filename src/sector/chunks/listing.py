"""From a document whose sections are chunks to the chunks: ids, tokens, headings, neighbours."""

from __future__ import annotations

from sector.chunks.chunk import Chunk, chunk_id
from sector.chunks.packer import Packer, with_overlap
from sector.document import Document, Section
from sector.structure import Places
from sector.text.headings import PATH


def chunks_of(document: Document, packer: Packer) -> list[Chunk]:
    """Return the chunks of a document that was segmented with a packer; pieces of white space alone are none."""
    sections = [section for section in document.sections if section.text.strip()]
    begins = with_overlap(document, [s.begin for s in sections], [s.end for s in sections], packer)
    texts = [document.text[begin : section.end] for begin, section in zip(begins, sections, strict=True)]
    ids = [chunk_id(document.id, text, begin) for text, begin in zip(texts, begins, strict=True)]
    around = [None, *ids, None]
    headings = _Headings(document)
    rows = zip(sections, begins, texts, packer.count(texts), ids, around, around[2:], strict=False)
    return [
        Chunk(
            id=own,
            begin=begin,
            end=section.end,
            text=text,
            tokens=tokens,
            label=section.label,
            confidence=section.confidence,
            heading=headings.common(section),
            page=headings.page(begin, section),
            previous_id=previous,
            next_id=following,
            document_id=document.id,
            title=document.title,
            embedding=section.embedding,
        )
        for section, begin, text, tokens, own, previous, following in rows
    ]


class _Headings:
    """The author's headings that chunks lie below."""

    def __init__(self, document: Document) -> None:
        self._blocks = document.blocks
        entries = document.constraints.entries if document.constraints else ()
        self._paths = [(document.blocks[entry.block].begin, entry.path) for entry in entries]
        self._places = Places(document.blocks, entries) if document.blocks else None

    def common(self, section: Section) -> str:
        """Return the path that all of a section lies below; the one at its begin if there is none."""
        inside = [path for begin, path in self._paths if section.begin < begin < section.end]
        parts = [section.heading.split(PATH), *(path.split(PATH) for path in inside)]
        shared = []
        for level in zip(*parts, strict=False):
            if len(set(level)) > 1:
                break
            shared.append(level[0])
        return PATH.join(shared) or section.heading

    def page(self, begin: int, section: Section) -> int | None:
        """Return the page that a chunk begins on."""
        return section.page if self._places is None else self._places.page(begin)
