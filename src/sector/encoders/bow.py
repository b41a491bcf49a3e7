"""Bag of words (section 4.1 of the paper): tf-idf weights over a fixed vocabulary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from sector.arrays import Floats1d
from sector.encoders.base import EncoderSettings
from sector.encoders.files import read_array, read_words, write_array, write_words
from sector.encoders.settings import check_positive, check_share, from_settings
from sector.encoders.sparse_rows import SparseRows
from sector.encoders.words import WordEncoder, flatten
from sector.errors import ConfigError, DataError
from sector.text.tokens import tokenize

WORDS, WEIGHTS = "vocabulary.txt", "idf.npy"


class BowEncoder(WordEncoder[SparseRows]):
    """x(s)_w = (how often w is in s) · idf(w), with idf(w) = ln((1 + N) / (1 + N_w)) + 1.

    N is the number of training documents and N_w the number of those with the word w.
    """

    name: ClassVar[str] = "bow"
    sparse: ClassVar[bool] = True
    pooling = "sum"

    def __init__(
        self,
        min_count: int = 5,
        max_words: int = 50_000,
        max_share: float = 1.0,
        stop_words: Sequence[str] = (),
    ) -> None:
        """Leave out rare words, all but the ``max_words`` most frequent, and stop words.

        A word in more than ``max_share`` of the documents is a stop word too, in whatever language.
        """
        self.min_count = check_positive("min_count", min_count)
        self.max_words = check_positive("max_words", max_words)
        self.max_share = check_share("max_share", max_share)
        self.stop_words = list(stop_words)
        self.words: list[str] = []
        self._weights: Floats1d = np.zeros(0, np.float32)
        self._numbers: dict[str, int] = {}

    @property
    def width(self) -> int:
        """The size of the vocabulary."""
        return len(self.words)

    def fit(self, documents: Iterable[Sequence[str]]) -> Self:
        """Count words and documents; the vocabulary is in order of descending count."""
        total, spread, seen = Counter[str](), Counter[str](), 0
        for sentences in documents:
            seen += 1
            words = Counter(chain.from_iterable(map(tokenize, sentences)))
            total.update(words)
            spread.update(words.keys())
        kept = self._select(total, spread, seen)
        if not kept:
            raise DataError(f"No word occurs {self.min_count} times in {seen} training documents; lower 'min_count'.")
        counts = np.array([spread[word] for word in kept], np.float64)
        self._set(kept, (np.log((1 + seen) / (1 + counts)) + 1).astype(np.float32))
        return self

    def _select(self, total: Counter[str], spread: Counter[str], documents: int) -> list[str]:
        ignored, limit = set(self.stop_words), self.max_share * documents
        frequent = (word for word, count in total.items() if count >= self.min_count)
        known = [word for word in frequent if spread[word] <= limit and word not in ignored]
        return sorted(known, key=lambda word: (-total[word], word))[: self.max_words]

    def _set(self, words: list[str], weights: Floats1d) -> None:
        self.words, self._weights = words, weights
        self._numbers = {word: number for number, word in enumerate(words)}

    def encode_tokens(self, sentences: Sequence[Sequence[str]]) -> SparseRows:
        """Return one row per sentence, each given as its words."""
        if not self.words:
            raise ConfigError("The encoder 'bow' has no vocabulary yet; call 'fit' first.")
        words, rows = flatten(sentences)
        numbers = np.fromiter((self._numbers.get(word, -1) for word in words), np.int64, len(words))
        known = numbers >= 0
        counted = SparseRows.count(rows[known], numbers[known], len(sentences), self.width)
        np.multiply(counted.values, self._weights[counted.indices], out=counted.values)
        return counted

    def save(self, folder: Path, precision: str = "float16") -> EncoderSettings:
        """Write the vocabulary and its weights."""
        write_words(folder / WORDS, self.words)
        write_array(folder / WEIGHTS, self._weights)
        kept = {"min_count": self.min_count, "max_words": self.max_words, "max_share": self.max_share}
        return {"name": self.name, **kept, "stop_words": self.stop_words}

    @classmethod
    def load(cls, folder: Path, settings: Mapping[str, Any]) -> Self:
        """Read the vocabulary and its weights."""
        encoder = from_settings(cls, settings)
        words = read_words(folder / WORDS)
        encoder._set(words, read_array(folder / WEIGHTS, (len(words),)).astype(np.float32))
        return encoder
