"""S-LSTM (Barrow et al. 2020): boundaries and labels learned together; labels are read off whole segments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from sector.arrays import Floats1d, Ints1d
from sector.baselines.base import check_options
from sector.baselines.neural.system import NeuralSystem
from sector.document import Document, as_document
from sector.runtime.sections import Labeller
from sector.segmentation import Reading
from sector.segmentation.base import no_deviation, starts_from
from sector.segmentation.learned import sigmoid
from sector.tasks import TaskName
from sector.training.prepared import PreparedData

NEVER = -50.0
"""Log-odds of what does not happen."""


@dataclass(frozen=True, slots=True)
class Learned:
    """Cuts where the network's own probability that the label changes is above a threshold."""

    name: ClassVar[str] = "learned"
    threshold: float = 0.5

    def starts(self, reading: Reading) -> Ints1d:
        """Return 0 and the sentences above the threshold."""
        return starts_from(self.deviation(reading) > self.threshold)

    def deviation(self, reading: Reading) -> Floats1d:
        """Return the probabilities of a boundary."""
        return no_deviation(reading) if reading.boundary is None else sigmoid(reading.boundary[:, 0]).astype(np.float32)


@dataclass
class SegmentPoolingLSTM(NeuralSystem):
    """The strongest later system of this size; no pretrained transformer, our word vectors."""

    name: ClassVar[str] = "s-lstm"
    citation: ClassVar[str] = "Barrow et al. 2020, A joint model for document segmentation and segment labeling (ACL)"
    segmentations: ClassVar[tuple[str, ...]] = ("",)

    hidden: int = 200
    dropout: float = 0.3
    exploration: float = 0.5
    """Share of steps, at the end of the training, that learn labels on the network's own segments; it begins at 0."""
    epochs: int = 20
    batch: int = 16
    learning_rate: float = 1e-3
    labels: tuple[str, ...] = field(default=(), init=False)
    task: TaskName = field(default="topics", init=False)

    def __post_init__(self) -> None:
        check_options(self, {"hidden": 1, "dropout": 0, "exploration": 0, "epochs": 1, "batch": 1, "learning_rate": 0})

    def network(self, data: PreparedData) -> Any:
        """Make the untrained network."""
        from sector.baselines.neural.s_lstm import SLSTMNetwork

        assert data.features.dense is not None
        sizes = (len(data.labels), data.task, self.hidden, self.dropout, self.exploration)
        return SLSTMNetwork(data.features.dense, *sizes)

    def read(self, document: Document) -> Reading:
        """Return the log-odds of boundaries [sentences, 2], and for each sentence the labels of its segment.

        The network knows only where labels change, so that both columns are the same.
        """
        split = self.split_of(document)
        known = len(split.words) > 0  # else nothing is cut
        probabilities, logits = self._network.read(split, self._threshold if known else 1.0)
        return Reading(probabilities, boundary=np.stack([logits if known else np.full_like(logits, NEVER)] * 2, axis=1))

    @property
    def _threshold(self) -> float:
        return float(self._settings.get("threshold", 0.5))

    def segment_all(self, documents: Iterable[str | Document], /, *, segmentation: Any = None) -> Iterator[Document]:
        """Return a segmented document for each document, in order."""
        labeller, method = Labeller(self.task, self.labels), Learned(self._threshold)
        for text in documents:
            document = as_document(text, self.language)
            reading = self.read(document) if len(document) else self._nothing()
            yield labeller.segmented(document, reading, method)

    def _nothing(self) -> Reading:
        return Reading(np.zeros((0, len(self.labels)), np.float32), boundary=np.zeros((0, 2), np.float32))
