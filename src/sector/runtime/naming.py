"""What names sections: the protocol, and a model's own labels, which are the simplest of all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, Protocol

import numpy as np

from sector.arrays import Bools1d, Floats1d, Floats2d, Ints1d
from sector.distribution import Distribution
from sector.document import Document
from sector.runtime.space import normalized
from sector.segmentation import Decoded, Reading, SectionSpans
from sector.tasks import TaskName

BLOCK = 256
"""Sections whose label distributions are computed at once: bounds memory for long documents."""
SUMMED = 64
"""Sentences of a section that float32 may add up; more are added in float64."""


class Name(NamedTuple):
    """What a section is called."""

    label: str = ""
    confidence: float = 0.0
    distribution: Distribution | None = None
    embedding: Floats1d | None = None
    source: str = ""


class Naming(Protocol):
    """Names the sections of a document."""

    def names(self, read: Document, spans: SectionSpans, found: Decoded, reading: Reading) -> Iterator[Name]:
        """Return a name for each section; ``read`` has the sentences of the reading, of which there is at least one."""
        ...

    def with_heading(self, name: Name, heading: str) -> Name:
        """Return the name of a section in view of the author's heading of it."""
        ...

    def shown(self, names: list[Name], reading: Reading) -> tuple[tuple[str, ...], Floats2d]:
        """Return labels and float32 [sentences, labels], the probabilities that a segmented document carries."""
        ...


@dataclass(frozen=True, slots=True)
class ByLabels:
    """Topics, or the words of headings, by the sentences' probabilities."""

    task: TaskName
    labels: tuple[str, ...]

    def names(self, read: Document, spans: SectionSpans, found: Decoded, reading: Reading) -> Iterator[Name]:
        """Name sections by the mean of their sentences' probabilities."""
        embeddings = both(reading)
        for block in blocks(spans):
            means = found.means(partial(means_of, block)).astype(found.probabilities.dtype, copy=False)
            names, scores = self._best(means.astype(np.float32, copy=False))
            vectors = [None] * len(block) if embeddings is None else normalized(means_of(block, embeddings))
            for name, score, row, vector in zip(names, scores, means, vectors, strict=True):
                yield Name(name, score, Distribution(self.labels, row), vector)

    def with_heading(self, name: Name, heading: str) -> Name:
        """Return the name as it is: the labels are the model's own."""
        return name

    def shown(self, names: list[Name], reading: Reading) -> tuple[tuple[str, ...], Floats2d]:
        """Return the model's labels and what it says of them."""
        return self.labels, reading.probabilities

    def _best(self, means: Floats2d) -> tuple[list[str], list[float]]:
        """Return the label of each row, in a model of headings one or two words, and its confidence."""
        if not means.shape[1]:
            return [""] * len(means), [0.0] * len(means)
        first, second, confidence = _best_two(means)
        names = [self.labels[i] for i in first]
        if self.task != "topics" and len(self.labels) > 1:
            for row in np.flatnonzero(_strong(means, second, confidence)):
                names[row] += f"/{self.labels[second[row]]}"
        return names, confidence.tolist()


def blocks(spans: SectionSpans) -> Iterator[SectionSpans]:
    """Return the sections, some at a time."""
    for i in range(0, len(spans), BLOCK):
        parts = (edge[i : i + BLOCK] for edge in (spans.begin, spans.end, spans.first, spans.last))
        yield SectionSpans(*parts)


def means_of(spans: SectionSpans, rows: Floats2d) -> Floats2d:
    """Return the mean row of each section; all at once where they follow one another and are not long."""
    first, last = spans.first, spans.last
    sizes = last - first
    if sizes.min() < 1 or sizes.max() > SUMMED or (first[1:] != last[:-1]).any():
        return spans.means(rows)
    own = rows[first[0] : last[-1]].astype(np.float32, copy=False)
    totals = np.add.reduceat(own, first - first[0], axis=0)
    means: Floats2d = np.divide(totals, sizes[:, None], dtype=np.float32)
    return means


def both(reading: Reading) -> Floats2d | None:
    """Return float32 [sentences, 2·dim], forward ⊕ backward; None for a source that has not both."""
    if reading.forward is None or reading.backward is None:
        return None
    return np.concatenate([reading.forward, reading.backward], axis=1)


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
    """Return where the second word scores above the middle of best and median: then it is part of the heading."""
    values = rows[np.arange(len(rows)), second]
    strong = values >= best / 2  # no median is below 0
    enough = (best[strong] + np.median(rows[strong], axis=1)) / 2
    strong[strong] = values[strong] >= enough
    return strong
