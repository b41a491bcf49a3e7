"""Where a section that is too long is cut: between paragraphs, else between items and sentences, else at lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from sector.arrays import Bools1d, Ints1d
from sector.structure.blocks import Block
from sector.structure.flow import Flow

LINE = re.compile(r"\n[ \t]*(?=\S)")


def places_to_cut(blocks: Sequence[Block], sentences: Flow) -> tuple[Ints1d, ...]:
    """Return positions in the text in three sorted arrays, those of the first being the best places."""
    kinds = [block.kind for block in blocks]
    begins = sentences.spans.begin
    loose = _after_headings(kinds, sentences)
    paragraph = np.array([_is_apart(kinds, number) for number in range(len(kinds))], np.bool_)
    best = begins[sentences.is_first & paragraph[sentences.blocks] & ~loose]
    return best, begins[~loose], _lines(blocks)


def _after_headings(kinds: Sequence[str], sentences: Flow) -> Bools1d:
    """Return before which sentences a heading stands, so that a cut there would leave it behind."""
    follows = np.array([number > 0 and kinds[number - 1] == "heading" for number in range(len(kinds))], np.bool_)
    return sentences.is_first & follows[sentences.blocks]


def _is_apart(kinds: Sequence[str], number: int) -> bool:
    """Whether a block is prose and no further item of a list."""
    kind = kinds[number]
    if kind in ("code", "table", "boilerplate"):
        return False
    return not (kind in ("list_item", "quote") and number > 0 and kinds[number - 1] == kind)


def _lines(blocks: Sequence[Block]) -> Ints1d:
    """Return where lines of code and rows of tables begin."""
    found = [
        block.begin + match.start() + 1 for block in blocks if not block.is_prose for match in LINE.finditer(block.text)
    ]
    return np.array(found, np.int64)


def cut_at(places: Sequence[Ints1d], begin: int, end: int, limit: int) -> int | None:
    """Return where to cut ``[begin, end)`` so that the first part is at most ``limit`` long; None for nowhere.

    A worse place is taken only if the best ones would leave less than half of the limit.
    """
    fallback: int | None = None
    for positions in places:
        low, high = np.searchsorted(positions, [begin + 1, min(begin + limit, end - 1) + 1])
        if high > low:
            latest = int(positions[high - 1])
            if latest - begin >= limit // 2:
                return latest
            fallback = fallback if fallback is not None else latest
    return fallback
