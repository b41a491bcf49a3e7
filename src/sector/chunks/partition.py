"""The one dynamic programme that chooses chunks: the best sum of their begins' values and of their fill.

A chunk costs a price, which is higher for one that is little filled, and gains the value of its begin. The higher the
price, the fewer and fuller chunks are best. All prices are tried at once, and the lowest that fills chunks enough wins:
so many good begins as the fill allows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sector.arrays import Ints1d
from sector.chunks.values import Values

PRICES = np.geomspace(0.25, 64.0, 32)
EMPTINESS = 0.5
"""How much more a chunk costs that is almost empty."""


@dataclass(frozen=True, slots=True, eq=False)
class Costs:
    """What chunks are chosen by."""

    sizes: Ints1d
    """int64 [units]: the tokens of each, none above the limit."""
    repeated: Ints1d
    """int64 [units]: the tokens before each unit that a chunk which begins with it repeats."""
    values: Values
    """float64 [units]: how good a begin each is."""
    limit: int
    fill: float
    """Mean share of the limit that chunks should have."""


def partition(costs: Costs) -> Ints1d:
    """Return the units that chunks begin with, 0 first; none if there are no units."""
    count = len(costs.sizes)
    if not count:
        return np.zeros(0, np.int64)
    ends = _search(costs)
    total = int(costs.sizes.sum())
    best: Ints1d = np.zeros(0, np.int64)
    for column in range(len(PRICES)):
        begins = _followed(ends[:, column], count)
        if not len(best) or len(begins) < len(best):
            best = begins
        if total >= costs.fill * len(best) * costs.limit:
            break
    return best


def _search(costs: Costs) -> Ints1d:
    """Return int64 [units, prices]: where the best chunk from each unit on ends."""
    count = len(costs.sizes)
    edges = np.concatenate([[0], np.cumsum(costs.sizes)])
    room = np.maximum(costs.limit - costs.repeated, costs.sizes)
    last = np.searchsorted(edges, edges[:-1] + room, side="right") - 1
    least = np.zeros((count + 1, len(PRICES)))
    ends = np.zeros((count, len(PRICES)), np.int64)
    columns = np.arange(len(PRICES))
    for unit in range(count - 1, -1, -1):
        end = max(int(last[unit]), unit + 1)
        empty = 1 - np.minimum((edges[unit + 1 : end + 1] - edges[unit]) / costs.limit, 1.0)
        reached = (1 + EMPTINESS * empty**2)[:, None] * PRICES + least[unit + 1 : end + 1]
        chosen = reached.argmin(axis=0)
        ends[unit] = chosen + unit + 1
        least[unit] = reached[chosen, columns] - costs.values[unit]
    return ends


def _followed(ends: Ints1d, count: int) -> Ints1d:
    begins = [0]
    while (end := int(ends[begins[-1]])) < count:
        begins.append(end)
    return np.array(begins, np.int64)
