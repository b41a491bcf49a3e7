"""From sentences to the graph's input: every word brings its own row, and a sentence adds them up.

Most encoders pool over words, and the first matrix of the network is linear. So a word's part of the input is its
vector or, for a sparse encoder, computed when the word is first met, and kept: a sentence costs one look-up and one
addition per word. Pretrained encoders read whole sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain
from threading import Lock
from typing import Any, Protocol

import numpy as np

from sector.arrays import Floats1d, Floats2d, Ints1d
from sector.encoders.base import Rows
from sector.encoders.lookup import WordLookup
from sector.encoders.sparse_rows import SparseRows
from sector.errors import ModelError

CACHED_WORDS = 2**17
"""Words that keep their rows; then the table starts anew, so that memory stays bounded."""
SENTENCES = 4096
"""Sentences whose words are in memory at once."""
BLOCK = 8192
"""Words whose rows are gathered at once: few enough to stay in the processor's cache."""


class TokenEncoder(Protocol):
    """The part of an encoder that runs in a model."""

    @property
    def pooling(self) -> str:
        """How the rows of words make a sentence's."""
        ...

    @property
    def width(self) -> int:
        """How many columns a sentence's vector has."""
        ...

    def tokenize(self, sentences: Sequence[str]) -> Sequence[Sequence[Any]]:
        """Return what the encoder reads of each sentence."""
        ...

    def encode_tokens(self, sentences: Sequence[Sequence[Any]]) -> SparseRows | Floats2d:
        """Return one row per sentence."""
        ...


class TokenInput:
    """Any encoder of dense vectors, as it is. As safe to use from several threads as the encoder is."""

    projected: int | None = None

    def __init__(self, encoder: TokenEncoder) -> None:
        self._encoder = encoder

    def looked_up(self, sentences: Sequence[str], flags: Floats2d | None = None) -> Rows:
        """Find the words now, and return what computes their rows, for another thread to call."""
        return partial(self._joined, self._encoder.tokenize(sentences), flags)

    def _joined(self, tokens: Sequence[Sequence[Any]], flags: Floats2d | None) -> Floats2d:
        begins = range(0, max(1, len(tokens)), SENTENCES)
        rows = np.concatenate([self._encoder.encode_tokens(tokens[i : i + SENTENCES]) for i in begins])
        return _beside(rows, flags)


class VectorInput:
    """Word vectors of a fixed vocabulary. Safe to use from several threads."""

    projected: int | None = None

    def __init__(self, vectors: Floats2d, vocabulary: Mapping[str, int], pooling: str) -> None:
        """``vectors`` are float32 [words, width], ``vocabulary`` has each word's row; ``pooling``: "mean" or "root"."""
        self._vectors, self._root = vectors, pooling == "root"
        self._lookup = WordLookup(vocabulary)

    def looked_up(self, sentences: Sequence[str], flags: Floats2d | None = None) -> Rows:
        """Find the words now, and return what computes their rows, for another thread to call."""
        return partial(self._averages, *self._lookup.find(sentences), flags)

    def _averages(self, numbers: Ints1d, lengths: Ints1d, flags: Floats2d | None) -> Floats2d:
        """Divide the sums by the number of known words of each sentence, or by its root."""
        divisors = np.maximum(lengths, 1).astype(np.float32)
        if self._root:
            np.sqrt(divisors, out=divisors)
        rows = _sums(self._vectors, numbers, lengths)
        rows /= divisors[:, None]
        return _beside(rows, flags)


class SparseInput:
    """A sparse encoder and the network's first matrix. Safe to use from several threads."""

    def __init__(self, encoder: TokenEncoder, matrix: Floats2d | None) -> None:
        if matrix is None or len(matrix) < encoder.width:
            raise ModelError(f"The model's input.npy is missing or has fewer rows than its encoder's {encoder.width}.")
        self._encoder = encoder
        self._matrix, self._flags = matrix[: encoder.width], matrix[encoder.width :]
        self._lock = Lock()
        self._table = _WordTable(self._rows_of_words)

    @property
    def projected(self) -> int | None:
        """How many columns the first matrix has."""
        return int(self._matrix.shape[1])

    def looked_up(self, sentences: Sequence[str], flags: Floats2d | None = None) -> Rows:
        """Find the words now, and return what computes their rows, for another thread to call."""
        begins = range(0, max(1, len(sentences)), SENTENCES)
        return partial(self._joined, [self._block(sentences[i : i + SENTENCES]) for i in begins], flags)

    def _joined(self, blocks: Sequence[Rows], flags: Floats2d | None) -> Floats2d:
        rows = np.concatenate([block() for block in blocks]) if len(blocks) > 1 else blocks[0]()
        return rows if flags is None else rows + flags @ self._flags

    def _block(self, sentences: Sequence[str]) -> Rows:
        tokens = self._encoder.tokenize(sentences)
        return self._clipped(tokens) if self._encoder.pooling == "clip" else self._pooled(tokens)

    def _clipped(self, tokens: Sequence[Sequence[str]]) -> Rows:
        """Multiply whole sentences: where values are cut at 1, words do not add up."""
        return partial(self._encoded(tokens).dot, self._matrix)

    def _pooled(self, tokens: Sequence[Sequence[str]]) -> Rows:
        words = list(chain.from_iterable(tokens))
        lengths = np.fromiter(map(len, tokens), np.int64, len(tokens))
        with self._lock:
            if len(self._table) > CACHED_WORDS:
                self._table = _WordTable(self._rows_of_words)
            numbers = self._table.numbers(words)
            return partial(_sums, self._table.rows, numbers, lengths)

    def _rows_of_words(self, words: Sequence[str]) -> Floats2d:
        return self._encoded([[word] for word in words]).dot(self._matrix)

    def _encoded(self, tokens: Sequence[Sequence[str]]) -> SparseRows:
        encoded = self._encoder.encode_tokens(tokens)
        assert isinstance(encoded, SparseRows)
        return encoded


class _WordTable(dict[str, int]):
    """Word → row number, in a matrix that grows with the words it is asked for."""

    def __init__(self, rows_of_words: Callable[[Sequence[str]], Floats2d]) -> None:
        super().__init__()
        self._rows_of_words = rows_of_words
        self._new: list[str] = []
        self._filled = 0
        self.rows: Floats2d = rows_of_words([])

    def __missing__(self, word: str) -> int:
        self._new.append(word)
        self[word] = number = len(self)
        return number

    def numbers(self, words: Sequence[str]) -> Ints1d:
        """Return each word's row number; rows of new words are computed."""
        numbers = np.fromiter(map(self.__getitem__, words), np.int64, len(words))
        if self._new:
            self._add(self._rows_of_words(self._new))
            self._new = []
        return numbers

    def _add(self, rows: Floats2d) -> None:
        needed = self._filled + len(rows)
        if needed > len(self.rows):  # a new array: other threads may be reading the old one
            size = max(needed, 2 * len(self.rows), 1024)
            grown = np.zeros((size, rows.shape[1]), np.float32)
            grown[: self._filled] = self.rows[: self._filled]
            self.rows = grown
        self.rows[self._filled : needed] = rows
        self._filled = needed


def _beside(rows: Floats2d, flags: Floats2d | None) -> Floats2d:
    return rows if flags is None else np.concatenate([rows, flags], axis=1)


def _long_sum(table: Floats2d, numbers: Ints1d) -> Floats1d:
    """Add up the rows of a sentence of any length, block by block."""
    total = np.zeros(table.shape[1], np.float32)
    for begin in range(0, len(numbers), BLOCK):
        total += table[numbers[begin : begin + BLOCK]].sum(axis=0)
    return total


def _sums(table: Floats2d, numbers: Ints1d, lengths: Ints1d) -> Floats2d:
    """Add up the rows of each sentence's words; zeros for a sentence without words."""
    sums = np.zeros((len(lengths), table.shape[1]), np.float32)
    filled = np.flatnonzero(lengths)
    ends = np.cumsum(lengths[filled])
    begins = ends - lengths[filled]
    first = 0
    while first < len(filled):
        if lengths[filled[first]] > BLOCK:
            sums[filled[first]] = _long_sum(table, numbers[begins[first] : ends[first]])
            first += 1
            continue
        last = max(first + 1, int(np.searchsorted(ends, begins[first] + BLOCK, side="right")))
        gathered = table[numbers[begins[first] : ends[last - 1]]]
        sums[filled[first:last]] = np.add.reduceat(gathered, begins[first:last] - begins[first], axis=0)
        first = last
    return sums
