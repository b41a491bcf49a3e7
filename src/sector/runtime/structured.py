"""Readings of documents with blocks: the model sees the prose alone, every other unit goes with its neighbours."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Bools1d
from sector.document import Document
from sector.segmentation import Reading
from sector.text.sentences import SentenceSpans

NEVER = -30.0
"""The log-odds of a boundary where there is none."""


def prose(document: Document) -> Document:
    """Return the sentences that a model reads as a document of their own."""
    read = document.constraints.read if document.constraints is not None else None
    if read is None or read.all():
        return document
    spans = document.spans
    kept = SentenceSpans(spans.begin[read], spans.end[read], spans.paragraph_end[read])
    texts = [text for text, is_read in zip(document.sentence_texts, read.tolist(), strict=True) if is_read]
    return Document(document.text, language=document.language, given_spans=kept, given_texts=texts)


def spread(reading: Reading, document: Document) -> Reading:
    """Return a reading of the prose as one of all sentences and units of the document."""
    constraints = document.constraints
    if constraints is None or len(reading) == len(document):
        return reading
    rows = _rows(constraints.read)
    if not len(reading):
        return _nothing(reading, len(document))
    return replace(
        reading,
        probabilities=reading.probabilities[rows],
        forward=_taken(reading.forward, rows),
        backward=_taken(reading.backward, rows),
        boundary=_boundaries(reading, document, rows),
    )


def _rows(read: Bools1d) -> NDArray[np.int64]:
    """Return for each unit the row of the sentence before it, or of the first; headings take that of the next."""
    return np.asarray(np.maximum(np.cumsum(read) - 1, 0), np.int64)


def _taken(rows: NDArray[Any] | None, numbers: NDArray[np.int64]) -> NDArray[Any] | None:
    return None if rows is None else rows[numbers]


def _boundaries(reading: Reading, document: Document, rows: NDArray[np.int64]) -> NDArray[Any] | None:
    """Return the boundaries; a heading that is not read begins where the sentence below it would."""
    constraints = document.constraints
    if reading.boundary is None or constraints is None:
        return None
    found: NDArray[Any] = reading.boundary[rows].copy()
    found[~constraints.read] = NEVER
    owners = document.flow.blocks.tolist()
    for unit in np.flatnonzero(~constraints.read).tolist():
        if document.blocks[owners[unit]].kind == "heading" and unit + 1 < len(found):
            found[[unit, unit + 1]] = found[[unit + 1, unit]]
    return found


def _nothing(reading: Reading, count: int) -> Reading:
    labels = reading.probabilities.shape[1]
    even = np.full((count, labels), 1 / max(1, labels), reading.probabilities.dtype)

    def zeros(rows: NDArray[Any] | None) -> NDArray[Any] | None:
        return None if rows is None else np.zeros((count, rows.shape[1]), rows.dtype)

    return replace(
        reading,
        probabilities=even,
        forward=zeros(reading.forward),
        backward=zeros(reading.backward),
        boundary=None if reading.boundary is None else np.full((count, 2), NEVER, np.float32),
    )
