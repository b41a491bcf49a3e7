"""Sentence vectors on the device: kept as they are stored, gathered by sentence number without a loop."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from sector.training.prepared import SplitData, WordFeatures


class SentenceTable:
    """All sentence vectors of a split, as rows that a batch takes by number."""

    def __init__(self, features: WordFeatures, split: SplitData, device: torch.device) -> None:
        self.device = device
        self._flags = torch.from_numpy(split.flags).to(device)
        make = _pool_sparse if features.dense is None else _keep_words
        self._table = make(features, split, device)

    def rows(self, numbers: NDArray[np.int64], word_dropout: float = 0.0) -> Tensor:
        """Give the vectors [len(numbers), inputs] of these sentences, flags last; dense ones may lack some words."""
        chosen = torch.from_numpy(numbers).to(self.device)
        vectors = self._table.rows(numbers, chosen, word_dropout)
        if self._flags.shape[1]:
            vectors = torch.cat([vectors, self._flags[chosen].to(vectors.dtype)], dim=1)
        return vectors


@dataclass(frozen=True, slots=True, eq=False)
class _Lists:
    """Where each sentence's entries stand among those of all."""

    offsets: Tensor
    lengths: NDArray[np.int64]
    """On the host, so that no batch waits for the device."""

    def entries(self, numbers: NDArray[np.int64], chosen: Tensor) -> tuple[Tensor, Tensor]:
        """Give the entries of these sentences and, for each, which of the sentences it belongs to."""
        counts = torch.from_numpy(self.lengths[numbers]).to(chosen.device)
        total = int(self.lengths[numbers].sum())
        row = torch.repeat_interleave(counts, output_size=total)
        first = self.offsets[chosen] - (counts.cumsum(0) - counts)
        return torch.arange(total, device=chosen.device) + first[row], row


@dataclass(frozen=True, slots=True, eq=False)
class _SparseTable:
    """Sentences as columns and values: words are pooled already."""

    lists: _Lists
    indices: Tensor
    values: Tensor
    width: int

    def rows(self, numbers: NDArray[np.int64], chosen: Tensor, word_dropout: float) -> Tensor:
        entry, row = self.lists.entries(numbers, chosen)
        vectors = torch.zeros(len(numbers), self.width, device=chosen.device)
        vectors[row, self.indices[entry].long()] = self.values[entry].float()
        return vectors


@dataclass(frozen=True, slots=True, eq=False)
class _WordTable:
    """Sentences as words with dense features, pooled when they are asked for."""

    lists: _Lists
    words: Tensor
    features: Tensor
    pooling: str

    def rows(self, numbers: NDArray[np.int64], chosen: Tensor, word_dropout: float) -> Tensor:
        """Add up the words' rows per sentence, over n or √n; a sentence without words is the zero vector."""
        entry, row = self.lists.entries(numbers, chosen)
        if word_dropout:
            kept = torch.rand(len(entry), device=chosen.device) >= word_dropout
            entry, row = entry[kept], row[kept]
        counts = torch.bincount(row, minlength=len(numbers))
        begins = counts.cumsum(0) - counts
        summed = torch.nn.functional.embedding_bag(self.words[entry], self.features, begins, mode="sum")
        divisors = counts.clamp(min=1).float()
        return summed / (divisors.sqrt() if self.pooling == "root" else divisors)[:, None]


def _pool_sparse(features: WordFeatures, split: SplitData, device: torch.device) -> _SparseTable:
    """Sum the words' columns per sentence: sort (sentence, column) keys and add up equal ones."""
    assert features.indices is not None and features.values is not None and features.offsets is not None
    sentence_of_word = np.repeat(np.arange(split.sentences), np.diff(split.word_offsets))
    begin, length = features.offsets[:-1][split.words], np.diff(features.offsets)[split.words]
    entry = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length) + np.repeat(begin, length)
    sentence = np.repeat(sentence_of_word, length)
    keys = torch.from_numpy(sentence * features.width + features.indices[entry]).to(device)
    keys, order = torch.unique(keys, return_inverse=True)
    values = torch.zeros(len(keys), device=device)
    values.index_add_(0, order, torch.from_numpy(features.values[entry]).to(device))
    if features.pooling == "clip":
        values.clamp_(max=1.0)
    offsets = torch.searchsorted(keys, torch.arange(split.sentences + 1, device=device) * features.width)
    return _SparseTable(
        lists=_Lists(offsets, np.diff(offsets.cpu().numpy())),
        indices=(keys % features.width).int(),
        values=values.half() if bool((values == values.half()).all()) else values,
        width=features.width,
    )


def _keep_words(features: WordFeatures, split: SplitData, device: torch.device) -> _WordTable:
    assert features.dense is not None
    return _WordTable(
        lists=_Lists(torch.from_numpy(split.word_offsets[:-1].copy()).to(device), np.diff(split.word_offsets)),
        words=torch.from_numpy(split.words.astype(np.int64)).to(device),
        features=torch.from_numpy(features.dense).to(device),
        pooling=features.pooling,
    )
