"""The gold standard of a document: its sections in a data set, or the author's headings."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from sector.document import Document, Section


def gold_sections(document: Document) -> tuple[Section, ...]:
    """Return the sections that a data set or the author's headings gave a document; none if it has neither."""
    if document.sections:
        return document.sections
    found = replace(document, headings="use").constraints if document.blocks else None
    if found is None or not found.entries:
        return ()
    headed = [(document.blocks[entry.block].begin, entry.path) for entry in found.entries]
    edges = [*headed, (len(document.text), "")]
    return tuple(
        Section(begin, end, heading=path, source=document.text)
        for (begin, path), (end, _) in pairwise(edges)
        if begin < end
    )
