"""Word vectors: words and one row of numbers for each; ``vector_files`` reads those of others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from sector.arrays import Floats2d, Ints1d
from sector.encoders.files import read_array, read_words, write_array, write_words
from sector.errors import DataError
from sector.text.tokens import tokenize

WORDS, MATRIX, SCALES, COUNTS = "words.txt", "vectors.npy", "scales.npy", "counts.npy"
PRECISIONS = ("float32", "float16", "int8")


@dataclass(frozen=True, slots=True, eq=False)
class WordVectors:
    """Words, in order of descending frequency as far as it is known, and their vectors."""

    words: Sequence[str]
    matrix: Floats2d
    """float32 [words, dimensions]"""
    counts: Ints1d | None = None
    """int64 [words]: how often each word is in the text that the vectors were trained on, where that is known."""

    def __post_init__(self) -> None:
        if self.matrix.ndim != 2 or len(self.words) != len(self.matrix):
            shape = self.matrix.shape
            raise DataError(f"There are {len(self.words)} words and vectors {shape}; give a row per word.")

    def __len__(self) -> int:
        return len(self.words)

    @property
    def width(self) -> int:
        """How many dimensions a vector has."""
        return int(self.matrix.shape[1])

    def as_tokens(self) -> WordVectors:
        """Spell words as ``tokenize`` does and keep those that are one token; the first one of equals."""
        rows: dict[str, int] = {}
        for row, word in enumerate(self.words):
            tokens = tokenize(word)
            if len(tokens) == 1:
                rows.setdefault(tokens[0], row)
        kept = list(rows.values())
        return WordVectors(list(rows), self.matrix[kept], None if self.counts is None else self.counts[kept])

    def save(self, folder: Path, precision: str = "float32") -> None:
        """Write ``words.txt`` and ``vectors.npy``, and ``counts.npy`` where there are any.

        With ``int8`` a vector is integers up to 127 and a scale in ``scales.npy``.
        """
        for name in (SCALES, COUNTS):  # of vectors that were here before
            (folder / name).unlink(missing_ok=True)
        write_words(folder / WORDS, self.words)
        if precision == "int8":
            scales = np.maximum(np.abs(self.matrix).max(axis=1, initial=0.0), 1e-12) / 127
            write_array(folder / MATRIX, np.round(self.matrix / scales[:, None]).astype(np.int8))
            write_array(folder / SCALES, scales.astype(np.float32))
        else:
            write_array(folder / MATRIX, self.matrix.astype(precision))
        if self.counts is not None:
            write_array(folder / COUNTS, self.counts)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what ``save`` wrote; raises ModelError for files that are missing or broken."""
        words = read_words(folder / WORDS)
        rows = read_array(folder / MATRIX, (len(words), None))
        matrix = rows.astype(np.float32)
        if rows.dtype.kind in "iu":
            matrix *= read_array(folder / SCALES, (len(words),)).astype(np.float32)[:, None]
        counted = (folder / COUNTS).is_file()
        return cls(words, matrix, read_array(folder / COUNTS, (len(words),)).astype(np.int64) if counted else None)
