"""From a reading to labelled sections: the last step of a document's way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

import numpy as np

from sector.arrays import Bools1d, Floats1d, Floats2d, Ints1d
from sector.distribution import Distribution
from sector.document import Document, Section
from sector.runtime.structured import lead, prose, spread
from sector.segmentation import Decoded, Lengths, Reading, SectionSpans, Segmentation, decode
from sector.structure import Places, places_to_cut
from sector.tasks import TaskName
from sector.text.sentences import SentenceSpans

NO_LIMITS = Lengths()
BLOCK = 256
"""Sections whose label distributions are computed at once: bounds memory for long documents."""
SUMMED = 64
"""Sentences of a section that float32 may add up; more are added in float64."""
PAPER = ("newline", "max", "emd", "bemd")
"""Published for sentences, and compared as they were published."""


class Cutter(Protocol):
    """Decides where sections begin and end in place of lengths in characters, e.g. as chunks."""

    def spans(self, document: Document, read: SentenceSpans, reading: Reading, found: Decoded) -> SectionSpans:
        """Return the sections of a document, of whose sentences ``read`` were read and found to begin sections."""
        ...


@dataclass(frozen=True, slots=True)
class Labeller:
    """Names the sections of a model's task with its labels."""

    task: TaskName
    labels: tuple[str, ...]
    model: str = ""

    def segmented(
        self, document: Document, reading: Reading, segmentation: Segmentation, lengths: Lengths | Cutter = NO_LIMITS
    ) -> Document:
        """Return the document with sections where the segmentation finds them, within the lengths."""
        found = decode(segmentation, _bound(segmentation, reading, document))
        spans = _spans(document, reading, found, lengths)
        embeddings = _both(reading)
        return replace(
            document,
            sections=tuple(_placed(document, self._sections(document.text, spans, found, embeddings))),
            given_spans=document.spans,
            given_texts=document.sentence_texts if document.blocks else None,
            model=self.model,
            labels=self.labels,
            probabilities=spread(reading.probabilities, document),
            embeddings=None if embeddings is None else spread(embeddings, document),
            measure=partial(_deviation, segmentation, reading, document),
        )

    def _sections(
        self, text: str, spans: SectionSpans, found: Decoded, embeddings: Floats2d | None
    ) -> Iterator[Section]:
        if not len(found.probabilities):  # white space alone says nothing
            pairs = zip(spans.begin.tolist(), spans.end.tolist(), strict=True)
            yield from (Section(begin, end, confidence=0.0, source=text) for begin, end in pairs)
            return
        for block in _blocks(spans):
            means = found.means(partial(_means, block)).astype(found.probabilities.dtype, copy=False)
            names, scores = self._names(means.astype(np.float32, copy=False))
            vectors = [None] * len(block) if embeddings is None else _normalized(_means(block, embeddings))
            edges = zip(block.begin.tolist(), block.end.tolist(), _levels(block, found), strict=True)
            for (begin, end, level), name, score, row, vector in zip(edges, names, scores, means, vectors, strict=True):
                ranking = Distribution(self.labels, row)
                yield Section(begin, end, name, "", score, text, ranking, level=level, embedding=vector)

    def _names(self, means: Floats2d) -> tuple[list[str], list[float]]:
        """Return the label of each row, in a model of headings one or two words, and its confidence."""
        first, second, confidence = _best_two(means)
        names = [self.labels[i] for i in first]
        if self.task != "topics" and len(self.labels) > 1:
            for row in np.flatnonzero(_strong(means, second, confidence)):
                names[row] += f"/{self.labels[second[row]]}"
        return names, confidence.tolist()


def _spans(document: Document, reading: Reading, found: Decoded, lengths: Lengths | Cutter) -> SectionSpans:
    read = prose(document).spans
    if not isinstance(lengths, Lengths):
        return lengths.spans(document, read, reading, found)
    cuts = places_to_cut(document.blocks, document.flow) if document.blocks and lengths.max_chars else None
    return lengths.spans(document.text, read, found.starts, found.probabilities, cuts, lead(document))


def _bound(segmentation: Segmentation, reading: Reading, document: Document) -> Reading:
    """Leave the paper's segmentations free where the layout says nothing but the ends of paragraphs."""
    name = getattr(segmentation, "inner", segmentation).name
    return replace(reading, candidates=None) if name in PAPER and not document.blocks else reading


def _blocks(spans: SectionSpans) -> Iterator[SectionSpans]:
    for i in range(0, len(spans), BLOCK):
        parts = (edge[i : i + BLOCK] for edge in (spans.begin, spans.end, spans.first, spans.last))
        yield SectionSpans(*parts)


def _means(spans: SectionSpans, probabilities: Floats2d) -> Floats2d:
    """Return the mean distribution of each section; all at once where they follow one another and are not long."""
    first, last = spans.first, spans.last
    sizes = last - first
    if sizes.min() < 1 or sizes.max() > SUMMED or (first[1:] != last[:-1]).any():
        return spans.means(probabilities)
    rows = probabilities[first[0] : last[-1]].astype(np.float32, copy=False)
    totals = np.add.reduceat(rows, first - first[0], axis=0)
    means: Floats2d = np.divide(totals, sizes[:, None], dtype=np.float32)
    return means


def _best_two(rows: Floats2d) -> tuple[Ints1d, Ints1d, Floats1d]:
    """Return the best and the second best column of each row, the first one of equals, and the best value."""
    numbers = np.arange(len(rows))
    first = rows.argmax(axis=1)
    values = rows[numbers, first]
    rows[numbers, first] = -np.inf
    second = rows.argmax(axis=1)
    rows[numbers, first] = values
    return first, second, values


def _strong(rows: Floats2d, second: Ints1d, best: Floats1d) -> Bools1d:
    """Say where the second word reaches the middle between the best and the median score: it is in the heading."""
    values = rows[np.arange(len(rows)), second]
    strong = values >= best / 2  # no median is below 0
    enough = (best[strong] + np.median(rows[strong], axis=1)) / 2
    strong[strong] = values[strong] >= enough
    return strong


def _deviation(segmentation: Segmentation, reading: Reading, document: Document) -> Floats1d:
    return np.asarray(spread(segmentation.deviation(reading), document), np.float32)


def _placed(document: Document, sections: Iterator[Section]) -> Iterator[Section]:
    """Give sections the author's headings and the pages, where the document has any."""
    if document.constraints is None:
        yield from sections
        return
    places = Places(document.blocks, document.constraints.entries)
    for section in sections:
        begin = section.begin or document.blocks[0].begin
        level = places.level(begin, section.level)
        yield replace(section, heading=places.heading(begin), level=level, page=places.page(begin))


def _levels(spans: SectionSpans, found: Decoded) -> list[int]:
    """Return each section's level: that of the last start at or before its first sentence."""
    if found.levels is None or not len(found.starts):
        return [1] * len(spans)
    levels: list[int] = found.levels[np.searchsorted(found.starts, spans.first, side="right") - 1].tolist()
    return levels


def _normalized(rows: Floats2d) -> Floats2d:
    """Scale each row to length 1; zeros stay zeros."""
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    return np.asarray(rows / np.maximum(lengths, np.float32(1e-9)), np.float32)


def _both(reading: Reading) -> Floats2d | None:
    if reading.forward is None or reading.backward is None:
        return None
    return np.concatenate([reading.forward, reading.backward], axis=1)
