"""From a reading to labelled sections: the last step of a document's way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Protocol

import numpy as np

from sector.arrays import Floats1d
from sector.distribution import Distribution
from sector.document import Document, Section
from sector.runtime.domain import Domain
from sector.runtime.naming import ByLabels, Name, Naming, both
from sector.runtime.structured import lead, prose, spread
from sector.segmentation import Decoded, Lengths, Merged, Reading, SectionSpans, Segmentation, decode
from sector.structure import Places, places_to_cut
from sector.tasks import TaskName
from sector.text.heading_names import heading_path
from sector.text.sentences import SentenceSpans

NO_LIMITS = Lengths()
PAPER = ("newline", "max", "emd", "bemd")
"""Published for sentences, and compared as they were published."""


class Cutter(Protocol):
    """Decides where sections begin and end in place of lengths in characters, e.g. as chunks."""

    def spans(self, document: Document, read: SentenceSpans, reading: Reading, found: Decoded) -> SectionSpans:
        """Return the sections of a document, of whose sentences ``read`` were read and found to begin sections."""
        ...


@dataclass(frozen=True, slots=True)
class Labeller:
    """Makes sections and lets them be named; by default with the labels of a model's task."""

    task: TaskName
    labels: tuple[str, ...]
    model: str = ""
    naming: Naming | None = None
    domain: Domain | None = None

    def segmented(
        self, document: Document, reading: Reading, segmentation: Segmentation, lengths: Lengths | Cutter = NO_LIMITS
    ) -> Document:
        """Return the document with sections where the segmentation finds them, within the lengths."""
        found = decode(segmentation, _bound(segmentation, reading, document))
        naming = self.naming or ByLabels(self.task, self.labels)
        read = prose(document)
        if isinstance(segmentation, Merged) and not reading.probabilities.shape[1] and len(reading):
            found = _merged(document, read, reading, found, naming)
        spans = _spans(document, read.spans, reading, found, lengths)
        names = list(naming.names(read, spans, found, reading)) if len(reading) else [Name()] * len(spans)
        headings = _own_headings(document, spans)
        names = [naming.with_heading(name, own) if own else name for name, own in zip(names, headings, strict=True)]
        sections = self._sections(document.text, spans, found, names)
        labels, probabilities = naming.shown(names, reading)
        embeddings = both(reading)
        return replace(
            document,
            sections=tuple(_placed(document, self._judged(sections, read, spans, reading))),
            given_spans=document.spans,
            given_texts=document.sentence_texts if document.blocks else None,
            model=self.model,
            labels=labels,
            probabilities=spread(probabilities, document),
            embeddings=None if embeddings is None else spread(embeddings, document),
            measure=partial(_deviation, segmentation, reading, document),
        )

    def _sections(self, text: str, spans: SectionSpans, found: Decoded, names: list[Name]) -> Iterator[Section]:
        edges = zip(spans.begin.tolist(), spans.end.tolist(), _levels(spans, found), strict=True)
        for (begin, end, level), (label, confidence, ranking, vector, source) in zip(edges, names, strict=True):
            yield Section(
                begin, end, label, "", confidence, text, ranking, level=level, embedding=vector, label_source=source
            )

    def _judged(
        self, sections: Iterator[Section], read: Document, spans: SectionSpans, reading: Reading
    ) -> Iterator[Section]:
        """Add how much each section resembles the training documents, and lower the confidence of those that do not."""
        if self.domain is None or not len(reading):
            yield from sections
            return
        known: list[float] = self.domain.scores(read, spans, reading).tolist()
        for section, share in zip(sections, known, strict=True):
            ranking = section.distribution
            if ranking is not None:
                ranking = Distribution(ranking.labels, ranking.values * np.float32(share))
            confidence = section.confidence * share
            yield replace(section, confidence=confidence, distribution=ranking, in_domain=share)


def _merged(document: Document, read: Document, reading: Reading, found: Decoded, naming: Naming) -> Decoded:
    """Drop the starts of sections that are named as the one before, where names are not in the reading."""
    spans = SectionSpans.between([*read.spans.begin[found.starts].tolist(), len(document.text)], read.spans)
    labels = np.array([name.label for name in naming.names(read, spans, found, reading)])
    kept = np.concatenate([[True], labels[1:] != labels[:-1]])
    if reading.forced is not None:
        kept |= reading.forced[found.starts]
    return replace(found, starts=found.starts[kept], levels=None if found.levels is None else found.levels[kept])


def _spans(
    document: Document, read: SentenceSpans, reading: Reading, found: Decoded, lengths: Lengths | Cutter
) -> SectionSpans:
    if not isinstance(lengths, Lengths):
        return lengths.spans(document, read, reading, found)
    cuts = places_to_cut(document.blocks, document.flow) if document.blocks and lengths.max_chars else None
    rows = found.probabilities if found.probabilities.shape[1] else reading.vectors
    return lengths.spans(document.text, read, found.starts, rows, cuts, lead(document))


def _bound(segmentation: Segmentation, reading: Reading, document: Document) -> Reading:
    """Leave the paper's segmentations free where the layout says nothing but the ends of paragraphs."""
    name = getattr(segmentation, "inner", segmentation).name
    return replace(reading, candidates=None) if name in PAPER and not document.blocks else reading


def _deviation(segmentation: Segmentation, reading: Reading, document: Document) -> Floats1d:
    return np.asarray(spread(segmentation.deviation(reading), document), np.float32)


def _placed(document: Document, sections: Iterator[Section]) -> Iterator[Section]:
    """Return the sections with the author's headings and the page numbers, where the document has any."""
    if document.constraints is None:
        yield from sections
        return
    places = Places(document.blocks, document.constraints.entries)
    for section in sections:
        begin = section.begin or min(document.blocks[0].begin, section.end - 1)
        level = places.level(begin, section.level)
        yield replace(section, heading=places.heading(begin), level=level, page=places.page(begin))


def _own_headings(document: Document, spans: SectionSpans) -> list[str]:
    """Return the author's innermost heading of each section, without its number.

    It is empty where there is none, and for the later parts of what lies below one heading.
    """
    if document.constraints is None or not len(document.constraints.entries):
        return [""] * len(spans)
    places = Places(document.blocks, document.constraints.entries)
    found = [places.heading(begin) for begin in spans.begin.tolist()]
    names = [heading_path(path)[-1:] if path != before else () for before, path in pairwise(["", *found])]
    return [name[0] if name else "" for name in names]


def _levels(spans: SectionSpans, found: Decoded) -> list[int]:
    """Return each section's level: that of the last start at or before its first sentence."""
    if found.levels is None or not len(found.starts):
        return [1] * len(spans)
    levels: list[int] = found.levels[np.searchsorted(found.starts, spans.first, side="right") - 1].tolist()
    return levels
