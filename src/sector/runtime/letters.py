"""How familiar a text's runs of four characters are: they tell known prose from numbers, code, other languages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Ints1d

GRAM = 4
"""Characters of a run."""
BUCKETS = 2**16
"""Numbers that runs have; two runs may have one in common."""
OTHER, SPACE, DIGIT, LETTER, STOP, MARK, SYMBOL = range(7)
"""What a character is that is no letter of the alphabet."""
LETTERS = 64 - SYMBOL - 1
"""Most letters of an alphabet."""
LATIN = 0x250
"""The characters below it are looked at one by one."""
BLOCK = 2**20
"""Characters that are in memory at once."""
PADS = bytes([SPACE]) * GRAM, bytes([SPACE]) * (GRAM - 1)
"""Spaces before a text of even and of odd length: no run has characters of two texts, and all begin at even places."""
MULTIPLIER = np.uint32(2654435761)
"""Knuth's, of a multiplicative hash."""
Bytes1d: TypeAlias = NDArray[np.uint8]


class Letters:
    """An alphabet, by which characters are told apart. Safe to use from several threads."""

    def __init__(self, alphabet: str) -> None:
        self.alphabet = alphabet[:LETTERS]
        self._classes = _classes(self.alphabet)
        self._ascii = self._classes[:256].tobytes()

    def sums(self, texts: Sequence[str], weights: NDArray[np.int8]) -> Ints1d:
        """Return int64 [texts]: the weights of the runs of each text, added up. ``weights`` are [BUCKETS]."""
        found = [np.zeros(0, np.int64)]
        for block in _blocks(texts):
            starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes(block))[:-1]])
            found.append(np.add.reduceat(weights[self.buckets(block)], starts, dtype=np.int64))
        return np.concatenate(found)

    def counts(self, texts: Sequence[str]) -> Ints1d:
        """Return int64 [BUCKETS]: how often the texts have each run."""
        found = np.zeros(BUCKETS, np.int64)
        for block in _blocks(texts):
            found += np.bincount(self.buckets(block), minlength=BUCKETS)
        return found

    def buckets(self, texts: Sequence[str]) -> Ints1d:
        """Return the bucket of every second run, as many for each text as `sizes` says."""
        kinds = b"".join([PADS[len(text) % 2] + self._kinds(text) for text in texts]) + PADS[0]
        pairs = np.frombuffer(kinds, "<u2").astype(np.uint32)
        runs = pairs[1:-1] << np.uint32(16)
        runs |= pairs[:-2]
        runs *= MULTIPLIER
        runs >>= np.uint32(16)
        return runs.astype(np.intp)

    def _kinds(self, text: str) -> bytes:
        """Return what each character is."""
        if text.isascii():
            return text.encode("ascii").translate(self._ascii)
        points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
        return self._classes.take(points, mode="clip").tobytes()


def sizes(texts: Sequence[str]) -> Ints1d:
    """Return int64 [texts]: how many runs of each text are looked at."""
    return (np.fromiter(map(len, texts), np.int64, len(texts)) + GRAM) // 2


def _blocks(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Return some texts at a time."""
    first = characters = 0
    for number, text in enumerate(texts):
        if number > first and characters + len(text) > BLOCK:
            yield texts[first:number]
            first, characters = number, 0
        characters += len(text)
    if first < len(texts):
        yield texts[first:]


def _classes(alphabet: str) -> Bytes1d:
    """Return what each code point is, the last entry for all beyond."""
    found = np.full(0x10000, OTHER, np.uint8)
    found[:LATIN] = [_class(chr(point)) for point in range(LATIN)]
    found[0x2000:0x200B], found[0x2010:0x2027] = SPACE, MARK
    for number, letter in enumerate(alphabet, start=SYMBOL + 1):
        for written in (letter, letter.upper()):
            if len(written) == 1 and ord(written) < len(found) - 1:
                found[ord(written)] = number
    return found


def _class(character: str) -> int:
    kinds: tuple[tuple[Any, int], ...] = (
        (character.isspace(), SPACE),
        (character.isdigit(), DIGIT),
        (character.isalpha(), LETTER),
        (character in ".,;:!?", STOP),
        (character in "-()'\"«»", MARK),
    )
    return next((kind for holds, kind in kinds if holds), SYMBOL)
