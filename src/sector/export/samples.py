"""Sections as a model finds them, with what its domain is learned from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from zlib import crc32

import numpy as np

from sector.arrays import Doubles1d, Floats2d, Ints1d
from sector.document import Document
from sector.runtime.domain import Measures, embeddings
from sector.runtime.model import Model
from sector.runtime.structured import prose
from sector.segmentation import Reading, SectionSpans

BATCH = 16
"""Documents that are read at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """The sections of a document that have sentences."""

    read: Document
    spans: SectionSpans
    rows: Floats2d
    """float32 [sections, 2·dim]: their mean embeddings"""


def drawn(documents: Iterable[Document], count: int) -> list[Document]:
    """Return so many of the documents, the same ones in whatever order they come."""
    return nsmallest(count, documents, key=lambda document: crc32(document.text.encode("utf-8", "surrogatepass")))


def samples(model: Model, documents: Iterable[Document]) -> Iterator[Sample]:
    """Yield the sections of each document, found by the model's default segmentation; gold ones are not looked at."""
    plain = [Document(document.text, language=model.config.language) for document in documents]
    for first in range(0, len(plain), BATCH):
        batch = plain[first : first + BATCH]
        for document, reading in zip(batch, model.read(batch), strict=True):
            if len(reading):
                yield _sample(model.decode(document, reading), document, reading)


def _sample(found: Document, document: Document, reading: Reading) -> Sample:
    read = prose(document)
    spans = SectionSpans.between([*(section.begin for section in found.sections), len(document.text)], read.spans)
    kept = spans.last > spans.first
    spans = SectionSpans(spans.begin[kept], spans.end[kept], spans.first[kept], spans.last[kept])
    rows = embeddings(spans, reading)
    assert rows is not None  # a network gives both
    return Sample(read, spans, rows)


def rows_of(found: Sequence[Sample]) -> Floats2d:
    """Return the embeddings of all sections, float32 [sections, 2·dim]."""
    return np.concatenate([sample.rows for sample in found])


def texts_of(found: Sequence[Sample]) -> list[str]:
    """Return the sentences of all sections."""
    return [text for sample in found for text in sample.read.sentence_texts]


def measured(measures: Measures, found: Sequence[Sample]) -> tuple[Doubles1d, Doubles1d, Ints1d]:
    """Return for all sections what their letters and their embeddings say, and how long they are."""
    pairs = [measures.familiar(sample.read, sample.spans) for sample in found]
    familiar, lengths = (np.concatenate(column) for column in zip(*pairs, strict=True))
    return familiar, measures.regions.scores(rows_of(found)), lengths
