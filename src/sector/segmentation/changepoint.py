"""Change points, "changepoint": the partition whose sections lie closest around their means; needs no trained model.

Any vectors will do: topic embeddings of a model, sentence vectors of an encoder or of another library. The method is
kernel change-point detection with the cosine kernel, and finds the number of sections from the document itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, log
from typing import ClassVar

import numpy as np

from sector.arrays import Doubles1d, Floats1d, Floats2d, Ints1d
from sector.errors import ConfigError
from sector.segmentation.base import Reading, no_deviation
from sector.segmentation.learned import check_granularity
from sector.segmentation.partition import partition, savings

BASE, GROWTH = 0.5, 0.3
"""A section costs scatter · (0.5 + 0.3 · ln n): fitted to WikiSection and Wikipedia texts of 4 to 400 sentences."""
FLOOR = 1.2
"""But in a short text this many times what a boundary saves where every sentence has a topic of its own."""
NEGLIGIBLE = 1e-9
"""Vectors of length 1 with a mean squared distance below this to their mean are all the same."""


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """Minimises Σ over sections of (Σ‖x − mean‖² + penalty), x of length 1: exactly, for up to 2,048 sentences."""

    name: ClassVar[str] = "changepoint"

    granularity: float = 1.0
    """Divides the penalty: 2 gives more and shorter sections, 0.5 fewer and longer ones."""
    penalty: float | None = None
    """How much a boundary must save; None takes it from the document: see ``automatic_penalty``."""
    line_break: float = 1.5
    """How many times as much where no line break stands before it; 1 treats all sentences alike."""

    def __post_init__(self) -> None:
        check_granularity(self.granularity)
        if self.penalty is not None and not (isfinite(self.penalty) and self.penalty > 0):
            raise ConfigError(f"The option 'penalty' is {self.penalty}; it must be a positive number.")
        if not (isfinite(self.line_break) and self.line_break >= 1):
            raise ConfigError(f"The option 'line_break' is {self.line_break}; it must be a number of at least 1.")

    def starts(self, reading: Reading) -> Ints1d:
        """Return the begins of the cheapest partition."""
        return self._starts(reading, *self._problem(reading))

    def deviation(self, reading: Reading) -> Floats1d:
        """Return what a boundary before each sentence saves, in penalties: a section begins where it is 1 or more."""
        vectors, penalties = self._problem(reading)
        starts = self._starts(reading, vectors, penalties)
        if not penalties.any():
            return no_deviation(reading)
        return (savings(vectors, starts) / penalties).astype(np.float32)

    def _starts(self, reading: Reading, vectors: Floats2d, penalties: Doubles1d) -> Ints1d:
        if not penalties.any():
            return np.zeros(min(1, len(reading)), np.int64)
        return partition(vectors, penalties)

    def _problem(self, reading: Reading) -> tuple[Floats2d, Doubles1d]:
        """Return the centred vectors and the penalty of each; zeros if they are all the same."""
        vectors = _unit_vectors(reading)
        if len(vectors):
            vectors -= vectors.mean(axis=0, dtype=np.float64).astype(np.float32)
        scatter = float(np.einsum("ij,ij->", vectors, vectors, dtype=np.float64)) / max(1, len(vectors))
        if scatter < NEGLIGIBLE:
            return vectors, np.zeros(len(vectors))
        penalty = automatic_penalty(scatter, len(vectors)) if self.penalty is None else self.penalty
        return vectors, penalty / self.granularity * self._factors(reading)

    def _factors(self, reading: Reading) -> Doubles1d:
        """Return 1 for a sentence after a line break and ``line_break`` for others; 1 for all if there is none."""
        ends = reading.paragraph_end
        if ends is None or not ends[:-1].any():
            return np.ones(len(reading))
        return np.where(np.roll(ends, 1), 1.0, self.line_break)


def automatic_penalty(scatter: float, sentences: int) -> float:
    """Return a section's price from the mean squared distance to the document's mean and the number of sentences.

    n sentences on n topics save n / (n − 1) · scatter with each boundary; below this no price keeps any together.
    """
    return scatter * max(BASE + GROWTH * log(sentences), FLOOR * sentences / (sentences - 1))


def _unit_vectors(reading: Reading) -> Floats2d:
    """Return both directions side by side, each row of length 1; zeros stay zeros."""
    given = [part for part in (reading.forward, reading.backward) if part is not None]
    if not given:
        raise ConfigError("The segmentation 'changepoint' needs vectors, which the reading lacks; choose 'max'.")
    rows = np.concatenate(given, axis=1, dtype=np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    units: Floats2d = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return units
