"""Find the words of many sentences in a fixed vocabulary at once, with arrays instead of strings.

The characters of ASCII text become numbers, and every word the value of a polynomial in them: the difference of two
running sums. A table of these values gives the words' numbers. Two words of the vocabulary with one value would be
noticed here; that an unknown word has the value of a known one is less likely than 1 in 10¹³ per word.

The words are those of ``sector.text.tokens.tokenize``, which reads the sentences that are not ASCII.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress, pairwise

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Bools1d, Ints1d
from sector.errors import ModelError
from sector.text.tokens import tokenize

DIGIT = 27
BASE = 0x9E3779B97F4A7C15
"""An odd number, so that it has an inverse modulo 2⁶⁴."""
SPREAD = np.uint64(0xD6E8FEB86659FD93)
CHARACTERS = 2**16
"""Text that is looked at together: its arrays stay in the processor's cache."""
SEPARATORS = str.maketrans(dict.fromkeys("‐‑‒–—―‘’‚“”„†‡•…‹›′″«»°·×÷¡¿§¶©®€£¥\u00a0\u2009\u202f\u200b\ufeff", " "))
"""Signs that separate words and are the most frequent ones beyond ASCII in English text."""
Keys = NDArray[np.uint64]


def _codes() -> NDArray[np.uint8]:
    """Return 1 to 26 for letters, 27 for digits and 0 for all that separates words."""
    codes = np.zeros(256, np.uint8)
    for number, letter in enumerate("abcdefghijklmnopqrstuvwxyz", start=1):
        codes[[ord(letter), ord(letter.upper())]] = number
    codes[[ord(digit) for digit in "0123456789"]] = DIGIT
    return codes


def _powers(base: int, size: int) -> Keys:
    factors = np.full(size, base, np.uint64)
    factors[0] = 1
    return np.cumprod(factors)


CODES = _codes()


class WordLookup:
    """A vocabulary of tokens. Safe to use from several threads: nothing changes after it is made."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        self._numbers = numbers
        self._powers = _powers(BASE, 2 * CHARACTERS)
        self._inverses = _powers(pow(BASE, -1, 2**64), 2 * CHARACTERS)
        plain = [word for word in numbers if word.isascii() and word]
        keys = np.concatenate([np.zeros(0, np.uint64), *(self._keys_of(part) for part in _parts(plain))])
        rows = np.fromiter((numbers[word] for word in plain), np.int64, len(plain))
        self._shift, self._keys, self._rows = _table(keys, rows)

    def find(self, sentences: Sequence[str]) -> tuple[Ints1d, Ints1d]:
        """Return the numbers of the known words of all sentences, one after the other, and how many each has."""
        plain = [sentence if sentence.isascii() else sentence.translate(SEPARATORS) for sentence in sentences]
        ascii_only = [sentence.isascii() for sentence in plain]
        if all(ascii_only):
            return self._find_all(plain)
        numbers, lengths = self._find_all(list(compress(plain, ascii_only)))
        return self._with_others(sentences, np.array(ascii_only), numbers, lengths)

    def _find_all(self, sentences: Sequence[str]) -> tuple[Ints1d, Ints1d]:
        parts = [self._find_part(part) for part in _parts(sentences)]
        if len(parts) == 1:
            return parts[0]
        empty = np.zeros(0, np.int64)
        return np.concatenate([empty, *(part[0] for part in parts)]), np.concatenate([empty, *(p[1] for p in parts)])

    def _find_part(self, sentences: Sequence[str]) -> tuple[Ints1d, Ints1d]:
        if sum(map(len, sentences)) + len(sentences) > len(self._powers):  # a single sentence of this size
            return self._one_by_one(sentences)
        keys, places = self._hashed("\n".join(sentences))
        found = self._rows_of(keys)
        known = found >= 0
        begins = np.cumsum([0, *(len(sentence) + 1 for sentence in sentences[:-1])])
        counts = np.searchsorted(places[known], begins)
        return found[known], np.diff(counts, append=int(known.sum()))

    def _one_by_one(self, sentences: Sequence[str]) -> tuple[Ints1d, Ints1d]:
        numbers = self._numbers
        found = [[numbers[word] for word in tokenize(sentence) if word in numbers] for sentence in sentences]
        lengths = np.fromiter(map(len, found), np.int64, len(found))
        return np.fromiter((number for row in found for number in row), np.int64, int(lengths.sum())), lengths

    def _with_others(
        self, sentences: Sequence[str], plain: Bools1d, numbers: Ints1d, lengths: Ints1d
    ) -> tuple[Ints1d, Ints1d]:
        """Merge the words found in ASCII sentences with those that ``tokenize`` finds in the others, in order."""
        others, other_lengths = self._one_by_one(list(compress(sentences, ~plain)))
        total = np.zeros(len(sentences), np.int64)
        total[plain], total[~plain] = lengths, other_lengths
        from_plain = np.repeat(plain, total)
        merged = np.empty(len(from_plain), np.int64)
        merged[from_plain], merged[~from_plain] = numbers, others
        return merged, total

    def _keys_of(self, words: Sequence[str]) -> Keys:
        """Return the keys of words that are tokens: letters, and ``#`` for a number."""
        return self._hashed("\n".join(words).replace("#", "0"))[0]

    def _hashed(self, text: str) -> tuple[Keys, Ints1d]:
        """Return the key of each word and where it begins."""
        codes = CODES[np.frombuffer(text.encode("ascii"), np.uint8)]
        places = None
        repeated = (codes[1:] == DIGIT) & (codes[:-1] == DIGIT)
        if repeated.any():  # a run of digits is one sign
            places = np.flatnonzero(np.concatenate([[True], ~repeated]))
            codes = codes[places]
        inside = np.concatenate([[False], codes != 0, [False]])
        edges = np.flatnonzero(inside[1:] != inside[:-1])
        begins, ends = edges[::2], edges[1::2]
        sums = np.zeros(len(codes) + 1, np.uint64)
        np.cumsum(codes * self._powers[: len(codes)], out=sums[1:])
        keys = (sums[ends] - sums[begins]) * self._inverses[begins] * SPREAD
        return keys, begins if places is None else places[begins]

    def _rows_of(self, keys: Keys) -> Ints1d:
        """Look keys up; −1 for one that is not there."""
        mask = len(self._keys) - 1
        slots = (keys >> self._shift).astype(np.int64)
        found = self._keys[slots]
        rows = np.where(found == keys, self._rows[slots], -1)
        pending = np.flatnonzero((found != keys) & (found != 0))
        while len(pending):
            slots[pending] = (slots[pending] + 1) & mask
            found = self._keys[slots[pending]]
            hit = found == keys[pending]
            rows[pending[hit]] = self._rows[slots[pending[hit]]]
            pending = pending[~hit & (found != 0)]
        return rows


def _table(keys: Keys, rows: Ints1d) -> tuple[np.uint64, Keys, Ints1d]:
    """Build an open-addressing hash table by the first bits of the keys, one third full."""
    if len(keys) != len(rows) or len(np.unique(keys)) < len(keys) or (keys == 0).any():
        raise ModelError("The vocabulary has words that are no tokens, or two that cannot be told apart; make it anew.")
    bits = max(4, int(3 * len(keys)).bit_length())
    shift, mask = np.uint64(64 - bits), 2**bits - 1
    slots = (keys >> shift).astype(np.int64)
    table, values = np.zeros(2**bits, np.uint64), np.full(2**bits, -1, np.int64)
    pending = np.arange(len(keys))
    while len(pending):
        free = pending[table[slots[pending]] == 0]
        _, first = np.unique(slots[free], return_index=True)
        chosen = free[first]
        table[slots[chosen]], values[slots[chosen]] = keys[chosen], rows[chosen]
        pending = pending[table[slots[pending]] != keys[pending]]
        slots[pending] = (slots[pending] + 1) & mask
    return shift, table, values


def _parts(sentences: Sequence[str]) -> list[Sequence[str]]:
    """Cut sentences into runs of about `CHARACTERS`."""
    ends = np.cumsum(np.fromiter(map(len, sentences), np.int64, len(sentences)) + 1)
    if not len(ends) or ends[-1] <= CHARACTERS:
        return [sentences] if len(ends) else []
    cuts = np.unique(np.searchsorted(ends, np.arange(0, int(ends[-1]) + CHARACTERS, CHARACTERS)))
    cuts = np.unique(np.concatenate([[0], cuts, [len(sentences)]]))
    return [sentences[begin:end] for begin, end in pairwise(cuts)]
