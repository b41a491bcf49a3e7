"""What a search returns: a chunk, how well it fits, and the words that show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sector.chunks import Chunk

OPEN, CLOSE = "\x02", "\x03"
"""Around matches, while snippets are on their way from a store."""


class Snippet(NamedTuple):
    """A piece of a chunk on one line."""

    text: str
    matches: tuple[tuple[int, int], ...] = ()
    """Begin and end of each word of the query in it."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that was found."""

    chunk: Chunk
    score: float
    """Higher is better; to be compared within one search only."""
    ranks: Mapping[str, int] = field(default_factory=dict)
    """Its place in each ranking that has it, from 1: "bm25", "embedding"."""
    snippet: Snippet = field(default=Snippet(""), repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object: that of the chunk, with the score and the ranks."""
        return {"score": round(self.score, 6), "ranks": dict(self.ranks), **self.chunk.to_dict()}


def marked(text: str) -> Snippet:
    """Return a snippet on one line, from a text with signs around its matches."""
    line = " ".join(text.split())
    shown, matches, at = "", [], 0
    for part in line.split(OPEN):
        matched, closed, rest = part.partition(CLOSE)
        if closed:
            matches.append((at, at + len(matched)))
        shown += matched + rest
        at = len(shown)
    return Snippet(shown, tuple(matches))
