"""Sentence vectors on the device: pooled once, kept sparse, gathered by sentence number without a loop."""

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
        self._sparse = None if features.dense is not None else _pool_sparse(features, split, device)
        self._dense = _pool_dense(features, split, device) if features.dense is not None else None

    def rows(self, numbers: NDArray[np.int64]) -> Tensor:
        """Give the vectors [len(numbers), inputs] of these sentences, flags last."""
        chosen = torch.from_numpy(numbers).to(self.device)
        if self._dense is not None:
            vectors = self._dense[chosen]
        else:
            assert self._sparse is not None
            vectors = self._sparse.rows(numbers, chosen)
        if self._flags.shape[1]:
            vectors = torch.cat([vectors, self._flags[chosen].to(vectors.dtype)], dim=1)
        return vectors


@dataclass(frozen=True, slots=True, eq=False)
class _SparseTable:
    indices: Tensor
    values: Tensor
    offsets: Tensor
    lengths: NDArray[np.int64]
    """On the host, so that no batch waits for the device."""
    width: int

    def rows(self, numbers: NDArray[np.int64], chosen: Tensor) -> Tensor:
        counts = torch.from_numpy(self.lengths[numbers]).to(chosen.device)
        total = int(self.lengths[numbers].sum())
        row = torch.repeat_interleave(counts, output_size=total)
        first = self.offsets[chosen] - (counts.cumsum(0) - counts)
        entry = torch.arange(total, device=chosen.device) + first[row]
        vectors = torch.zeros(len(numbers), self.width, device=chosen.device)
        vectors[row, self.indices[entry].long()] = self.values[entry].float()
        return vectors


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
        indices=(keys % features.width).int(),
        values=values.half() if bool((values == values.half()).all()) else values,
        offsets=offsets,
        lengths=np.diff(offsets.cpu().numpy()),
        width=features.width,
    )


def _pool_dense(features: WordFeatures, split: SplitData, device: torch.device) -> Tensor:
    """Add up the words' rows per sentence, over n or √n; a sentence without words is the zero vector."""
    assert features.dense is not None
    words = torch.from_numpy(split.words.astype(np.int64)).to(device)
    offsets = torch.from_numpy(split.word_offsets[:-1].copy()).to(device)
    table = torch.from_numpy(features.dense).to(device)
    summed = torch.nn.functional.embedding_bag(words, table, offsets, mode="sum")
    counts = torch.from_numpy(np.diff(split.word_offsets)).to(device).clamp(min=1).float()
    return summed / (counts.sqrt() if features.pooling == "root" else counts)[:, None]
