"""Several rankings become one: reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

CONSTANT = 60
"""The higher, the less the first places count."""


def fused(rankings: Mapping[str, Sequence[int]]) -> list[tuple[int, float, dict[str, int]]]:
    """Return all numbers with the sum of 1 / (60 + rank) and their ranks, best first.

    Among equals, what one ranking has higher comes first, and then the lower number.
    """
    ranks: defaultdict[int, dict[str, int]] = defaultdict(dict)
    for name, numbers in rankings.items():
        for rank, number in enumerate(numbers, 1):
            ranks[number][name] = rank
    scored = [(number, sum(1 / (CONSTANT + rank) for rank in own.values()), own) for number, own in ranks.items()]
    return sorted(scored, key=lambda found: (-found[1], min(found[2].values()), found[0]))
