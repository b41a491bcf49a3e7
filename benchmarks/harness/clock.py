"""How work is timed: after one run that does not count, several that do."""

from __future__ import annotations

import time
from collections.abc import Callable

REPEATS = 5


def times(work: Callable[[], object], repeats: int = REPEATS) -> list[float]:
    """Return the seconds of each repeat, the shortest first."""
    work()
    return sorted(seconds(work) for _ in range(repeats))


def median(work: Callable[[], object], repeats: int = REPEATS) -> float:
    return times(work, repeats)[repeats // 2]


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
