"""Learned boundaries and labels in one decoding over the whole document, "joint"; past the paper.

The network says of every sentence how likely the label changes there (with headings: a main section begins), how
likely any section begins there, and what the sentence is about. Runs of sentences between possible boundaries become
the steps of a hidden Markov chain over labels: between two steps the label stays, or changes with the learned
probability to one that follows it in training documents. Forward–backward gives the labels' posterior. A section begins
where its best label changes, and where the learned probability of a section start has a peak.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from sector.arrays import Bools1d, Doubles, Floats1d, Floats2d, Ints1d
from sector.errors import ConfigError
from sector.segmentation.base import Decoded, Reading, starts_from, strict_maxima
from sector.segmentation.learned import check_granularity, log_odds, sigmoid

SHIFT = 1.1
"""Added to the learned log-odds of a boundary (odds × 3): boundaries are rare, and a network that knows its training
documents by heart sees too few of them in others. Chosen on validation documents, as are the next four."""
POSSIBLE = -2.0
"""Log-odds of a boundary above which the label may change; at peaks it always may."""
PEAK = -4.0
"""Log-odds above which a peak begins a section even if the label stays."""
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
TINY = 1e-6
LEAST_EVIDENCE = 1e-30
"""No label is impossible: a chain that was sure of another one can still come back."""
BLOCK, VALUES, SCALED = 64, 2**22, 4
"""Steps whose matrices are in memory at once, fewer where these have more values; steps after which a row is scaled."""


@dataclass(frozen=True, slots=True)
class Joint:
    """Boundaries from the network's boundary layer, labels from forward–backward over all of them."""

    name: ClassVar[str] = "joint"

    granularity: float = 1.0
    """Multiplies the odds of every boundary: 2 gives more and shorter sections, 0.5 fewer and longer ones."""
    transitions: tuple[tuple[float, ...], ...] | None = None
    """P(next label | label) where the label changes; None: all alike."""
    _table: Doubles | None = field(default=None, init=False, repr=False, compare=False)
    """The same as an array, without zeros: a pair of labels that was never seen is not impossible."""

    def __post_init__(self) -> None:
        check_granularity(self.granularity)
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
        """Return section starts, and the labels' probabilities in view of the whole document."""
        if not len(reading):
            return Decoded(np.zeros(0, np.int64), reading.probabilities)
        odds = self._log_odds(reading)
        either = odds.max(axis=1)
        peaks = strict_maxima(either)
        steps = starts_from(peaks | (either > POSSIBLE))
        begins = (peaks & (either > PEAK))[steps]
        if reading.task == "headings" and reading.probabilities.shape[1]:
            return _of_words(reading.probabilities, odds[steps, 0], steps, begins)
        return self._of_topics(reading.probabilities, odds[steps, 0], steps, begins)

    def _of_topics(self, probabilities: Floats2d, change: Floats1d, steps: Ints1d, begins: Bools1d) -> Decoded:
        labels = probabilities.shape[1]
        if not labels:
            return Decoded(steps[begins | (steps == 0)], probabilities)
        rows, changes = _chained(probabilities, change, steps, self._matrix(labels))
        return Decoded(steps[begins | changes], _mixed(probabilities, rows, MIX), power=CONFIDENCE_EXPONENT)

    def _log_odds(self, reading: Reading) -> Floats2d:
        return log_odds(reading, SHIFT, self.granularity, name=self.name, instead="bemd")

    def _matrix(self, labels: int) -> Doubles:
        if self._table is None:
            return np.full(labels, 1 / labels)
        if len(self._table) != labels:
            raise ConfigError(f"'transitions' is for {len(self._table)} labels, but the model has {labels}.")
        return self._table


def _of_words(probabilities: Floats2d, change: Floats1d, steps: Ints1d, begins: Bools1d) -> Decoded:
    """Chain the document's most probable words, to each of which the label changes as often as it is probable."""
    totals = probabilities.sum(axis=0, dtype=np.float32)
    kept = min(WORDS, len(totals) - 1)
    columns = np.argpartition(-totals, kept)[:WORDS]
    own = probabilities[:, columns].astype(np.float32)
    sums = np.maximum(own.sum(axis=1, keepdims=True), TINY)
    likely = own / sums
    rows, changes = _chained(likely, change, steps, likely.mean(axis=0, dtype=np.float64))
    return Decoded(steps[begins | changes], probabilities, columns, _mixed(own, rows * sums, MIX_WORDS))


def _chained(probabilities: Floats2d, change: Floats1d, steps: Ints1d, matrix: Doubles) -> tuple[Floats2d, Bools1d]:
    """Return P(label | document) of each sentence, and at which steps the best label changes."""
    evidence = TRUST * np.add.reduceat(np.log(probabilities + np.float32(TINY)), steps, axis=0, dtype=np.float64)
    evidence = np.exp(evidence - evidence.max(axis=1, keepdims=True))
    posterior = forward_backward(evidence, sigmoid(SHARPNESS * change), matrix)
    rows = np.repeat(posterior.astype(np.float32), np.diff(steps, append=len(probabilities)), axis=0)
    return rows, np.diff(posterior.argmax(axis=1), prepend=-1) != 0


def _mixed(own: Floats2d, rows: Floats2d, share: float) -> Floats2d:
    return np.asarray(np.float32(1 - share) * own + np.float32(share) * rows, np.float32)


def forward_backward(evidence: Doubles, change: Doubles, matrix: Doubles) -> Doubles:
    """Return the posterior [steps, labels] of a chain that moves by ``matrix`` with probability ``change``, or stays.

    ``matrix`` is P(next label | label), or P(next label) alone.
    """
    evidence = np.maximum(evidence, LEAST_EVIDENCE)
    change = np.clip(change, TINY, 1 - TINY)
    passes = _by_matrix if matrix.ndim == 2 else _by_row
    forward, backward = passes(evidence, change, matrix)
    posterior = forward * backward
    return np.asarray(posterior / posterior.sum(axis=1, keepdims=True))


def _by_matrix(evidence: Doubles, change: Doubles, matrix: Doubles) -> tuple[Doubles, Doubles]:
    """Return both passes, each row up to a factor; a row is scaled now and then, before it becomes too small."""
    forward, backward = np.empty_like(evidence), np.ones_like(evidence)
    forward[0] = row = evidence[0]
    size = min(BLOCK, max(1, VALUES // matrix.size))
    for begin in range(1, len(evidence), size):
        for k, move in enumerate(_moves(evidence, change, matrix, slice(begin, begin + size)), start=begin):
            row = np.dot(row, move)
            if k % SCALED == 0:
                row /= row.max()
            forward[k] = row
    row = backward[-1]
    for begin in reversed(range(1, len(evidence), size)):
        moves = _moves(evidence, change, matrix, slice(begin, begin + size))
        for k in range(begin + len(moves) - 1, begin - 1, -1):
            row = np.dot(moves[k - begin], row)
            if k % SCALED == 0:
                row /= row.max()
            backward[k - 1] = row
    return forward, backward


def _moves(evidence: Doubles, change: Doubles, matrix: Doubles, steps: slice) -> Doubles:
    """Return P(label and evidence of a step | label of the step before) for a block, [steps, labels, labels]."""
    evidence, change = evidence[steps], change[steps]
    moves = change[:, None, None] * matrix
    moves.reshape(len(moves), -1)[:, :: len(matrix) + 1] += (1 - change)[:, None]
    moves *= evidence[:, None, :]
    return np.asarray(moves)


def _by_row(evidence: Doubles, change: Doubles, likely: Doubles) -> tuple[Doubles, Doubles]:
    """Return both passes for a chain that moves to a label whatever the label before."""
    forward, backward = np.empty_like(evidence), np.ones_like(evidence)
    stay, move = (1 - change).tolist(), change.tolist()
    forward[0] = row = evidence[0] / evidence[0].sum()
    for k in range(1, len(evidence)):  # rows sum up to 1
        row = (stay[k] * row + move[k] * likely) * evidence[k]
        row /= row.sum()
        forward[k] = row
    row = backward[-1]
    for k in range(len(evidence) - 1, 0, -1):
        row = row * evidence[k]
        row = stay[k] * row + move[k] * float(likely @ row)
        row /= row.max()
        backward[k - 1] = row
    return forward, backward


def _checked(transitions: Any) -> Doubles:
    """Return rows of probabilities as an array; raises ConfigError for anything else."""
    try:
        matrix = np.array(transitions, np.float64)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"The option 'transitions' is not a square of numbers: {error}.") from error
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not np.isfinite(matrix).all() or (matrix < 0).any():
        raise ConfigError("The option 'transitions' must be a square of probabilities, one row per label.")
    return matrix
