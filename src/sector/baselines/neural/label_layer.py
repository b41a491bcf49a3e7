"""What the scores of labels mean: one of several topics, or any number of heading words."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from sector.arrays import Floats2d
from sector.tasks import TaskName
from sector.training.prepared import SplitData
from sector.training.targets import TargetTable


class LabelTargets:
    """Gold labels, loss and probabilities of a task; the gold labels of a split are laid out once."""

    def __init__(self, labels: int, task: TaskName) -> None:
        self.labels, self._is_single = labels, task == "topics"
        self._tables: dict[SplitData, TargetTable] = {}

    def table(self, split: SplitData, device: torch.device) -> TargetTable:
        """Return the gold labels of a split's sentences, on the device."""
        if split not in self._tables:
            self._tables[split] = TargetTable(split, self.labels, device)
        return self._tables[split]

    def loss(self, logits: Tensor, gold: Tensor) -> Tensor:
        """Return the mean cross-entropy of [rows, labels]; each label for itself where a row may have several."""
        if self._is_single:
            return nn.functional.cross_entropy(logits, gold / gold.sum(dim=1, keepdim=True))
        return nn.functional.binary_cross_entropy_with_logits(logits, gold, reduction="none").sum(dim=1).mean()

    def probabilities(self, logits: Tensor) -> Floats2d:
        """Return float32 [rows, labels], on the host."""
        rows: Floats2d = (logits.softmax(dim=1) if self._is_single else logits.sigmoid()).cpu().numpy()
        return rows
