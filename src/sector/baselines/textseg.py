"""TextSeg (Koshorek et al. 2018): two bidirectional LSTMs, over words and over sentences, say where segments begin."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from sector.arrays import Ints1d
from sector.baselines.base import BoundarySystem, check_options
from sector.baselines.neural.system import NeuralSystem
from sector.document import Document
from sector.training.prepared import PreparedData


@dataclass
class TextSeg(NeuralSystem, BoundarySystem):
    """The authors' sizes; words have our vectors instead of those of Google News, unknown words are left out.

    As theirs, it learns where main sections begin, of which headings such as ``History | Middle Ages`` tell.
    """

    name: ClassVar[str] = "textseg"
    citation: ClassVar[str] = "Koshorek et al. 2018, Text segmentation as a supervised learning task (NAACL)"

    hidden: int = 256
    layers: int = 2
    epochs: int = 10
    batch: int = 16
    """Documents per step; the authors had 8 and one GPU of 2017."""
    learning_rate: float = 1e-3
    labels: tuple[str, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        check_options(self, {"hidden": 1, "layers": 1, "epochs": 1, "batch": 1, "learning_rate": 0})

    def network(self, data: PreparedData) -> Any:
        """Make the untrained network."""
        from sector.baselines.neural.textseg import TextSegNetwork

        assert data.features.dense is not None
        return TextSegNetwork(data.features.dense, self.hidden, self.layers)

    def load(self, words: Any, folder: Any) -> None:
        """Read the weights; labels of the training data are none of this system's."""
        super().load(words, folder)
        self.labels = ()

    def starts(self, document: Document) -> Ints1d:
        """Return 0 and the sentences whose probability is above the threshold."""
        split = self.split_of(document)
        if not len(split.words):  # no word is known
            return np.zeros(1, np.int64)
        probabilities = self._network.probabilities(split)
        begins = probabilities > self._settings.get("threshold", 0.5)
        return np.union1d([0], np.flatnonzero(begins)).astype(np.int64)
