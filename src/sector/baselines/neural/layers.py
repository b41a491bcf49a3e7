"""What the networks are built of: words of sentences on the device, and recurrent layers over runs of any length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from sector.baselines.neural.data import STEPS
from sector.training.prepared import SplitData

LONGEST = 80
"""Words of a sentence that are read."""


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Rows of sequences side by side: where each stands and how long it is."""

    index: Tensor
    """int64 [runs, longest] rows; one past the last where a run has ended"""
    lengths: Tensor
    """int64 [runs], on the host, where packing needs it"""
    mask: Tensor
    """bool [runs, longest]"""

    @classmethod
    def of(cls, begins: NDArray[np.int64], lengths: NDArray[np.int64], rows: int, device: torch.device) -> Runs:
        """Lay out runs that begin at these rows; an empty run has one step outside all rows."""
        kept = np.maximum(lengths, 1)
        step = np.arange(int(kept.max(initial=1)))
        mask = step < lengths[:, None]
        index = np.where(mask, begins[:, None] + step, rows)
        return cls(torch.from_numpy(index).to(device), torch.from_numpy(kept), torch.from_numpy(mask).to(device))

    def gather(self, rows: Tensor) -> Tensor:
        """Return [runs, longest, width]; zeros where a run has ended."""
        padded = torch.cat([rows, rows.new_zeros(1, rows.shape[1])])
        return padded[self.index]

    def scatter(self, table: Tensor) -> Tensor:
        """Undo ``gather`` for runs that follow one another without a gap: [rows, width]."""
        return table[self.mask]


class WordTable(nn.Module):
    """Word vectors, and the words of sentences that are asked for by number."""

    vectors: Tensor

    def __init__(self, vectors: NDArray[np.float32]) -> None:
        super().__init__()
        rows = torch.from_numpy(vectors / STEPS)
        self.register_buffer("vectors", torch.cat([rows, rows.new_zeros(1, rows.shape[1])]), persistent=False)

    @property
    def width(self) -> int:
        """Dimensions of a vector."""
        return int(self.vectors.shape[1])

    def forward(self, split: SplitData, sentences: NDArray[np.int64], shortest: int = 1) -> tuple[Tensor, Runs]:
        """Return the vectors [sentences, words, dimensions] of these sentences, padded to ``shortest`` at least."""
        begins, device = split.word_offsets[:-1][sentences], self.vectors.device
        lengths = np.minimum(split.word_offsets[1:][sentences] - begins, LONGEST)
        first = np.cumsum(lengths) - lengths
        entry = np.repeat(begins - first, lengths) + np.arange(lengths.sum())
        words = np.append(split.words[entry].astype(np.int64), len(self.vectors) - 1)
        runs = Runs.of(first, lengths, len(words) - 1, device)
        numbers = torch.from_numpy(words).to(device)[runs.index]
        short = shortest - numbers.shape[1]
        if short > 0:
            numbers = nn.functional.pad(numbers, (0, short), value=len(self.vectors) - 1)
        return self.vectors[numbers], runs


class Recurrent(nn.Module):
    """A bidirectional LSTM over runs."""

    def __init__(self, inputs: int, hidden: int, layers: int = 1, dropout: float = 0.0) -> None:
        super().__init__()
        between = dropout if layers > 1 else 0.0
        self.lstm = nn.LSTM(inputs, hidden, layers, batch_first=True, bidirectional=True, dropout=between)
        self.width = 2 * hidden

    def forward(self, table: Tensor, runs: Runs) -> Tensor:
        """Return [runs, longest, 2 · hidden]."""
        packed = pack_padded_sequence(table, runs.lengths, batch_first=True, enforce_sorted=False)
        output, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=table.shape[1])
        found: Tensor = output
        return found


def max_pooled(table: Tensor, runs: Runs) -> Tensor:
    """Return the greatest value of each run [runs, width]; zeros for an empty run."""
    mask = runs.mask[..., None]
    found = table.masked_fill(~mask, -torch.inf).amax(dim=1)
    return torch.where(mask.any(dim=1), found, torch.zeros_like(found))


def concat_pooled(table: Tensor, runs: Runs) -> Tensor:
    """Return the greatest, the mean and the last value of each run side by side [runs, 3 · width]."""
    counts = runs.mask.sum(dim=1, keepdim=True).clamp(min=1)
    mean = (table * runs.mask[..., None]).sum(dim=1) / counts
    last = table[torch.arange(len(table), device=table.device), counts[:, 0] - 1]
    return torch.cat([max_pooled(table, runs), mean, last], dim=1)
