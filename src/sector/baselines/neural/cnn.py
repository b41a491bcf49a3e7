"""Kim's convolutional network over the words of one sentence."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from sector.arrays import Floats2d
from sector.baselines.neural.batches import by_length
from sector.baselines.neural.label_layer import LabelTargets
from sector.baselines.neural.layers import WordTable
from sector.tasks import TaskName
from sector.training.prepared import SplitData
from sector.training.targets import average_precision

READ_BATCH = 1024


class CNNNetwork(nn.Module):
    """Words → filters of several widths → the greatest value of each → labels."""

    def __init__(
        self,
        vectors: NDArray[np.float32],
        labels: int,
        task: TaskName,
        widths: tuple[int, ...],
        maps: int,
        dropout: float,
    ) -> None:
        super().__init__()
        self.words = WordTable(vectors)
        self.filters = nn.ModuleList(nn.Conv1d(self.words.width, maps, width) for width in widths)
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(maps * len(widths), labels)
        self.targets, self.shortest = LabelTargets(labels, task), max(widths)

    def batches(self, split: SplitData, size: int, random: np.random.Generator) -> list[NDArray[np.int64]]:
        """Return sentences of like length that have a label."""
        labelled = np.diff(split.label_offsets)[split.sections] > 0
        lengths = np.diff(split.word_offsets)
        return by_length(np.where(labelled, np.maximum(lengths, 1), 0), size, random)

    def forward(self, split: SplitData, sentences: NDArray[np.int64]) -> Tensor:
        """Return the logits [sentences, labels]."""
        vectors, _ = self.words(split, sentences, self.shortest)
        rows = vectors.transpose(1, 2)
        pooled = torch.cat([layer(rows).relu().amax(dim=2) for layer in self.filters], dim=1)
        logits: Tensor = self.output(self.dropout(pooled))
        return logits

    def loss(self, split: SplitData, batch: NDArray[np.int64], progress: float) -> Tensor:
        """Return the cross-entropy, of each label for itself where a sentence may have several."""
        gold = self.targets.table(split, self.output.weight.device).rows(batch)
        return self.targets.loss(self(split, batch).float(), gold)

    @torch.no_grad()
    def probabilities(self, split: SplitData) -> Floats2d:
        """Return the labels' probabilities of each sentence."""
        found = np.zeros((split.sentences, self.targets.labels), np.float32)
        for begin in range(0, split.sentences, READ_BATCH):
            sentences = np.arange(begin, min(begin + READ_BATCH, split.sentences))
            found[sentences] = self.targets.probabilities(self(split, sentences).float())
        return found

    def validate(self, split: SplitData) -> tuple[float, dict[str, float]]:
        """Return the mean average precision over sentences that have a label."""
        scores, device = self.probabilities(split), self.output.weight.device
        total, count = 0.0, 0
        for begin in range(0, split.sentences, READ_BATCH):
            sentences = np.arange(begin, min(begin + READ_BATCH, split.sentences))
            gold = self.targets.table(split, device).rows(sentences)
            total += float(average_precision(torch.from_numpy(scores[sentences]).to(device), gold).sum())
            count += int((gold.sum(dim=1) > 0).sum())
        return total / max(1, count), {}
