"""The paper's baseline "max": a section lasts while its label is among the two best of each sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np

from sector.arrays import Bools1d, Floats1d, Floats2d, Ints1d
from sector.errors import ConfigError
from sector.segmentation.base import Reading, no_deviation, starts_from
from sector.visible import brief

Rule = Literal["section", "sentence"]
BLOCK = 4096


@dataclass(frozen=True, slots=True)
class MaxLabel:
    """Begins a section where the labels no longer agree."""

    name: ClassVar[str] = "max"

    rule: Rule = "section"
    """"section" (the authors' code): the best label of the section's mean so far must be one of the
    sentence's two best. "sentence" (the paper's words): neighbours must share one of their two best."""
    blank_maxima: bool = False
    """Whether to repeat a flaw of the authors' code: its second best label is the best of those that are no
    running maximum when the scores are read in order, so that [.3, .5, .1, .1] gives 1 and 2, not 1 and 0."""

    def __post_init__(self) -> None:
        if self.rule not in get_args(Rule):
            raise ConfigError(f"The option 'rule' is {brief(self.rule)}; it must be one of: section, sentence.")

    def starts(self, reading: Reading) -> Ints1d:
        """Return the sentences that do not go on with the section before them."""
        best = top_two(reading.probabilities, self.blank_maxima)
        if self.rule == "sentence":
            return starts_from(_share_nothing(best))
        return starts_from(_leaves_section(reading.probabilities, best))

    def deviation(self, reading: Reading) -> Floats1d:
        """Return zeros."""
        return no_deviation(reading)


def top_two(probabilities: Floats2d, blank_maxima: bool = False) -> Ints1d:
    """Return int64 [rows, 2]: the best and the second best column of each row; the first one of equals."""
    best = np.zeros((len(probabilities), 2), np.int64)
    if probabilities.shape[1]:
        for begin in range(0, len(probabilities), BLOCK):
            rows = np.array(probabilities[begin : begin + BLOCK], np.float64)
            best[begin : begin + BLOCK] = _top_two_of_block(rows, blank_maxima)
    return best


def _top_two_of_block(rows: np.ndarray[tuple[int, int], np.dtype[np.float64]], blank_maxima: bool) -> Ints1d:
    first = rows.argmax(axis=1)
    if blank_maxima:
        running = np.maximum.accumulate(rows, axis=1)
        rows[:, 1:][rows[:, 1:] > running[:, :-1]] = -np.inf
        rows[:, 0] = -np.inf
    rows[np.arange(len(rows)), first] = -np.inf
    return np.stack([first, rows.argmax(axis=1)], axis=1)


def _share_nothing(best: Ints1d) -> Bools1d:
    shared = (best[1:, :, None] == best[:-1, None, :]).any(axis=(1, 2))
    return np.concatenate([np.ones(min(1, len(best)), np.bool_), ~shared])


def _leaves_section(probabilities: Floats2d, best: Ints1d) -> Bools1d:
    leaves = np.ones(len(best), np.bool_)
    total = np.zeros(probabilities.shape[1])
    pairs = best.tolist()
    for i in range(1, len(pairs)):
        total += probabilities[i - 1]
        leaves[i] = probabilities.shape[1] > 0 and total.argmax() not in pairs[i]
        if leaves[i]:
            total[:] = 0
    return leaves
