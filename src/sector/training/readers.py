"""Readers: a split's sentences on the device, and the module that turns some of them into vectors.

A sentence is a list of entries: columns of a sparse vector, words, or pieces of words. What is learned of the first
step of a document's way lives here: word vectors that are trained too, or a whole pretrained encoder.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from sector.encoders.features import WordFeatures
from sector.training.prepared import SplitData


@dataclass(frozen=True, slots=True, eq=False)
class SentenceTable:
    """The entries of all sentences of a split, one after the other."""

    offsets: Tensor
    """[sentences] where each sentence's entries begin"""
    lengths: NDArray[np.int64]
    """[sentences] how many they are; on the host, so that no batch waits for the device"""
    entries: Tensor
    values: Tensor | None
    """What a sparse vector has in these columns."""
    flags: Tensor
    vectors: Tensor | None = None
    """[sentences, width] where they have been made beforehand, for nothing of them is learned."""

    def made_before(self, numbers: NDArray[np.int64]) -> Tensor:
        """Return these sentences' vectors, in single precision."""
        assert self.vectors is not None
        return self.vectors[torch.from_numpy(numbers).to(self.vectors.device)].float()

    def find(self, numbers: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
        """Return the places of these sentences' entries and, for each, which of the sentences it belongs to."""
        chosen = torch.from_numpy(numbers).to(self.offsets.device)
        counts = torch.from_numpy(self.lengths[numbers]).to(chosen.device)
        total = int(self.lengths[numbers].sum())
        row = torch.repeat_interleave(counts, output_size=total)
        first = self.offsets[chosen] - (counts.cumsum(0) - counts)
        return torch.arange(total, device=chosen.device) + first[row], row


class SentenceReader(nn.Module):
    """Gives the vectors of sentences, structure flags last."""

    def table(self, split: SplitData, device: torch.device) -> SentenceTable:
        """Move a split's words to the device."""
        return SentenceTable(
            offsets=torch.from_numpy(split.word_offsets[:-1].copy()).to(device),
            lengths=np.diff(split.word_offsets),
            entries=torch.from_numpy(split.words.astype(np.int32)).to(device),
            values=None,
            flags=torch.from_numpy(split.flags).to(device),
        )

    def forward(self, table: SentenceTable, numbers: NDArray[np.int64]) -> Tensor:
        """Return [len(numbers), inputs] of these sentences."""
        vectors = self.vectors_of(table, numbers) if table.vectors is None else table.made_before(numbers)
        if table.flags.shape[1]:
            flags = table.flags[torch.from_numpy(numbers).to(table.flags.device)]
            vectors = torch.cat([vectors, flags.to(vectors.dtype)], dim=1)
        return vectors

    def vectors_of(self, table: SentenceTable, numbers: NDArray[np.int64]) -> Tensor:
        """Return the vectors without the flags."""
        raise NotImplementedError

    def learned(self) -> list[str]:
        """Return the names of the parameters that are trained: they are part of the model's weights."""
        return [f"reader.{name}" for name, value in self.named_parameters() if value.requires_grad]


class SparseReader(SentenceReader):
    """Sums of the words' columns, made once per split. Nothing is learned."""

    def __init__(self, features: WordFeatures) -> None:
        super().__init__()
        self.features = features

    def table(self, split: SplitData, device: torch.device) -> SentenceTable:
        """Sum the words' columns per sentence: sort (sentence, column) keys and add up equal ones."""
        features = self.features
        sentence, entry = _entries_of_words(features, split)
        assert features.indices is not None and features.values is not None
        keys = torch.from_numpy(sentence * features.width + features.indices[entry]).to(device)
        keys, order = torch.unique(keys, return_inverse=True)
        values = torch.zeros(len(keys), device=device)
        values.index_add_(0, order, torch.from_numpy(features.values[entry]).to(device))
        if features.pooling == "clip":
            values.clamp_(max=1.0)
        offsets = torch.searchsorted(keys, torch.arange(split.sentences + 1, device=device) * features.width)
        return SentenceTable(
            offsets=offsets[:-1],
            lengths=np.diff(offsets.cpu().numpy()),
            entries=(keys % features.width).int(),
            values=values.half() if bool((values == values.half()).all()) else values,
            flags=torch.from_numpy(split.flags).to(device),
        )

    def vectors_of(self, table: SentenceTable, numbers: NDArray[np.int64]) -> Tensor:
        """Fill zeros with the columns' values."""
        entry, row = table.find(numbers)
        assert table.values is not None
        vectors = torch.zeros(len(numbers), self.features.width, device=row.device)
        vectors[row, table.entries[entry].long()] = table.values[entry].float()
        return vectors


class WordReader(SentenceReader):
    """Sums of the words' vectors over n or √n, which may be learned; a sentence without words is the zero vector."""

    def __init__(self, features: WordFeatures, *, learn: bool = False, word_dropout: float = 0.0) -> None:
        super().__init__()
        assert features.dense is not None
        self.vectors = nn.Parameter(torch.from_numpy(features.dense.copy()), requires_grad=learn)
        self.pooling, self.word_dropout = features.pooling, word_dropout

    def vectors_of(self, table: SentenceTable, numbers: NDArray[np.int64]) -> Tensor:
        """Add up the words that are not dropped."""
        entry, row = table.find(numbers)
        if self.training and self.word_dropout:
            kept = torch.rand(len(entry), device=row.device) >= self.word_dropout
            entry, row = entry[kept], row[kept]
        counts = torch.bincount(row, minlength=len(numbers))
        begins = counts.cumsum(0) - counts
        summed = nn.functional.embedding_bag(table.entries[entry].long(), self.vectors, begins, mode="sum")
        divisors = counts.clamp(min=1).float()
        return summed / (divisors.sqrt() if self.pooling == "root" else divisors)[:, None]


def _entries_of_words(features: WordFeatures, split: SplitData) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each column of each word of the split its sentence and its place among the features."""
    assert features.offsets is not None
    sentence_of_word = np.repeat(np.arange(split.sentences), np.diff(split.word_offsets))
    begin, length = features.offsets[:-1][split.words], np.diff(features.offsets)[split.words]
    entry = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length) + np.repeat(begin, length)
    return np.repeat(sentence_of_word, length), entry
