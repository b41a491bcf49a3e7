"""CNN>T and CNN>H (Kim 2014): a convolutional network names each sentence; sections are found by newline or max."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from sector.baselines.base import Classifier, check_options
from sector.baselines.neural.system import NeuralSystem
from sector.document import Document
from sector.segmentation import Reading
from sector.tasks import TaskName
from sector.training.prepared import PreparedData


@dataclass
class SentenceCNN(NeuralSystem, Classifier):
    """Kim's sizes with our word vectors, which stay as they are; batch and epochs are those of the paper."""

    name: ClassVar[str] = "cnn"
    citation: ClassVar[str] = "Kim 2014, Convolutional neural networks for sentence classification (EMNLP)"

    widths: tuple[int, ...] = (3, 4, 5)
    """Words that a filter looks at."""
    maps: int = 100
    """Filters of each width."""
    dropout: float = 0.5
    epochs: int = 20
    batch: int = 256
    """Sentences per step."""
    learning_rate: float = 1e-3
    """The paper has 0.01 in another library; with AdamW that is too much."""
    labels: tuple[str, ...] = field(default=(), init=False)
    task: TaskName = field(default="topics", init=False)

    def __post_init__(self) -> None:
        check_options(self, {"maps": 1, "dropout": 0, "epochs": 1, "batch": 1, "learning_rate": 0})

    def network(self, data: PreparedData) -> Any:
        """Make the untrained network."""
        from sector.baselines.neural.cnn import CNNNetwork

        assert data.features.dense is not None
        widths = tuple(self.widths)
        return CNNNetwork(data.features.dense, len(data.labels), data.task, widths, self.maps, self.dropout)

    def read(self, document: Document) -> Reading:
        """Return the labels' probabilities of each sentence."""
        return Reading(self._network.probabilities(self.split_of(document)))
