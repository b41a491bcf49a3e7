"""Learned boundaries and labels in one decoding over the whole document, "joint"; past the paper.

The network says of every sentence how likely the label changes there (with headings: a main section begins), how
likely any section begins there, and what the sentence is about. Runs of sentences between possible boundaries become
the steps of a hidden Markov chain over labels: between two steps the label stays, or changes with the learned
probability to one that follows it in training documents. Forward–backward gives the labels' posterior. The strength of
a start is its learned log-odds, or those of a change of the label in view of the whole document where they are higher.
Sections begin where it is above 0, or with the strongest so many.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from sector.arrays import Doubles, Doubles1d, Floats1d, Floats2d, Ints1d
from sector.errors import ConfigError
from sector.segmentation.base import Decoded, Reading, starts_from, strict_maxima
from sector.segmentation.chain import TINY, forward_backward
from sector.segmentation.learned import check_biases, check_granularity, log_odds, sigmoid
from sector.segmentation.strongest import check_sections, strongest

BIAS = 1.1
"""Added to the learned log-odds of a boundary (odds × 3) in models whose own was not chosen on validation documents:
boundaries are rare, and a network that knows its training documents by heart sees too few of them in others."""
POSSIBLE = -2.0
"""Log-odds of a boundary above which the label may change; at peaks it always may."""
NEIGHBOUR = 4.0
"""Taken from the log-odds of a sentence beside a likelier one: where nothing is known of paragraphs, two sentences that
follow one another hardly both begin a section."""
SHARPNESS = 2.0
"""Multiplies the log-odds of a label change."""
TRUST = 0.8
"""Power of a sentence's probabilities: sentences of one section err together, so that each counts for less than one."""
MIX, MIX_WORDS = 0.5, 0.15
"""How much the chain's posterior counts beside the sentences' own probabilities: topics exclude one another, the words
of a heading do not."""
CONFIDENCE_EXPONENT = 0.8
"""Power of a section's mean: sentences that err together make the posterior too sure of itself. No ranking changes.
Chosen on validation documents too."""
WORDS = 128
"""Of the words of headings, the chain has the most probable ones of the document only."""


@dataclass(frozen=True, slots=True)
class Joint:
    """Boundaries from the network's boundary layer, labels from forward–backward over all of them."""

    name: ClassVar[str] = "joint"

    granularity: float = 1.0
    """Multiplies the number of sections: 2 gives about twice as many, 0.5 half as many. Sections of a lower one are
    never cut where those of a higher one are not."""
    sections: int | None = None
    """So many sections, where the document has as many places for a start; in place of ``granularity``."""
    bias: float = BIAS
    """Added to the learned log-odds where the text has paragraphs; chosen so that as many sections are found as authors
    make,"""
    plain_bias: float = BIAS
    """and where it has none: any sentence may begin a section then, and none is so likely to."""
    main_bias: float = BIAS
    """The same for main sections."""
    transitions: tuple[tuple[float, ...], ...] | None = None
    """P(next label | label) where the label changes; None: all alike."""
    _table: Doubles | None = field(default=None, init=False, repr=False, compare=False)
    """The same as an array, without zeros: a pair of labels that was never seen is not impossible."""

    def __post_init__(self) -> None:
        check_granularity(self.granularity)
        check_sections(self.sections)
        check_biases(self.bias, self.plain_bias, self.main_bias)
        if self.transitions is not None:
            table = _checked(self.transitions)
            object.__setattr__(self, "transitions", tuple(map(tuple, table.tolist())))
            object.__setattr__(self, "_table", table + TINY)

    def starts(self, reading: Reading) -> Ints1d:
        """Return the sentences that begin a section."""
        return self.decode(reading).starts

    def deviation(self, reading: Reading) -> Floats1d:
        """Return the learned probability that a section begins, 0 for the first sentence."""
        found = sigmoid(self._log_odds(reading).max(axis=1, initial=-np.inf)).astype(np.float32)
        found[:1] = 0.0
        return found

    def decode(self, reading: Reading) -> Decoded:
        """Return section starts, their levels, and the labels' probabilities in view of the whole document."""
        if not len(reading):
            return Decoded(np.zeros(0, np.int64), reading.probabilities)
        odds = self._log_odds(reading)
        either = odds.max(axis=1)
        steps = starts_from(strict_maxima(either) | (either > POSSIBLE))
        labelled, change = self._labelled(reading, odds[:, 0], steps)
        strength = either.astype(np.float64)
        strength[steps] = np.maximum(strength[steps], change)
        if reading.candidates is None:
            strength[1:-1][~strict_maxima(strength)[1:-1]] -= NEIGHBOUR
        starts = strongest(strength, reading.candidates, reading.forced, self.granularity, self.sections)
        return replace(labelled, starts=starts, levels=self._levels(reading, starts))

    def _labelled(self, reading: Reading, change: Floats1d, steps: Ints1d) -> tuple[Decoded, Doubles1d]:
        """Return what sections are named by, and the log-odds [steps] with which the label changes."""
        rows = reading.probabilities
        if not rows.shape[1]:
            return Decoded(steps, rows), np.full(len(steps), -np.inf)
        if reading.task == "headings":
            return _of_words(rows, change[steps], steps)
        own, changes = _chained(rows, change[steps], steps, self._matrix(rows.shape[1]))
        return Decoded(steps, _mixed(rows, own, MIX), power=CONFIDENCE_EXPONENT), changes

    def _levels(self, reading: Reading, starts: Ints1d) -> Ints1d | None:
        """Return 1 for main sections and 2 for those inside them; None where the model knows of no levels."""
        if reading.task == "topics" or reading.boundary is None:
            return None
        levels = np.where(reading.boundary[starts, 0] + self.main_bias > 0, 1, 2)
        levels[:1] = 1
        return np.asarray(levels if (levels == 1).sum() > 1 else np.ones_like(levels))

    def _log_odds(self, reading: Reading) -> Floats2d:
        bias = self.plain_bias if reading.candidates is None else self.bias
        return log_odds(reading, bias, name=self.name, instead="bemd")

    def _matrix(self, labels: int) -> Doubles:
        if self._table is None:
            return np.full(labels, 1 / labels)
        if len(self._table) != labels:
            raise ConfigError(f"'transitions' is for {len(self._table)} labels, but the model has {labels}.")
        return self._table


def _of_words(probabilities: Floats2d, change: Floats1d, steps: Ints1d) -> tuple[Decoded, Doubles1d]:
    """Chain the document's most probable words, to each of which the label changes as often as it is probable.

    The words of neighbouring sections differ anyway: their changes begin no section.
    """
    totals = probabilities.sum(axis=0, dtype=np.float32)
    kept = min(WORDS, len(totals) - 1)
    columns = np.argpartition(-totals, kept)[:WORDS]
    own = probabilities[:, columns].astype(np.float32)
    sums = np.maximum(own.sum(axis=1, keepdims=True), TINY)
    likely = own / sums
    rows, _ = _chained(likely, change, steps, likely.mean(axis=0, dtype=np.float64))
    found = Decoded(steps, probabilities, columns, _mixed(own, rows * sums, MIX_WORDS))
    return found, np.full(len(steps), -np.inf)


def _chained(probabilities: Floats2d, change: Floats1d, steps: Ints1d, matrix: Doubles) -> tuple[Floats2d, Doubles1d]:
    """Return P(label | document) of each sentence, and the log-odds [steps] with which the label changes."""
    evidence = TRUST * np.add.reduceat(np.log(probabilities + np.float32(TINY)), steps, axis=0, dtype=np.float64)
    evidence = np.exp(evidence - evidence.max(axis=1, keepdims=True))
    posterior, stays = forward_backward(evidence, sigmoid(SHARPNESS * change), matrix)
    rows = np.repeat(posterior.astype(np.float32), np.diff(steps, append=len(probabilities)), axis=0)
    return rows, np.log(np.maximum(1 - stays, TINY)) - np.log(np.maximum(stays, TINY))


def _mixed(own: Floats2d, rows: Floats2d, share: float) -> Floats2d:
    return np.asarray(np.float32(1 - share) * own + np.float32(share) * rows, np.float32)


def _checked(transitions: Any) -> Doubles:
    """Return rows of probabilities as an array; raises ConfigError for anything else."""
    try:
        matrix = np.array(transitions, np.float64)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"The option 'transitions' is not a square of numbers: {error}.") from error
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not np.isfinite(matrix).all() or (matrix < 0).any():
        raise ConfigError("The option 'transitions' must be a square of probabilities, one row per label.")
    return matrix
