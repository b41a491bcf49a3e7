"""S-LSTM (Barrow et al. 2020): boundaries and labels learned together; labels are read off whole segments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from sector.arrays import Floats1d, Ints1d
from sector.baselines.base import Material, Task, as_document, check_options
from sector.baselines.neural.system import NeuralSystem
from sector.document import Document
from sector.runtime.sections import Labeller
from sector.segmentation import Reading
from sector.segmentation.base import no_deviation, starts_from
from sector.tasks import TaskName
from sector.training.prepared import PreparedData


@dataclass(frozen=True, slots=True)
class Learned:
    """Cuts where the network's own probability of a boundary is above a threshold."""

    name: ClassVar[str] = "learned"
    threshold: float = 0.5

    def starts(self, reading: Reading) -> Ints1d:
        """Return 0 and the sentences above the threshold."""
        assert reading.boundary is not None
        return starts_from(reading.boundary > self.threshold)

    def deviation(self, reading: Reading) -> Floats1d:
        """Return the probabilities of a boundary."""
        return no_deviation(reading) if reading.boundary is None else reading.boundary


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

    @property
    def schedule(self) -> Mapping[str, Any]:  # type: ignore[override]
        """How the network is trained."""
        return {"epochs": self.epochs, "batch": self.batch, "learning_rate": self.learning_rate}

    def network(self, data: PreparedData) -> Any:
        """Make the untrained network."""
        from sector.baselines.neural.s_lstm import SLSTMNetwork

        assert data.features.dense is not None
        sizes = (len(data.labels), data.task, self.hidden, self.dropout, self.exploration)
        return SLSTMNetwork(data.features.dense, *sizes)

    def fit(self, material: Material, task: Task, folder: Path) -> None:
        """Train, or read what was trained."""
        super().fit(material, task, folder)
        self.task = task.name

    def read(self, document: Document) -> Reading:
        """Return the boundaries' probabilities, and for each sentence the labels of its segment."""
        split = self.split_of(document)
        known = len(split.words) > 0  # else nothing is cut
        probabilities, boundary = self._network.read(split, self._threshold if known else 1.0)
        return Reading(probabilities, boundary=boundary * known)

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
        return Reading(np.zeros((0, len(self.labels)), np.float32), boundary=np.zeros(0, np.float32))
