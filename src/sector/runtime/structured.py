"""Documents with blocks: models see the prose alone, every other unit goes with its neighbours."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Bools1d, Ints1d
from sector.document import Document
from sector.segmentation import Reading
from sector.structure import paragraph_candidates
from sector.text.sentences import SentenceSpans


def prose(document: Document) -> Document:
    """Return the sentences that a model reads as a document of their own, in the same text.

    A sentence below a heading that is not read begins where the heading does: a cut between them is none.
    """
    read = _read(document)
    if read is None:
        return document
    spans = document.spans
    begin = spans.begin.copy()
    for unit, sentence in _attached(document, read):
        begin[sentence] = spans.begin[unit]
    kept = SentenceSpans(begin[read], spans.end[read], spans.paragraph_end[read])
    texts = [text for text, is_read in zip(document.sentence_texts, read.tolist(), strict=True) if is_read]
    return Document(document.text, language=document.language, given_spans=kept, given_texts=texts)


def lead(document: Document) -> int:
    """Return where the first heading begins if only what is not read stands before it, e.g. navigation; else 0."""
    if document.constraints is None or not document.constraints.entries:
        return 0
    begin = document.blocks[document.constraints.entries[0].block].begin
    read = document.constraints.read
    is_first = bool(read.any()) and int(document.spans.begin[read][0]) >= begin
    return begin if is_first and document.text[:begin].strip() else 0


def constrained(document: Document, reading: Reading) -> Reading:
    """Add to a reading of the prose what the document's layout says: ends of paragraphs, where sections may begin."""
    found = document.constraints
    if found is None:
        return replace(
            reading,
            paragraph_end=document.spans.paragraph_end,
            candidates=paragraph_candidates(document.spans),
        )
    candidates, forced = found.candidates.copy(), found.forced.copy()
    for unit, sentence in _attached(document, found.read):
        candidates[sentence] |= candidates[unit]
        forced[sentence] |= forced[unit]
    return replace(
        reading,
        paragraph_end=document.spans.paragraph_end[found.read],
        candidates=candidates[found.read],
        forced=forced[found.read],
    )


def spread(rows: NDArray[Any], document: Document) -> NDArray[Any]:
    """Return rows of the prose as rows of all sentences and units.

    A heading has those of the sentence after it, as it begins that sentence's section; any other unit has those of the
    sentence before it.
    """
    read = _read(document)
    if read is None:
        return rows
    if not len(rows):
        even = 1 / max(1, rows.shape[1]) if rows.ndim > 1 else 0
        return np.full((len(document), *rows.shape[1:]), even, rows.dtype)
    places = np.cumsum(read) - 1
    places[_headings(document, read)] += 1
    return np.asarray(rows[np.clip(places, 0, len(rows) - 1)])


def _read(document: Document) -> Bools1d | None:
    """Return which sentences are read; None if all are."""
    if document.constraints is None or document.constraints.read.all():
        return None
    return document.constraints.read


def _attached(document: Document, read: Bools1d) -> list[tuple[int, int]]:
    """Return the headings that are not read, each with the sentence that is read next; of several the first."""
    following = np.flatnonzero(read)
    found: dict[int, int] = {}
    for unit in _headings(document, read):
        place = int(np.searchsorted(following, unit))
        if place < len(following):
            found.setdefault(int(following[place]), unit)
    return [(unit, sentence) for sentence, unit in found.items()]


def _headings(document: Document, read: Bools1d) -> list[int]:
    """Return the headings that are not read."""
    owners: Ints1d = document.flow.blocks
    return [unit for unit in np.flatnonzero(~read).tolist() if document.blocks[owners[unit]].kind == "heading"]
