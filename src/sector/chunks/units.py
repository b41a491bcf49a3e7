"""Units: what a chunk is never cut inside, sentences, tables and code; and the parts of those that are too long."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from sector.arrays import Ints1d
from sector.chunks.tokens import TokenCounter
from sector.segmentation.cuts import cut_inside

PROBE = 8
"""Characters of a text per token that are looked at first, when it is searched for a place to cut it."""


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """A text's units in order, without a gap."""

    edges: Ints1d
    """int64 [units + 1]: where each begins, and the end of the text."""
    sizes: Ints1d
    """int64 [units]: the tokens of each."""
    sentences: Ints1d
    """int64 [units]: the sentence, table or code that each is, or is a part of."""

    def __len__(self) -> int:
        return len(self.sizes)


def units_of(text: str, begins: Ints1d, count: TokenCounter, limit: int) -> Units:
    """Return the units of a text whose sentences begin at ``begins``; what has more than ``limit`` tokens is divided.

    White space belongs to the sentence before it, at the begin of the text to the first.
    """
    edges = [0, *begins[1:].tolist(), len(text)]
    texts = [text[begin:end] for begin, end in pairwise(edges)]
    sizes = count(texts)
    found: list[tuple[int, int, int]] = []
    for number, (begin, size) in enumerate(zip(edges, sizes, strict=False)):
        if size <= limit:
            found.append((begin, size, number))
        else:
            found += [(begin + place, part, number) for place, part in _divided(texts[number], count, limit)]
    table = np.array(found, np.int64).reshape(-1, 3)
    return Units(np.append(table[:, 0], len(text)), table[:, 1], table[:, 2])


def _divided(text: str, count: TokenCounter, limit: int) -> Iterator[tuple[int, int]]:
    """Return the parts of a unit that is too long, by begin and size: its lines, and the parts of those too long."""
    lines = text.splitlines(keepends=True)
    begin = 0
    for line, size in zip(lines, count(lines), strict=True):
        if size <= limit:
            yield begin, size
        else:
            yield from ((begin + place, part) for place, part in _cut(line, count, limit))
        begin += len(line)


def _cut(text: str, count: TokenCounter, limit: int) -> Iterator[tuple[int, int]]:
    """Return the parts of one line: as many words as fit, and of a word that alone does not, characters."""
    begin = 0
    while begin < len(text):
        end, size = _longest(text, begin, count, limit)
        yield begin, size
        begin = end


def _longest(text: str, begin: int, count: TokenCounter, limit: int) -> tuple[int, int]:
    """Return the end and the size of the longest part from ``begin`` on that fits; at least one character."""
    low, high = begin + 1, min(len(text), begin + PROBE * limit)
    best = low
    if high == len(text) and (size := _size(text[begin:], count)) <= limit:
        return high, size
    while low <= high:
        middle = (low + high) // 2
        if _size(text[begin:middle], count) <= limit:
            best, low = middle, middle + 1
        else:
            high = middle - 1
    end = _between_words(text, begin, best)
    return end, _size(text[begin:end], count)


def _between_words(text: str, begin: int, end: int) -> int:
    return cut_inside(text, begin, end - begin) if end < len(text) else end


def _size(text: str, count: TokenCounter) -> int:
    return count([text])[0]
