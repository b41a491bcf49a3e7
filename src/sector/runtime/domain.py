"""How much a section resembles the documents that a model was trained on.

Two things are looked at: how familiar its runs of four letters are, and where its topic embedding lies. Each becomes a
deviation from the mean of known sections, in standard deviations of sections of its length, so that a short one must
differ more; their sum becomes a share by a logistic curve that was fitted on sections of validation documents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Doubles1d, Floats1d, Floats2d, Ints1d
from sector.document import Document
from sector.encoders.files import read_array
from sector.errors import ModelError
from sector.runtime.letters import BUCKETS, Letters, sizes
from sector.runtime.naming import blocks, means_of
from sector.runtime.regions import Regions
from sector.segmentation import Reading, SectionSpans

LETTERS, TOPICS, REGIONS = "domain_letters.npy", "domain_topics.npy", "domain_regions.npy"
CERTAIN = 0.8
"""Where on the curve the least known of twenty known sections is: from there on a section is wholly known, so that
confidences of known text stay as they were calibrated."""
LOGIT = 50.0
"""Largest logarithm of odds."""


class Domain(Protocol):
    """Statistics of training documents."""

    def scores(self, read: Document, spans: SectionSpans, reading: Reading) -> Floats1d:
        """Return float32 [sections], 0 to 1."""
        ...


@dataclass(frozen=True, slots=True)
class Spread:
    """How a measure varies among known sections."""

    mean: float
    between: float
    """Its variance in long sections;"""
    within: float
    """and what is added to it in a section of one character."""

    def deviations(self, values: Doubles1d, lengths: Ints1d) -> Doubles1d:
        """Return float64 [sections], in standard deviations of sections of these lengths; 0 above the mean.

        So what is very familiar in one way does not make up for what is not in another.
        """
        scales = np.sqrt(self.between + self.within / np.maximum(lengths, 1))
        return np.minimum((values - self.mean) / scales, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Measures:
    """What is looked at in a section."""

    letters: Letters
    weights: NDArray[np.int8]
    """int8 [BUCKETS]: of a run of characters, the log of how much more often known documents have it than others."""
    scale: float
    """Of the weights."""
    regions: Regions

    def familiar(self, read: Document, spans: SectionSpans) -> tuple[Doubles1d, Ints1d]:
        """Return the mean weight of each section's runs of letters, and how many it has."""
        texts = read.sentence_texts
        totals, lengths = (_between(spans, values) for values in (self.letters.sums(texts, self.weights), sizes(texts)))
        return totals * self.scale / np.maximum(lengths, 1), lengths

    def near(self, spans: SectionSpans, reading: Reading) -> Doubles1d | None:
        """Return the log density of each section's mean embedding; None for a reading without embeddings."""
        rows = embeddings(spans, reading)
        return None if rows is None else self.regions.scores(rows)


@dataclass(frozen=True, slots=True, eq=False)
class TrainedDomain:
    """The domain of a model folder. Safe to use from several threads."""

    measures: Measures
    letters: Spread
    topics: Spread
    centre: float
    """The sum of deviations that makes one half;"""
    width: float
    """and by how much it must grow for e times the odds."""

    @classmethod
    def load(cls, folder: Path, settings: Mapping[str, Any]) -> Self | None:
        """Read what a model's setting ``domain`` says; None without any. Raises ModelError for what is broken."""
        if not settings:
            return None
        try:
            numbers = [float(settings[name]) for name in ("centre", "width", "scale")]
            letters, topics = (Spread(*map(float, settings[name])) for name in ("letters", "topics"))
            alphabet, offsets = str(settings["alphabet"]), tuple(map(float, settings["offsets"]))
            if not np.isfinite([*numbers, *offsets, *astuple(letters), *astuple(topics)]).all():
                raise ValueError("a number is not finite")
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ModelError(f"The setting 'domain' of {folder} is broken ({error!r}); add it again.") from error
        weights = read_array(folder / LETTERS, (BUCKETS,)).astype(np.int8)
        projection = read_array(folder / TOPICS, (None, None)).astype(np.float32)
        size = projection.shape[1]
        maps = read_array(folder / REGIONS, (len(offsets), size + 1, size)).astype(np.float32)
        measures = Measures(Letters(alphabet), weights, numbers[2], Regions(projection, maps, offsets))
        return cls(measures, letters, topics, *numbers[:2])

    def scores(self, read: Document, spans: SectionSpans, reading: Reading) -> Floats1d:
        """Return float32 [sections], 0 to 1; 1 for sections of white space."""
        sums, lengths = self.deviations(read, spans, reading)
        return np.where(lengths > 0, self.shares(sums), 1.0).astype(np.float32)

    def shares(self, sums: Doubles1d) -> Doubles1d:
        """Return the share, 0 to 1, that sections with these sums of deviations have."""
        odds = np.clip((self.centre - sums) / self.width, -LOGIT, LOGIT)
        return np.minimum(1 / (1 + np.exp(odds)) / CERTAIN, 1.0)

    def deviations(self, read: Document, spans: SectionSpans, reading: Reading) -> tuple[Doubles1d, Ints1d]:
        """Return for each section the sum of its deviations, and how many runs of letters it has."""
        familiar, lengths = self.measures.familiar(read, spans)
        sums = self.letters.deviations(familiar, lengths)
        near = self.measures.near(spans, reading)
        return sums if near is None else sums + self.topics.deviations(near, lengths), lengths


def _between(spans: SectionSpans, values: Ints1d) -> Ints1d:
    """Return int64 [sections]: the values of each section's sentences, added up."""
    totals = np.concatenate([np.zeros(1, np.int64), np.cumsum(values)])
    between: Ints1d = totals[spans.last] - totals[spans.first]
    return between


def embeddings(spans: SectionSpans, reading: Reading) -> Floats2d | None:
    """Return float32 [sections, 2·dim], the mean of each section's embeddings; None for a reading without them."""
    if reading.forward is None or reading.backward is None or not len(spans):
        return None
    found = [[means_of(block, rows) for rows in (reading.forward, reading.backward)] for block in blocks(spans)]
    return np.concatenate([np.concatenate(pair, axis=1) for pair in found])
