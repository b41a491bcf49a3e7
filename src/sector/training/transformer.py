"""A pretrained sentence encoder that is trained on with the network: pieces of words in, a vector per sentence out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.checkpoint import checkpoint

from sector.training.packed import can_pack, packed_means
from sector.training.prepared import SplitData
from sector.training.readers import SentenceReader, SentenceTable

MAX_PIECES = 2**15
"""Most pieces, padding included, that the encoder reads at once."""
MAX_PACKED = 2**18
"""Most pieces that are read at once where there is no padding."""
GROUP = 2**10
"""What one more group costs, in pieces: its kernels take some milliseconds to start, a GPU reads as many meanwhile."""

ATTENTION = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]
"""All but cuDNN's, which prepares itself anew for every shape, 10 ms a layer; no two groups have the same shape."""


class TransformerReader(SentenceReader):
    """The mean of the last layer over a sentence's pieces, its begin and its end.

    A frozen one reads every sentence once, before training, and is not trained.
    """

    def __init__(
        self, model: nn.Module, *, begin: int, end: int, checkpointing: bool = False, frozen: bool = False
    ) -> None:
        super().__init__()
        self.model, self.begin, self.end = model, begin, end
        self.checkpointing, self.frozen = checkpointing, frozen
        if frozen:
            model.requires_grad_(False)

    @property
    def width(self) -> int:
        """The size of a sentence's vector."""
        return int(self.model.config.hidden_size)  # type: ignore[union-attr, arg-type]

    def table(self, split: SplitData, device: torch.device) -> SentenceTable:
        """Move a split's pieces to the device or, if they are read once and for all, the vectors."""
        table = super().table(split, device)
        return replace(table, vectors=self._all_vectors(table)) if self.frozen else table

    @torch.no_grad()
    def _all_vectors(self, table: SentenceTable) -> Tensor:
        """Return [sentences, width] in half precision: neighbours in length are read together."""
        self.model.eval()
        device = table.entries.device
        found = torch.zeros(len(table.lengths), self.width, dtype=torch.float16, device=device)
        order = np.argsort(table.lengths, kind="stable")
        with torch.autocast(device.type, dtype=torch.float16, enabled=device.type == "cuda"):
            for begin in range(0, len(order), MAX_PIECES // 8):
                for group in _groups(order[begin : begin + MAX_PIECES // 8], table.lengths):
                    found[torch.from_numpy(group).to(device)] = self._read(table, group).half()
        return found

    def vectors_of(self, table: SentenceTable, numbers: NDArray[np.int64]) -> Tensor:
        """Read sentences of like length together; the order that this takes is undone."""
        if can_pack(self.model, table.entries.device) and not self.checkpointing:
            pieces = np.cumsum(table.lengths[numbers] + 2)
            blocks = np.split(numbers, np.searchsorted(pieces, np.arange(MAX_PACKED, pieces[-1], MAX_PACKED)))
            return torch.cat([self._packed(table, block) for block in blocks if len(block)])
        lengths = table.lengths[numbers]
        order = np.argsort(lengths, kind="stable")
        parts = [self._read(table, numbers[group]) for group in _groups(order, lengths)]
        back = torch.from_numpy(np.argsort(order, kind="stable")).to(parts[0].device)
        return torch.cat(parts)[back]

    def _packed(self, table: SentenceTable, numbers: NDArray[np.int64]) -> Tensor:
        """Read sentences without any padding."""
        entry, row = table.find(numbers)
        lengths = table.lengths[numbers]
        around = torch.from_numpy(lengths + 2).to(row.device)
        ends = around.cumsum(0)
        pieces = torch.full((int(lengths.sum()) + 2 * len(lengths),), self.begin, device=row.device)
        pieces[ends - 1] = self.end
        pieces[torch.arange(len(entry), device=row.device) + 2 * row + 1] = table.entries[entry].long()
        return packed_means(self.model, pieces, around, ends, int(lengths.max(initial=0)) + 2)

    def _read(self, table: SentenceTable, numbers: NDArray[np.int64]) -> Tensor:
        pieces, mask = self._padded(table, numbers)
        if self.checkpointing and self.training:
            return checkpoint(self._means, pieces, mask, use_reentrant=False)  # type: ignore[no-any-return]
        return self._means(pieces, mask)

    def _padded(self, table: SentenceTable, numbers: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
        """Return pieces [sentences, longest + 2] and their mask, with begin and end set."""
        entry, row = table.find(numbers)
        lengths = torch.from_numpy(table.lengths[numbers]).to(row.device)
        place = torch.arange(len(entry), device=row.device) - (lengths.cumsum(0) - lengths)[row]
        longest = int(table.lengths[numbers].max(initial=0)) + 2
        pieces = torch.zeros(len(numbers), longest, dtype=torch.long, device=row.device)
        pieces[row, place + 1] = table.entries[entry].long()
        pieces[:, 0] = self.begin
        pieces[torch.arange(len(numbers), device=row.device), lengths + 1] = self.end
        return pieces, torch.arange(longest, device=row.device) < (lengths + 2)[:, None]

    def _means(self, pieces: Tensor, mask: Tensor) -> Tensor:
        with sdpa_kernel(ATTENTION):
            states = self.model(input_ids=pieces, attention_mask=mask.long()).last_hidden_state
        kept = mask[:, :, None].to(states.dtype)
        return torch.div((states * kept).sum(dim=1).float(), kept.sum(dim=1).float())


def _groups(order: NDArray[np.int64], lengths: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Cut sentences, sorted by length, into the groups that cost least: pieces with their padding, and a sum each."""
    pieces = lengths[order] + 2
    cuts = _possible_cuts(pieces)
    cost, before = np.zeros(len(cuts)), np.zeros(len(cuts), np.int64)
    for last in range(1, len(cuts)):
        padded = (cuts[last] - cuts[:last]) * pieces[cuts[last] - 1]
        costs = np.where((padded <= MAX_PIECES) | (np.arange(last) == last - 1), cost[:last] + padded, np.inf)
        before[last] = int(costs.argmin())
        cost[last] = costs[before[last]] + GROUP
    chosen = [len(cuts) - 1]
    while chosen[-1]:
        chosen.append(int(before[chosen[-1]]))
    for first, last in pairwise(cuts[chosen[::-1]]):
        yield order[first:last]


def _possible_cuts(pieces: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the places where the length changes, and more where the sentences of one length are too many."""
    changes = np.concatenate([[0], np.flatnonzero(np.diff(pieces)) + 1, [len(pieces)]])
    parts = [np.arange(first, last, max(1, MAX_PIECES // pieces[first])) for first, last in pairwise(changes)]
    return np.concatenate([*parts, [len(pieces)]]).astype(np.int64)
