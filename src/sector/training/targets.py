"""Targets on the device: n-hot rows by sentence number, from each section's labels."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from sector.training.prepared import SplitData


class TargetTable:
    """The gold labels and boundaries of a split's sentences, and how much each sentence counts."""

    def __init__(self, split: SplitData, labels: int, device: torch.device, balance: float = 0.0) -> None:
        """``balance`` is from 0, all sentences count alike, to 1: all sections do."""
        self.device, self.labels = device, labels
        table = _table(split, labels)
        self._table = torch.from_numpy(table).to(device)
        self._sections = torch.from_numpy(split.sections).to(device)
        self._boundaries = torch.from_numpy(_boundaries(split, table)).to(device)
        self._weights = torch.from_numpy(_weights(split, balance)).to(device)
        self._soft = None if split.teacher is None else torch.from_numpy(split.teacher).to(device)

    def rows(self, numbers: NDArray[np.int64]) -> Tensor:
        """Return the n-hot targets [len(numbers), labels] of these sentences."""
        sections = self._sections[torch.from_numpy(numbers).to(self.device)]
        rows = torch.zeros(len(numbers), self.labels + 1, device=self.device)
        return rows.scatter_(1, self._table[sections], 1.0)[:, : self.labels]

    def boundaries(self, numbers: NDArray[np.int64]) -> Tensor:
        """Return [len(numbers), 2]: 1 where labels change (or a main section begins), and where any section begins."""
        return self._boundaries[torch.from_numpy(numbers).to(self.device)].float()

    def weights(self, numbers: NDArray[np.int64]) -> Tensor:
        """Return [len(numbers)], 1 on average over the split."""
        return self._weights[torch.from_numpy(numbers).to(self.device)]

    def soft(self, numbers: NDArray[np.int64]) -> tuple[Tensor, Tensor] | None:
        """Return the soft targets of these sentences: labels [len(numbers), labels], boundaries [len(numbers), 2]."""
        if self._soft is None:
            return None
        rows = self._soft[torch.from_numpy(numbers).to(self.device)].float() / 255
        return rows[:, :-2], rows[:, -2:]


def _table(split: SplitData, labels: int) -> NDArray[np.int64]:
    """Return one row per section, padded with a column that is cut off again: sections have few labels."""
    counts = np.diff(split.label_offsets)
    section = np.repeat(np.arange(len(counts)), counts)
    place = np.arange(len(split.labels)) - np.repeat(split.label_offsets[:-1], counts)
    table = np.full((len(counts), max(1, int(counts.max(initial=0)))), labels, dtype=np.int64)
    table[section, place] = split.labels
    return table


def _boundaries(split: SplitData, table: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return for each sentence whether its labels differ from those before it, and whether it begins a section.

    Words of headings change with every section; there it is the main sections that tell what the text is about.
    """
    begins = np.diff(split.sections, prepend=-1) != 0
    if split.mains is not None:
        return np.stack([begins & (split.mains[split.sections] > 0), begins], axis=1)
    ordered = np.sort(table, axis=1)
    changes = np.ones(len(table), np.bool_)
    changes[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    return np.stack([begins & changes[split.sections], begins], axis=1)


def _weights(split: SplitData, balance: float) -> NDArray[np.float32]:
    """Let a sentence count for less in a longer section; text that nobody labelled has sections of the mean length."""
    lengths, labelled = np.bincount(split.sections).astype(np.float64), np.diff(split.label_offsets) > 0
    if split.teacher is not None and labelled.any():
        lengths[~labelled] = lengths[labelled].mean()
    weights = lengths[split.sections] ** -balance
    return (weights / max(weights.mean(), 1e-9) if len(weights) else weights).astype(np.float32)


def average_precision(scores: Tensor, targets: Tensor) -> Tensor:
    """Return each sentence's average precision over the full ranking [sentences]; zero without a gold label."""
    order = scores.argsort(dim=1, descending=True, stable=True)
    relevant = targets.gather(1, order)
    ranks = torch.arange(1, scores.shape[1] + 1, device=scores.device)
    precision = relevant.cumsum(dim=1) / ranks
    return (precision * relevant).sum(dim=1) / relevant.sum(dim=1).clamp(min=1.0)
