"""One row of the table: choose a setting on validation documents, then time and score the test documents."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from sector.document import Document
from splitters.peer import Peer, SplitAll
from splitters.texts import pk

REPEATS = 3
QUICK = 30.0
"""A splitter that takes longer than this, in seconds, is not timed again."""
WARM_UP = 5
"""Texts that are split before the clock starts."""


@dataclass(frozen=True, slots=True)
class Row:
    """What one splitter did."""

    name: str
    versions: str
    setting: str = ""
    seconds: float = 0.0
    pk: float = 0.0
    sections: float = 0.0
    """Sections per document."""
    failure: str = ""


def measure(peer: Peer, validation: Sequence[Document], test: Sequence[Document]) -> Row:
    """Return the row of a splitter; where it fails, the reason."""
    try:
        value = choose(peer, validation)
        split = peer.make(value)
        found, seconds = timed(split, [document.text for document in test])
    except Exception as error:  # whatever a peer raises belongs into its row
        return Row(peer.name, peer.versions(), failure=_reason(error))
    sections = sum(len({0, *begins}) for begins in found) / len(found)
    return Row(peer.name, peer.versions(), f"{peer.setting} {value}", seconds, pk(test, found), sections)


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:120]}"


def choose(peer: Peer, validation: Sequence[Document]) -> object:
    """Return the value of the grid with the lowest Pk; the only one if there is no choice."""
    if len(peer.grid) == 1:
        return peer.grid[0]
    texts = [document.text for document in validation]
    return min(peer.grid, key=lambda value: pk(validation, peer.make(value)(texts)))


def timed(split: SplitAll, texts: Sequence[str]) -> tuple[list[list[int]], float]:
    """Return what the splitter found and the mean time of the repeats."""
    split(texts[:WARM_UP])
    times: list[float] = []
    while len(times) < REPEATS and sum(times) < QUICK:
        start = time.perf_counter()
        found = split(texts)
        times.append(time.perf_counter() - start)
    return found, sum(times) / len(times)
