"""The network of TextSeg."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from sector.arrays import Floats1d
from sector.baselines.neural.batches import document_batches, document_runs, numbers_of, reading_groups
from sector.baselines.neural.data import main_boundaries
from sector.baselines.neural.layers import Recurrent, WordTable, max_pooled
from sector.baselines.neural.thresholds import best_threshold
from sector.training.prepared import SplitData


class TextSegNetwork(nn.Module):
    """Words → LSTM → max over the sentence → LSTM over the document → two classes per sentence."""

    def __init__(self, vectors: NDArray[np.float32], hidden: int, layers: int) -> None:
        super().__init__()
        self.words = WordTable(vectors)
        self.sentence = Recurrent(self.words.width, hidden, layers)
        self.document = Recurrent(self.sentence.width, hidden, layers)
        self.output = nn.Linear(self.document.width, 2)

    def batches(self, split: SplitData, size: int, random: np.random.Generator) -> list[NDArray[np.int64]]:
        """Return documents of like length, cut to a random window."""
        return document_batches(split, size, random)

    def forward(self, split: SplitData, spans: NDArray[np.int64]) -> Tensor:
        """Return the logits [sentences, 2] of the documents' sentences, which ``spans`` [documents, 2] bounds."""
        vectors, runs = self.words(split, numbers_of(spans))
        sentences = max_pooled(self.sentence(vectors, runs), runs)
        documents = document_runs(spans, sentences.device)
        table = self.document(documents.gather(sentences), documents)
        logits: Tensor = self.output(documents.scatter(table))
        return logits

    def loss(self, split: SplitData, batch: NDArray[np.int64], progress: float) -> Tensor:
        """Return the cross-entropy over all sentences."""
        logits = self(split, batch)
        gold = torch.from_numpy(main_boundaries(split)[numbers_of(batch)].astype(np.int64)).to(logits.device)
        return nn.functional.cross_entropy(logits.float(), gold)

    @torch.no_grad()
    def probabilities(self, split: SplitData) -> Floats1d:
        """Return each sentence's probability that a segment begins with it."""
        found = np.zeros(split.sentences, np.float32)
        for spans in reading_groups(split):
            logits = self(split, spans).float()
            found[numbers_of(spans)] = logits.softmax(dim=1)[:, 1].cpu().numpy()
        return found

    def validate(self, split: SplitData) -> tuple[float, dict[str, float]]:
        """Return 1 − Pk at the best threshold, and the threshold."""
        error, threshold = best_threshold(self.probabilities(split), main_boundaries(split), split.document_offsets)
        return 1 - error, {"threshold": threshold}
