"""The space that sections and headings share, past the paper: what puts a heading next to the sections that it names.

A heading's text has a vector from a sentence encoder (its tower): one that is not trained, or that of the sentences. A
linear layer takes it into the space; frequent headings learn a part of their own beside it.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional

from sector.network.config import NetworkConfig
from sector.network.model import SectorNetwork

SCALE = 20.0
"""One over the temperature that training begins with."""
FORGOTTEN = 0.5
"""Share of headings that are seen without their own part: names that were never seen have none."""


class HeadingSpace(nn.Module):
    """Vectors of headings by their numbers; a heading of ``frequent`` rows has a part of its own."""

    def __init__(self, width: int, frequent: int, dimensions: int) -> None:
        """``width`` is that of the encoder's vectors; headings are numbered with the most frequent one first."""
        super().__init__()
        self.projection = nn.Linear(width, dimensions)
        nn.init.orthogonal_(self.projection.weight)
        nn.init.zeros_(self.projection.bias)
        self.own = nn.Parameter(torch.zeros(frequent, dimensions))
        self.scale = nn.Parameter(torch.tensor(SCALE).log())

    def texts(self, numbers: Tensor) -> Tensor:
        """Return what the encoder says of these headings [numbers, width]."""
        raise NotImplementedError

    def forward(self, numbers: Tensor) -> Tensor:
        """Return [numbers, dimensions] of length 1."""
        found = functional.normalize(self.projection(self.texts(numbers).float()), dim=1)
        known = numbers < len(self.own)
        if self.training:
            known = known & (torch.rand(len(numbers), device=numbers.device) >= FORGOTTEN)
        own = functional.embedding(numbers.clamp(max=max(0, len(self.own) - 1)), self.own)
        return functional.normalize(found + own * known[:, None], dim=1)


class TowerHeadings(HeadingSpace):
    """Headings that an encoder has read once and for all."""

    def __init__(self, tower: Tensor, frequent: int, dimensions: int) -> None:
        """``tower`` [headings, width] are the encoder's vectors."""
        super().__init__(tower.shape[1], frequent, dimensions)
        self.tower: Tensor
        self.register_buffer("tower", tower, persistent=False)

    def texts(self, numbers: Tensor) -> Tensor:
        """Return the rows of the tower."""
        return self.tower[numbers]


class LearnedHeadings(HeadingSpace):
    """Headings that are read by the encoder of the sentences while it is trained, so that it learns from both."""

    def __init__(self, read: Callable[[Tensor], Tensor], width: int, frequent: int, dimensions: int) -> None:
        """``read`` gives the encoder's vectors [numbers, width] of headings by their numbers."""
        super().__init__(width, frequent, dimensions)
        self._read = read

    def texts(self, numbers: Tensor) -> Tensor:
        """Let the encoder read them."""
        return self._read(numbers)


class GivenHeadings(nn.Module):
    """Headings that lie in the space of another model already; nothing but the temperature is learned of them."""

    def __init__(self, vectors: Tensor) -> None:
        """``vectors`` [headings, dimensions] are of length 1."""
        super().__init__()
        self.vectors: Tensor
        self.register_buffer("vectors", vectors, persistent=False)
        self.scale = nn.Parameter(torch.tensor(SCALE).log())

    def forward(self, numbers: Tensor) -> Tensor:
        """Return [numbers, dimensions] of length 1."""
        return self.vectors[numbers].float()


class OpenNetwork(SectorNetwork):
    """SECTOR's network with an open vocabulary: its label layer gives vectors in the space of headings."""

    def __init__(self, config: NetworkConfig, headings: HeadingSpace | GivenHeadings) -> None:
        super().__init__(config)
        self.headings = headings
