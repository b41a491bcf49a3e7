"""What encoders that pool over words have in common: all but the vectors themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Generic, Self, TypeVar

import numpy as np

from sector.arrays import Floats2d, Ints1d
from sector.encoders.base import EncoderSettings, InputLayer, Weights
from sector.encoders.features import WordFeatures
from sector.encoders.inputs import SparseInput, TokenInput
from sector.encoders.sparse_rows import SparseRows
from sector.text.tokens import tokenize

if TYPE_CHECKING:
    from sector.training.config import TrainingConfig
    from sector.training.prepared import PreparedData
    from sector.training.readers import SentenceReader

Vectors = TypeVar("Vectors", SparseRows, Floats2d)


class WordEncoder(Generic[Vectors]):
    """An encoder of words; a new one needs ``name``, ``width``, ``encode_tokens``, ``save`` and ``load``."""

    sparse: ClassVar[bool] = False
    int8_network: ClassVar[bool] = False
    reads_headings: ClassVar[bool] = False
    pooling: str = "mean"

    @property
    def width(self) -> int:
        """How many columns a sentence's vector has."""
        raise NotImplementedError

    def fit(self, documents: Iterable[Sequence[str]]) -> Self:
        """Learn nothing."""
        return self

    def tokenize(self, sentences: Sequence[str]) -> list[list[str]]:
        """Return the words of each sentence."""
        return [tokenize(sentence) for sentence in sentences]

    def encode(self, sentences: Sequence[str]) -> Vectors:
        """Return one row per sentence."""
        return self.encode_tokens(self.tokenize(sentences))

    def encode_tokens(self, sentences: Sequence[Sequence[str]]) -> Vectors:
        """Return one row per sentence, each given as its words."""
        raise NotImplementedError

    def features(self, tokens: Sequence[str]) -> tuple[WordFeatures, Ints1d]:
        """Return the vectors of the words that have one, and the row of each word in them."""
        rows = self.encode_tokens([[word] for word in tokens])
        if isinstance(rows, SparseRows):
            counts = np.diff(rows.offsets)
            known = counts > 0
            offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts[known])])
            features = WordFeatures(self.pooling, rows.width, rows.indices, rows.values, offsets)
        else:
            known = np.any(rows != 0, axis=1)
            features = WordFeatures(self.pooling, rows.shape[1], dense=rows[known])
        return features, np.where(known, np.cumsum(known) - 1, -1)

    @classmethod
    def reader(cls, data: PreparedData, config: TrainingConfig) -> SentenceReader:
        """Return the reader of sparse features, or of dense ones, which may be trained."""
        from sector.training.readers import SparseReader, WordReader

        if data.features.dense is None:
            return SparseReader(data.features)
        return WordReader(data.features, learn=config.learn_vectors, word_dropout=config.word_dropout)

    @classmethod
    def is_frozen(cls, config: TrainingConfig) -> bool:
        """Words are looked up: there is nothing to wait for."""
        return False

    def input_layer(self, matrix: Floats2d | None) -> InputLayer:
        """Return the layer that multiplies sparse rows with the network's first matrix, or one of dense rows."""
        return SparseInput(self, matrix) if self.sparse else TokenInput(self)

    def save(self, folder: Path, precision: str = "float16") -> EncoderSettings:
        """Write the vocabulary, if there is one, and return the settings that ``load`` needs."""
        raise NotImplementedError

    def export(self, folder: Path, weights: Weights, precision: str) -> EncoderSettings:
        """Write the same files as for training: nothing was learned of the encoder with the network."""
        return self.save(folder, precision)


def flatten(sentences: Sequence[Sequence[str]]) -> tuple[list[str], Ints1d]:
    """Return all words of the sentences in order and, for each, the number of its sentence."""
    lengths = np.fromiter(map(len, sentences), np.int64, len(sentences))
    return list(chain.from_iterable(sentences)), np.repeat(np.arange(len(sentences)), lengths)
