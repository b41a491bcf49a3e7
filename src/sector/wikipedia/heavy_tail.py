"""How unequal headings are: the figures with which the paper shows that their distribution has a heavy tail."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sector.datasets.statistics import HeadingRow

FREQUENT = 25
"""The paper counts the headings that appear more often than this."""
RARE = 2
"""And those that appear at most so often."""


@dataclass(frozen=True, slots=True)
class HeavyTail:
    """Figures of a distribution of headings; shares are between 0 and 1."""

    headings: int
    """Distinct ones."""
    occurrences: int
    once: float
    """Share of headings that appear once."""
    rare: float
    """Share that appear once or twice (paper: 88 % for English diseases)."""
    frequent: float
    """Share that appear more than 25 times (paper: roughly 1 %)."""
    top_percent: float
    """Share of all occurrences that the most frequent hundredth of the headings has."""
    head: int
    """Headings more frequent than the mean: the head of the head/tail division."""
    head_occurrences: float
    """Share of all occurrences that this head has."""
    exponent: float
    """Of the power law p(frequency) ~ frequency^-exponent, by maximum likelihood; nan without headings."""
    entropy: float
    """Of the distribution of headings, in bits."""


def heavy_tail(rows: Sequence[HeadingRow]) -> HeavyTail:
    """Measure headings, which come in falling order of frequency."""
    counts = [row.frequency for row in rows]
    number, total = len(counts), sum(counts)
    mean = total / number if number else 0.0
    head = sum(count > mean for count in counts)
    top = math.ceil(number / 100)
    return HeavyTail(
        headings=number,
        occurrences=total,
        once=_share(sum(count == 1 for count in counts), number),
        rare=_share(sum(count <= RARE for count in counts), number),
        frequent=_share(sum(count > FREQUENT for count in counts), number),
        top_percent=_share(sum(counts[:top]), total),
        head=head,
        head_occurrences=_share(sum(counts[:head]), total),
        exponent=_exponent(counts),
        entropy=sum(-count / total * math.log2(count / total) for count in counts),
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _exponent(counts: Sequence[int]) -> float:
    """Find the exponent of a discrete power law from 1 on: where the mean logarithm is the law's own.

    The law's mean logarithm, -ζ'(s)/ζ(s), falls with s, so that halving an interval finds it.
    """
    if not counts:
        return math.nan
    wanted = sum(math.log(count) for count in counts) / len(counts)
    low, high = 1.01, 20.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if _mean_logarithm(middle) > wanted else (low, middle)
    return (low + high) / 2


def _mean_logarithm(exponent: float, terms: int = 200) -> float:
    """Return -ζ'(s)/ζ(s): the sum of some terms and the integral of the others (Euler and Maclaurin)."""
    s, n = exponent, terms
    zeta = sum(k**-s for k in range(1, n)) + n ** (1 - s) / (s - 1) + n**-s / 2
    logs = sum(math.log(k) * k**-s for k in range(2, n))
    tail = n ** (1 - s) * (math.log(n) / (s - 1) + 1 / (s - 1) ** 2)
    return float((logs + tail + math.log(n) * n**-s / 2) / zeta)
