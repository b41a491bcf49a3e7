"""BayesSeg (Eisenstein and Barzilay 2008): the segmentation under which the words of each segment are likeliest.

Each segment has a language model of its own, which is integrated out under a symmetric Dirichlet prior θ: a segment
with the word counts c has the probability Γ(Wθ) / Γ(N + Wθ) · Π Γ(c_w + θ) / Γ(θ). Dynamic programming finds the best
segmentation, with a given number of segments or with a prior on their lengths.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Doubles, Ints1d
from sector.baselines.base import BoundarySystem, check_options, known_segments
from sector.baselines.stems import Stems, stems_of
from sector.document import Document
from sector.errors import MissingExtraError

PRIORS = (0.05, 0.1, 0.2, 0.5)
"""Values of θ of which each document takes the one that makes its best segmentation likeliest."""
FIRST_LENGTH = 10.0
"""Mean length of a segment from which its estimation begins."""
STEP = 64
"""Begins whose scores are computed at once: bounds memory for long documents."""


@dataclass
class BayesSeg(BoundarySystem):
    """The most probable segmentation under segment-wise language models."""

    name: ClassVar[str] = "bayesseg"
    citation: ClassVar[str] = "Eisenstein and Barzilay 2008, Bayesian unsupervised topic segmentation (EMNLP)"

    known: bool = False
    """Whether the gold number of segments is given, as in the authors' own experiments."""
    prior: float = 0.0
    """θ; 0: each document's own."""
    length: float = 0.0
    """Mean length of a segment in sentences, for an unknown number of segments; 0: one that agrees with the result."""
    rounds: int = 5
    """How often that length is estimated anew."""

    def __post_init__(self) -> None:
        check_options(self, {"prior": 0, "length": 0, "rounds": 1})

    def starts(self, document: Document) -> Ints1d:
        """Return 0 and the boundaries of the best segmentation."""
        stems = stems_of(document, self.language)
        wanted = known_segments(document) if self.known else None
        if not stems.size or (stems.size == len(stems.numbers) and wanted is None):  # no stem comes again
            return np.zeros(1, np.int64)
        tables = list(segment_scores(stems, self._priors()))
        found = [self._free(table, len(document) / wanted if wanted else 0.0) for table in tables]
        best = max(range(len(found)), key=lambda i: found[i][0])
        return best_of(tables[best], min(wanted, len(document))) if wanted else found[best][1]

    def _priors(self) -> tuple[float, ...]:
        return (self.prior,) if self.prior else PRIORS

    def _free(self, scores: Doubles, told: float) -> tuple[float, Ints1d]:
        """Return the score and the begins of the best segmentation into any number of segments of this mean length."""
        fixed = told or self.length
        length = fixed or FIRST_LENGTH
        for _ in range(1 if fixed else self.rounds):
            total, begins = best_path(scores + duration_scores(len(scores), length))
            if len(scores) / len(begins) == length:
                break
            length = len(scores) / len(begins)
        return total, begins


def segment_scores(stems: Stems, priors: Sequence[float]) -> Iterator[Doubles]:
    """Return for each θ the log probability of the words of each segment [begin, last sentence]; −∞ if begin > last.

    A token adds log(θ + its earlier occurrences in the segment); these are counted for all begins at once.
    """
    sentences = stems.sentences
    begun, places = np.unique(stems.sentence, return_index=True)
    earlier = _earlier(stems)
    later = np.triu(np.ones((sentences, sentences), np.bool_))
    lengths = np.bincount(stems.sentence, minlength=sentences).astype(np.float64)
    words: Doubles = np.cumsum(lengths * later, axis=1)
    for prior in priors:
        logs = np.log(prior + np.arange(int(earlier.max()) + 1))
        added: Doubles = np.zeros((sentences, sentences))
        for first in range(0, sentences, STEP):
            added[first : first + STEP, begun] = np.add.reduceat(logs[earlier[first : first + STEP]], places, axis=1)
        scores: Doubles = np.cumsum(added * later, axis=1)
        scores -= _rising(words, stems.size * prior)
        yield np.where(later, scores, -np.inf)


def _earlier(stems: Stems) -> NDArray[np.uint16]:
    """Return uint16 [sentences, tokens]: how often a token's stem occurs from that sentence on and before the token."""
    numbers = stems.numbers
    order = np.argsort(numbers, kind="stable")
    firsts = np.searchsorted(numbers[order], numbers[order])
    occurrence = np.empty(len(numbers), np.int32)
    occurrence[order] = np.arange(len(numbers)) - firsts
    counts = stems.counts().astype(np.int32)
    before = np.cumsum(counts, axis=0) - counts
    return np.maximum(occurrence - before[:, numbers], 0).astype(np.uint16)


def _rising(words: Doubles, base: float) -> Doubles:
    """Return log(Γ(base + words) / Γ(base))."""
    try:
        from scipy.special import gammaln
    except ImportError as error:
        raise MissingExtraError("scipy", "baselines") from error
    return np.asarray(gammaln(base + words) - gammaln(base))


def duration_scores(sentences: int, length: float) -> Doubles:
    """Return log p(number of sentences) of each segment [begin, last] under a geometric prior with this mean."""
    going_on = min(max(1 - 1 / max(length, 1.0), 1e-9), 1 - 1e-9)
    places = np.arange(sentences)
    return np.asarray(np.log(1 - going_on) + (places - places[:, None]) * np.log(going_on))


def best_path(scores: Doubles) -> tuple[float, Ints1d]:
    """Return the highest sum of scores of segments that cover everything, and their begins."""
    sentences = len(scores)
    best = np.zeros(sentences + 1)
    previous = np.zeros(sentences + 1, np.int64)
    for end in range(1, sentences + 1):
        reached = best[:end] + scores[:end, end - 1]
        previous[end] = reached.argmax()
        best[end] = reached[previous[end]]
    begins, end = [], sentences
    while end:
        end = int(previous[end])
        begins.append(end)
    return float(best[-1]), np.array(begins[::-1], np.int64)


def best_of(scores: Doubles, segments: int) -> Ints1d:
    """Return the begins of the best segmentation into this number of segments."""
    sentences = len(scores)
    best = np.full(sentences, -np.inf)
    best[0] = 0.0
    choices = []
    for _ in range(segments):
        reached = best[:, None] + scores
        choices.append(reached.argmax(axis=0))
        best[1:] = reached[choices[-1], np.arange(sentences)][:-1]
        best[0] = -np.inf
    begins, end = [], sentences
    for choice in reversed(choices):
        end = int(choice[end - 1])
        begins.append(end)
    return np.array(begins[::-1], np.int64)
