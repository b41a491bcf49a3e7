"""A pretrained sentence encoder that is trained on with the network: pieces of words in, a vector per sentence out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from sector.errors import MissingExtraError, ModelError
from sector.training.readers import Reader, SentenceTable

TOGETHER = 2**13
"""Most pieces, padding included, that the encoder reads at once."""


class TransformerReader(Reader):
    """The mean of the last layer over a sentence's pieces, its begin and its end."""

    def __init__(self, model: nn.Module, *, begin: int, end: int, checkpointing: bool = False) -> None:
        super().__init__()
        self.model, self.begin, self.end, self.checkpointing = model, begin, end, checkpointing

    @property
    def width(self) -> int:
        """The size of a sentence's vector."""
        return int(self.model.config.hidden_size)  # type: ignore[union-attr, arg-type]

    def vectors_of(self, table: SentenceTable, numbers: NDArray[np.int64]) -> Tensor:
        """Read sentences of like length together; the order that this takes is undone."""
        lengths = table.lengths[numbers]
        order = np.argsort(lengths, kind="stable")
        parts = [self._read(table, numbers[group]) for group in _groups(order, lengths)]
        back = torch.from_numpy(np.argsort(order, kind="stable")).to(parts[0].device)
        return torch.cat(parts)[back]

    def _read(self, table: SentenceTable, numbers: NDArray[np.int64]) -> Tensor:
        pieces, mask = self._padded(table, numbers)
        if self.checkpointing and self.training:
            return checkpoint(self._means, pieces, mask, use_reentrant=False)  # type: ignore[no-any-return]
        return self._means(pieces, mask)

    def _padded(self, table: SentenceTable, numbers: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
        """Give pieces [sentences, longest + 2] and their mask, with begin and end set."""
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
        states = self.model(input_ids=pieces, attention_mask=mask.long()).last_hidden_state
        kept = mask[:, :, None].to(states.dtype)
        return torch.div((states * kept).sum(dim=1).float(), kept.sum(dim=1).float())


def _groups(order: NDArray[np.int64], lengths: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Cut sentences, sorted by length, into groups of at most `TOGETHER` padded pieces."""
    first = 0
    sorted_lengths = lengths[order] + 2
    while first < len(order):
        last = first + 1
        while last < len(order) and (last + 1 - first) * sorted_lengths[last] <= TOGETHER:
            last += 1
        yield order[first:last]
        first = last


def load_encoder(source: str | Path) -> Any:
    """Load the weights of any Hugging Face encoder, by folder or by name, without its pooling layer."""
    try:
        from transformers import AutoModel
    except ImportError as error:
        raise MissingExtraError("transformers", "transformer") from error
    try:
        return AutoModel.from_pretrained(source, add_pooling_layer=False)
    except TypeError:  # an encoder that has no pooling layer to leave out
        return AutoModel.from_pretrained(source)
    except (OSError, ValueError) as error:
        raise ModelError(f"There is no encoder to be loaded from '{source}': {error}") from error
