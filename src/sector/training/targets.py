"""Targets on the device: n-hot rows by sentence number, from each section's labels."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from sector.training.prepared import SplitData


class TargetTable:
    """The gold labels of a split's sentences."""

    def __init__(self, split: SplitData, labels: int, device: torch.device) -> None:
        self.device, self.labels = device, labels
        counts = np.diff(split.label_offsets)
        section = np.repeat(np.arange(len(counts)), counts)
        place = np.arange(len(split.labels)) - np.repeat(split.label_offsets[:-1], counts)
        # One row per section, padded with a column that is cut off again: sections have few labels.
        table = np.full((len(counts), max(1, int(counts.max(initial=0)))), labels, dtype=np.int64)
        table[section, place] = split.labels
        self._table = torch.from_numpy(table).to(device)
        self._sections = torch.from_numpy(split.sections).to(device)

    def rows(self, numbers: NDArray[np.int64]) -> Tensor:
        """Give the n-hot targets [len(numbers), labels] of these sentences."""
        sections = self._sections[torch.from_numpy(numbers).to(self.device)]
        rows = torch.zeros(len(numbers), self.labels + 1, device=self.device)
        return rows.scatter_(1, self._table[sections], 1.0)[:, : self.labels]


def average_precision(scores: Tensor, targets: Tensor) -> Tensor:
    """Give each sentence's average precision over the full ranking [sentences]; zero without a gold label."""
    order = scores.argsort(dim=1, descending=True, stable=True)
    relevant = targets.gather(1, order)
    ranks = torch.arange(1, scores.shape[1] + 1, device=scores.device)
    precision = relevant.cumsum(dim=1) / ranks
    return (precision * relevant).sum(dim=1) / relevant.sum(dim=1).clamp(min=1.0)
