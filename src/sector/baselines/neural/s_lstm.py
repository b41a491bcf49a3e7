"""The network of S-LSTM."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from sector.arrays import Floats1d, Floats2d
from sector.baselines.neural.batches import document_batches, document_runs, numbers_of, reading_groups
from sector.baselines.neural.data import boundaries
from sector.baselines.neural.label_layer import LabelTargets
from sector.baselines.neural.layers import Recurrent, Runs, WordTable, concat_pooled
from sector.baselines.neural.thresholds import best_threshold
from sector.tasks import TaskName
from sector.training.prepared import SplitData


class SLSTMNetwork(nn.Module):
    """Words → sentences → document; a boundary per sentence; an LSTM over each segment names it."""

    def __init__(
        self,
        vectors: NDArray[np.float32],
        labels: int,
        task: TaskName,
        hidden: int,
        dropout: float,
        exploration: float,
    ) -> None:
        super().__init__()
        self.words = WordTable(vectors)
        self.sentence = Recurrent(self.words.width, hidden)
        self.document = Recurrent(3 * self.sentence.width, hidden)
        self.boundary = nn.Sequential(nn.Linear(self.document.width, hidden), nn.ReLU(), nn.Linear(hidden, 1))
        self.segment = Recurrent(self.document.width, hidden)
        self.label = nn.Sequential(nn.Linear(3 * self.segment.width, hidden), nn.ReLU(), nn.Linear(hidden, labels))
        self.dropout = nn.Dropout(dropout)
        self.targets, self.exploration = LabelTargets(labels, task), exploration

    def batches(self, split: SplitData, size: int, random: np.random.Generator) -> list[NDArray[np.int64]]:
        """Return documents of like length, cut to a random window."""
        return document_batches(split, size, random)

    def encode(self, split: SplitData, spans: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
        """Return the sentences' states [sentences, width] and the logits of a boundary [sentences]."""
        vectors, runs = self.words(split, numbers_of(spans))
        sentences = self.dropout(concat_pooled(self.sentence(vectors, runs), runs))
        documents = document_runs(spans, sentences.device)
        states = self.dropout(documents.scatter(self.document(documents.gather(sentences), documents)))
        return states, self.boundary(states)[:, 0]

    def names(self, states: Tensor, begins: NDArray[np.bool_]) -> Tensor:
        """Return the logits [segments, labels] of the segments that begin at these sentences."""
        first = np.flatnonzero(begins)
        runs = Runs.of(first, np.diff(np.append(first, len(begins))), len(begins), states.device)
        logits: Tensor = self.label(self.dropout(concat_pooled(self.segment(runs.gather(states), runs), runs)))
        return logits

    def loss(self, split: SplitData, batch: NDArray[np.int64], progress: float) -> Tensor:
        """Add the loss of the boundaries to that of the labels, on gold segments or on the network's own."""
        numbers = numbers_of(batch)
        states, logits = self.encode(split, batch)
        gold = boundaries(split)[numbers]
        target = torch.from_numpy(gold.astype(np.float32)).to(logits.device)
        found = nn.functional.binary_cross_entropy_with_logits(logits.float(), target)
        explored = float(torch.rand(())) < self.exploration * progress
        cuts = logits.detach().float().sigmoid().cpu().numpy() > 0.5 if explored else gold
        begins = _with_documents(cuts, batch)
        rows = self._segment_targets(split, numbers, begins)
        kept = rows.sum(dim=1) > 0
        if not bool(kept.any()):
            return found
        return found + self.targets.loss(self.names(states, begins)[kept].float(), rows[kept])

    def _segment_targets(self, split: SplitData, numbers: NDArray[np.int64], begins: NDArray[np.bool_]) -> Tensor:
        """Return for each segment the labels of the gold section that has most of its sentences."""
        sections = split.sections[numbers]
        firsts = np.flatnonzero(begins)
        chosen = [
            numbers[first + _middle_of_most(sections[first:end])]
            for first, end in zip(firsts, [*firsts[1:], len(numbers)], strict=True)
        ]
        return self.targets.table(split, self.words.vectors.device).rows(np.array(chosen, np.int64))

    @torch.no_grad()
    def boundaries(self, split: SplitData) -> Floats1d:
        """Return each sentence's probability that a segment begins with it."""
        found = np.zeros(split.sentences, np.float32)
        for spans in reading_groups(split):
            found[numbers_of(spans)] = self.encode(split, spans)[1].float().sigmoid().cpu().numpy()
        return found

    @torch.no_grad()
    def read(self, split: SplitData, threshold: float) -> tuple[Floats2d, Floats1d]:
        """Return probabilities of labels [sentences, labels] and log-odds of a boundary [sentences].

        A sentence has the labels of its segment; segments begin where that of a boundary is above ``threshold``.
        """
        labels = np.zeros((split.sentences, self.targets.labels), np.float32)
        boundary = np.zeros(split.sentences, np.float32)
        for spans in reading_groups(split):
            numbers = numbers_of(spans)
            states, logits = self.encode(split, spans)
            boundary[numbers] = logits.float().cpu().numpy()
            begins = _with_documents(logits.float().sigmoid().cpu().numpy() > threshold, spans)
            rows = self.targets.probabilities(self.names(states, begins).float())
            labels[numbers] = rows[np.cumsum(begins) - 1]
        return labels, boundary

    def validate(self, split: SplitData) -> tuple[float, dict[str, float]]:
        """Return the share of sentences in rightly named segments less Pk, at the threshold with the lowest Pk."""
        error, threshold = best_threshold(self.boundaries(split), boundaries(split), split.document_offsets)
        scores, _ = self.read(split, threshold)
        gold = self.targets.table(split, self.words.vectors.device).rows(np.arange(split.sentences)).cpu().numpy()
        labelled = gold.sum(axis=1) > 0
        right = gold[np.arange(len(gold)), scores.argmax(axis=1)][labelled]
        return float(right.mean() if len(right) else 0.0) - error, {"threshold": threshold}


def _with_documents(cuts: NDArray[np.bool_], spans: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Add the first sentence of every document to the starts of segments."""
    lengths = spans[:, 1] - spans[:, 0]
    begins = cuts.copy()
    begins[np.cumsum(lengths) - lengths] = True
    return begins


def _middle_of_most(sections: NDArray[np.int64]) -> int:
    """Return a place within the section that has most places."""
    names, counts = np.unique(sections, return_counts=True)
    return int(np.flatnonzero(sections == names[counts.argmax()])[0])
