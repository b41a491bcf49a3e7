"""Small documents of four-letter sentences, and the edge cases that every metric is crossed with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sector.distribution import Distribution
from sector.document import Document, Section
from sector.text.sentences import SentenceSpans

WIDTH = 5
LABELS = ("x", "y", "z")


def document(names: str, *, headings: Sequence[str] = (), id: str = "", paragraph: int = 2) -> Document:
    """Make a document with a sentence per letter; sections are separated by spaces.

    The letter is the section's label; a section of dots has none.
    """
    parts = names.split()
    sentences = sum(len(part) for part in parts)
    edges = np.cumsum([0, *(len(part) * WIDTH for part in parts)]).tolist()
    text = "abc. " * sentences
    titles = headings or [""] * len(parts)
    sections = tuple(
        Section(edges[i], edges[i + 1], part[0].strip("."), titles[i], source=text) for i, part in enumerate(parts)
    )
    return Document(text, id=id, sections=sections, given_spans=spans(sentences, paragraph), language="en")


def spans(sentences: int, paragraph: int = 2) -> SentenceSpans:
    begin = np.arange(sentences, dtype=np.int64) * WIDTH
    ends = (np.arange(1, sentences + 1) % paragraph == 0) | (np.arange(1, sentences + 1) == sentences)
    return SentenceSpans(begin, begin + WIDTH - 1, ends)


def scored(names: str, *values: Sequence[float], labels: tuple[str, ...] = LABELS) -> Document:
    """Make a prediction: the document of ``names`` whose sections have these scores."""
    plain = document(names)
    sections = tuple(
        Section(
            s.begin,
            s.end,
            s.label,
            source=plain.text,
            distribution=Distribution(labels, np.array(row, dtype=np.float32)),
        )
        for s, row in zip(plain.sections, values, strict=True)
    )
    return Document(plain.text, sections=sections, given_spans=plain.given_spans)


EDGE_DOCUMENTS = {
    "one sentence": document("x"),
    "two sentences": document("xx"),
    "two sections of one sentence": document("x y"),
    "one section": document("xxxxxxxx"),
    "every sentence a section": document("x y z x y z"),
    "neighbours of one name": document("xx xx yyy yy x"),
    "no labels": document("... .. ...."),
    "unknown labels": document("qqq rr"),
    "no section at all": Document("abc. abc. abc. ", given_spans=spans(3)),
}
