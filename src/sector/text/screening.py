"""The quick look at all boundaries of a text at once, which leaves few of them to ``sector.text.repairs``.

It works on an array with one byte for each character, where ``?`` stands for all that Latin-1 does not have
and ``!`` for the question mark too.
"""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Bools1d, Ints1d
from sector.text.abbreviations import Vocabulary

Codes: TypeAlias = NDArray[np.uint8]
"""uint8 [characters]"""
BYTES = [chr(code) for code in range(256)]
ALNUM = np.array([char.isalnum() for char in BYTES])
LOWER = np.array([char.isalpha() and char.islower() for char in BYTES])
STOP, BLANK, EXCLAMATION = b". !"
SPACE = np.array([char.isspace() for char in BYTES])
BLANKS = 3
"""White space at the end of a sentence that is taken off all sentences at once."""
TAIL = 4
"""Letters in lower case after which a full stop ends a sentence, unless an abbreviation ends in them."""
TAIL_OFFSETS = np.arange(1, TAIL + 1)
TAIL_FACTORS = np.array([31**power for power in range(TAIL)])


class Screen:
    """A normalized text as an array of bytes, and what can be told from it."""

    def __init__(self, text: str, words: Vocabulary) -> None:
        self.codes = _codes(text.replace("?", "!"))
        self.words = words

    def stops(self, starts: Ints1d) -> Ints1d:
        """Return the ends of full stops before a blank and a likely first word, where no sentence begins."""
        codes = self.codes
        stops = np.flatnonzero((codes[:-3] == STOP) & (codes[1:-2] == BLANK)) + 1
        pairs = codes[stops + 1].astype(np.int64) << 8 | codes[stops + 2]
        stops = stops[_starters(self.words)[pairs]]
        cut = np.zeros(len(codes) + 1, dtype=np.bool_)
        cut[starts] = True
        inner: Ints1d = stops[~cut[stops + 1]]
        return inner

    def is_plain(self, cuts: Ints1d) -> Bools1d:
        """Whether a cut lies between a sentence's sure end, one blank, and a letter or a digit."""
        plain = np.zeros(len(cuts), dtype=np.bool_)
        early = np.searchsorted(cuts, TAIL + 2)
        ends = cuts[early:] - 2
        signs = self.codes[ends]
        sure = (signs == EXCLAMATION) | ((signs == STOP) & self._is_word(ends))
        plain[early:] = sure & (self.codes[ends + 1] == BLANK) & ALNUM[self.codes[ends + 2]]
        return plain

    def _is_word(self, ends: Ints1d) -> Bools1d:
        """Whether the last letters before a position are those of a word, and of no abbreviation."""
        letters = self.codes[ends[:, None] - TAIL_OFFSETS]
        word: Bools1d = LOWER[letters].all(axis=1) & ~_tails(self.words)[_number(letters)]
        return word


def trim(text: str, begin: Ints1d, end: Ints1d) -> tuple[Ints1d, Ints1d]:
    """Strip the white space of a normalized text from both ends of spans that are not blank."""
    codes = _codes(text)
    for _ in range(BLANKS):
        end = end - SPACE[codes[end - 1]]
    begin = begin.copy()
    for index in np.flatnonzero(SPACE[codes[end - 1]] | SPACE[codes[begin]]).tolist():
        piece = text[begin[index] : end[index]].rstrip()
        end[index] = begin[index] + len(piece)
        begin[index] = end[index] - len(piece.lstrip())
    return begin, end


def _codes(text: str) -> Codes:
    return np.frombuffer(text.encode("latin-1", "replace"), dtype=np.uint8)


def _number(letters: NDArray[np.uint8]) -> Ints1d:
    """Return each row of letters as a number of 20 bits; few rows have the same."""
    number: Ints1d = letters.astype(np.int64) @ TAIL_FACTORS
    return number & 0xFFFFF


@cache
def _tails(words: Vocabulary) -> Bools1d:
    """bool [2**20]: whether a number is that of the last letters of an abbreviation as long as a word."""
    table = np.zeros(1 << 20, dtype=np.bool_)
    for name in words.suspects:
        if len(name) >= TAIL:
            table[_number(np.frombuffer(name[: -TAIL - 1 : -1].encode("latin-1"), dtype=np.uint8))] = True
    return table


@cache
def _starters(words: Vocabulary) -> Bools1d:
    """bool [65536]: whether two characters begin a word that often begins a sentence, or blanks before it."""
    table = np.zeros((256, 256), dtype=np.bool_)
    table[BLANK] = True
    for word in words.starters:
        first, second = f"{word} ".encode("latin-1")[:2]
        table[first, second if len(word) > 1 else slice(None)] = True
    return table.reshape(-1)
