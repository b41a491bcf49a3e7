"""Titles from the inventory: each section is named by the heading phrase that lies nearest to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np

from sector.arrays import Floats1d, Floats2d
from sector.distribution import Distribution
from sector.document import Document
from sector.errors import ModelError
from sector.runtime.keyphrases import KeyPhrases
from sector.runtime.naming import Name, blocks, means_of
from sector.runtime.space import Space, normalized
from sector.segmentation import Decoded, Reading, SectionSpans

RANKED = 20
"""Headings of a section that are kept with their probabilities."""
SHOWN = 32
"""Labels of a document whose probabilities each sentence gets: those of the most sections."""
AUTHORS = 0.5
"""Probability of the author's heading, where it is one of the inventory; the model's share the rest."""
LEAST = 0.05
"""A heading that is less probable is no title."""
SURE = 0.15
"""A heading that is more probable fits, however far it is."""
MANY = 1000
"""Headings of an inventory that has most of what people write: probabilities and last words tell something."""
ROWS = 4096
"""Sentences whose probabilities are computed at once."""


@dataclass(frozen=True, slots=True)
class ByHeadings:
    """Names sections by the headings of a space, and those that none fits by words of their own."""

    space: Space
    temperature: float
    """Of the softmax over cosines."""
    threshold: float = -1.0
    """The least cosine of a heading that fits."""
    numbers: Mapping[str, int] = field(default_factory=dict, repr=False)
    """Of the phrases, without capitals."""

    @classmethod
    def of(cls, space: Space, settings: Mapping[str, Any]) -> ByHeadings:
        """Read a model's setting ``space``; raises ModelError for numbers that are none."""
        numbers = {"temperature": settings.get("temperature"), "threshold": settings.get("threshold", -1.0)}
        for name, value in numbers.items():
            if not isinstance(value, int | float) or isinstance(value, bool) or not np.isfinite(value):
                raise ModelError(f"The model's config.json is broken: '{name}' of its space is {value!r}.")
        temperature = float(settings["temperature"])
        if temperature <= 0:
            raise ModelError(f"The model's config.json is broken: its temperature is {temperature}, not above 0.")
        places = {phrase.casefold(): number for number, phrase in enumerate(space.phrases)}
        return cls(space, temperature, float(numbers["threshold"] or 0.0), places)

    def names(self, read: Document, spans: SectionSpans, found: Decoded, reading: Reading) -> Iterator[Name]:
        """Name sections by their vectors, the normalised means of their sentences'."""
        assert reading.vectors is not None
        phrases = KeyPhrases(read, spans, self.space.heads if len(self.space.phrases) >= MANY else frozenset())
        ranked = (self._ranked(section_vectors(block, reading.vectors)) for block in blocks(spans))
        for number, name in enumerate(chain.from_iterable(ranked)):
            yield name if name.source else self._own(name, phrases.best(number))

    def _ranked(self, vectors: Floats2d) -> Iterator[Name]:
        """Return the best heading of each section; without a source if it does not fit."""
        logits = self.space.logits(vectors, self.temperature)
        tops = np.argpartition(-logits, min(RANKED, logits.shape[1]) - 1, axis=1)[:, :RANKED]
        totals = _log_sums(logits)
        for vector, row, top, total in zip(vectors, logits, tops, totals, strict=True):
            order = top[np.argsort(-row[top], kind="stable")]
            values = np.exp(row[order] - total).astype(np.float32)
            labels = tuple(self.space.phrases[i] for i in order.tolist())
            sure = values[0] >= SURE and len(row) >= MANY
            near = sure or float(vector @ self.space.vectors[order[0]]) >= self.threshold
            fits = near and values[0] >= LEAST and bool(vector.any())
            yield Name(labels[0], float(values[0]), Distribution(labels, values), vector, "inventory" if fits else "")

    def _own(self, name: Name, phrase: str) -> Name:
        """Name a section by a phrase of its own; by the heading after all if it has none."""
        if not phrase:
            return name._replace(source="inventory")
        return name._replace(label=phrase, source="keyphrase")

    def with_heading(self, name: Name, heading: str) -> Name:
        """Return the author's heading as the title, where it is one of the inventory."""
        number = self.numbers.get(heading.casefold())
        if number is None or name.distribution is None:
            return name
        phrase, found = self.space.phrases[number], name.distribution
        shares = dict(zip(found.labels, (1 - AUTHORS) * found.values, strict=True))
        shares = {phrase: AUTHORS + shares.get(phrase, 0.0)} | {k: v for k, v in shares.items() if k != phrase}
        ranking = Distribution(tuple(shares), np.array([*shares.values()], np.float32))
        return Name(phrase, float(ranking.values[0]), ranking, name.embedding, "inventory")

    def shown(self, names: list[Name], reading: Reading) -> tuple[tuple[str, ...], Floats2d]:
        """Return the best headings of the most sections, and each sentence's probabilities among them."""
        assert reading.vectors is not None
        best = Counter(name.distribution.labels[0] for name in names if name.distribution)
        labels = tuple(label for label, _ in best.most_common(SHOWN))
        chosen = self.space.vectors[[self.numbers[label.casefold()] for label in labels]]
        return labels, shares(reading.vectors, chosen, self.temperature)


def section_vectors(spans: SectionSpans, vectors: Floats2d) -> Floats2d:
    """Return float32 [sections, d] of length 1: the normalised means of the sentences' vectors."""
    return normalized(means_of(spans, vectors))


def shares(rows: Floats2d, labels: Floats2d, temperature: float) -> Floats2d:
    """Return the softmax [rows, labels] over the cosines of rows and label vectors of length 1."""
    found = np.zeros((len(rows), len(labels)), np.float32)
    for begin in range(0, len(rows), ROWS) if len(labels) else ():
        part = normalized(rows[begin : begin + ROWS].astype(np.float32)) @ labels.T / np.float32(temperature)
        part = np.exp(part - part.max(axis=1, keepdims=True))
        found[begin : begin + ROWS] = part / part.sum(axis=1, keepdims=True)
    return found


def _log_sums(logits: Floats2d) -> Floats1d:
    best = logits.max(axis=1)
    return np.asarray(best + np.log(np.exp(logits - best[:, None]).sum(axis=1)), np.float32)
