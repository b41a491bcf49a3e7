"""Segments as numbers: from section ids, or a document's sections, to one run number per sentence."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Ints1d
from sector.document import Document, Section
from sector.errors import SectorError
from sector.text.sentences import SentenceSpans
from sector.values import length_of

SegmentIds: TypeAlias = Sequence[Hashable] | NDArray[Any]
"""One section id per sentence, of any kind; only where it changes matters."""
WORD = re.compile(r"\S+")


def run_numbers(ids: SegmentIds) -> Ints1d:
    """Number the runs of equal ids 0, 1, 2 …, so that an id that comes back later is another segment."""
    length = length_of(ids)
    if isinstance(ids, np.ndarray):
        changes = ids[1:] != ids[:-1]
    else:
        changes = np.fromiter((left != right for left, right in pairwise(ids)), bool, max(length - 1, 0))
    return np.concatenate([[0], np.cumsum(changes)]).astype(np.int64)[:length]


def aligned_runs(reference: SegmentIds, hypothesis: SegmentIds) -> tuple[Ints1d, Ints1d]:
    """Return the run numbers of two segmentations of the same sentences, or say why they cannot be compared."""
    if length_of(reference) != length_of(hypothesis):
        raise SectorError(
            f"The reference has {len(reference)} sentences and the hypothesis has {len(hypothesis)}; "
            "give one section id per sentence, for the same sentences."
        )
    if len(reference) == 0:
        raise SectorError("There is nothing to compare in zero sentences; leave empty documents out.")
    return run_numbers(reference), run_numbers(hypothesis)


def in_order(sections: Sequence[Section]) -> list[Section]:
    """Sort sections by where they begin."""
    return sorted(sections, key=lambda section: section.begin)


def unit_begins(spans: SentenceSpans, candidates: str, text: str = "") -> Ints1d:
    """Return the begin of each unit between which a boundary may lie: ``sentences``, ``paragraphs`` or ``words``.

    A word is what lies between white space in ``text``, which is not looked at for other units.
    """
    if candidates == "sentences":
        return spans.begin
    if candidates == "words":
        return np.fromiter((match.start() for match in WORD.finditer(text)), np.int64)
    first = np.concatenate([[True], spans.paragraph_end[:-1]])[: len(spans)]
    begins: Ints1d = spans.begin[first]
    return begins


def start_units(sections: Sequence[Section], begins: Ints1d) -> Ints1d:
    """Return for each section the last unit that begins at or before it; the first unit if none does."""
    positions = np.fromiter((section.begin for section in sections), np.int64, len(sections))
    return np.asarray(np.maximum(np.searchsorted(begins, positions, side="right") - 1, 0))


def segment_runs(sections: Sequence[Section], begins: Ints1d, *, merge: bool) -> Ints1d:
    """Return a run number per unit; with ``merge`` neighbours of one (non-empty) name are one segment."""
    marks = np.zeros(len(begins), dtype=bool)
    opens = [not merge or not right.name or left.name != right.name for left, right in pairwise(sections)]
    marks[start_units(sections, begins)[np.array([True, *opens][: len(sections)], dtype=bool)]] = True
    marks[:1] = False
    return np.cumsum(marks).astype(np.int64)


def sections_of(begins: Ints1d, sections: Sequence[Section]) -> Ints1d:
    """Return for each unit the section that it begins in (of sections in order); −1 for none."""
    starts = start_units(sections, begins)
    found = np.searchsorted(starts, np.arange(len(begins)), side="right") - 1
    ends = np.array([*(section.end for section in sections), 0], dtype=np.int64)
    return np.where(begins < ends[found], found, -1)


def cut(document: Document, sentences: int | None) -> Document:
    """Return the document's first ``sentences`` sentences (None: all), its sections clipped to them."""
    if sentences is None or len(document.spans) <= sentences:
        return document
    spans = document.spans
    kept = SentenceSpans(spans.begin[:sentences], spans.end[:sentences], spans.paragraph_end[:sentences])
    text = document.text[: int(spans.begin[sentences])]
    sections = clip(document.sections, len(text))
    return replace(document, text=text, given_spans=kept, sections=sections, probabilities=None)


def clip(sections: Sequence[Section], length: int) -> tuple[Section, ...]:
    """Cut the document after its first ``length`` characters."""
    return tuple(
        section if section.end <= length else replace(section, end=length)
        for section in sections
        if section.begin < length
    )
