"""Bloom filter embedding (section 4.1 of the paper): every word sets k of m positions, whatever the word.

There is no vocabulary. The authors' code keeps a position only if some frequent training word sets it; with
more than about 5,000 training words nearly all 4,096 positions are set, so that every word passes. Without
this filter the encoder needs no training data: any word of any language has its vector.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from sector.encoders.base import EncoderSettings
from sector.encoders.murmur import MASK, murmur3
from sector.encoders.settings import check_choice, check_positive, from_settings
from sector.encoders.sparse_rows import SparseRows
from sector.encoders.words import WordEncoder, flatten

CACHED_WORDS = 2**18
"""How many words keep their positions in memory (about 50 MB); then the cache starts anew."""


class BloomEncoder(WordEncoder[SparseRows]):
    """x(s) = Σ over the words w of s, Σ over i < k, of A(hash_i(w)) in m positions."""

    name: ClassVar[str] = "bloom"
    sparse: ClassVar[bool] = True

    def __init__(self, positions: int = 4096, hashes: int = 5, values: str = "counts") -> None:
        """``values`` is "counts" (the paper: words add up) or "bits" (every value is 0 or 1)."""
        self.positions = check_positive("positions", positions)
        self.hashes = check_positive("hashes", hashes)
        self.values = check_choice("values", values, ("counts", "bits"))
        self.pooling = "sum" if values == "counts" else "clip"
        self._lock = Lock()
        self._words = _HashedWords(self.positions, self.hashes)

    @property
    def width(self) -> int:
        """The number of positions, m."""
        return self.positions

    def encode_tokens(self, sentences: Sequence[Sequence[str]]) -> SparseRows:
        """Return one row per sentence, each given as its words."""
        words, row_of_word = flatten(sentences)
        columns = self._columns(words)
        rows = np.repeat(row_of_word, self.hashes)
        if (columns < 0).any():
            rows, columns = rows[columns >= 0], columns[columns >= 0]
        encoded = SparseRows.count(rows, columns, len(sentences), self.positions)
        if self.values == "bits":
            encoded.values.fill(1)
        return encoded

    def _columns(self, words: Sequence[str]) -> NDArray[np.int32]:
        """Return the k positions of every word, one after the other; -1 for repetitions within a word."""
        with self._lock:
            if len(self._words) > CACHED_WORDS:
                self._words = _HashedWords(self.positions, self.hashes)
            return self._words.columns(words)

    def save(self, folder: Path, precision: str = "float16") -> EncoderSettings:
        """Return the settings; there are no files."""
        return {"name": self.name, "positions": self.positions, "hashes": self.hashes, "values": self.values}

    @classmethod
    def load(cls, folder: Path, settings: Mapping[str, Any]) -> Self:
        """Make the encoder from its settings."""
        return from_settings(cls, settings)


def bloom_positions(word: str, positions: int = 4096, hashes: int = 5) -> list[int]:
    """Return ((h1 + i·h2 mod 2^64) without its sign bit) mod m for i < k, with h1, h2 = murmur3(word)."""
    h1, h2 = murmur3(word.encode("utf-8", "surrogatepass"))
    return [(h1 + i * h2 & MASK >> 1) % positions for i in range(hashes)]


class _HashedWords(dict[str, int]):
    """Word → row of a growing table of positions; a word that is asked for is added."""

    def __init__(self, positions: int, hashes: int) -> None:
        super().__init__()
        self._positions, self._hashes = positions, hashes
        self._added: list[list[int]] = []
        self._table = np.zeros((1024, hashes), np.int32)
        self._filled = 0

    def __missing__(self, word: str) -> int:
        found = bloom_positions(word, self._positions, self._hashes)
        self._added.append([column if column not in found[:i] else -1 for i, column in enumerate(found)])
        self[word] = row = len(self)
        return row

    def columns(self, words: Sequence[str]) -> NDArray[np.int32]:
        rows = np.fromiter(map(self.__getitem__, words), np.int64, len(words))
        self._store()
        return self._table[rows].ravel()

    def _store(self) -> None:
        needed = self._filled + len(self._added)
        if needed > len(self._table):
            grown = np.zeros((max(needed, 2 * len(self._table)), self._hashes), np.int32)
            grown[: self._filled] = self._table[: self._filled]
            self._table = grown
        if self._added:
            self._table[self._filled : needed] = self._added
        self._filled, self._added = needed, []
