"""Find chunks in the text they came from, whatever happened to the white space between and inside them."""

from __future__ import annotations

from collections.abc import Iterable

PROBE = 48
"""Visible characters that are searched for where a chunk is not where the one before it ended."""


def begins(text: str, chunks: Iterable[str]) -> list[int]:
    """Return the character at which each chunk begins, in order; chunks that are not in the text are left out."""
    places = [place for place, character in enumerate(text) if not character.isspace()]
    visible = "".join(text.split())
    found: list[int] = []
    cursor = 0
    for chunk in chunks:
        wanted = "".join(chunk.split())
        at = cursor if visible.startswith(wanted, cursor) else visible.find(wanted[:PROBE], cursor)
        if wanted and at >= 0:
            found.append(places[at])
            cursor = at + len(wanted)
    return found
