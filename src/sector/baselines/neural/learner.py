"""How a compared network is trained: by the loop that trains our own, with a score and settings of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from sector.errors import DataError
from sector.progress import Advance
from sector.training.config import TrainingConfig
from sector.training.device import choose_device
from sector.training.loop import TrainingLoop
from sector.training.prepared import PreparedData, SplitData

MOST_SENTENCES = 4_000_000
"""Maximum per training: a large data set gets fewer epochs, but at least ``LEAST_EPOCHS``."""
LEAST_EPOCHS = 3
SCORE = "score"
FIGURES = ("epoch", "loss", SCORE, "seconds")
"""What is kept of each epoch."""
NOT_KEPT = (f"{SCORE}_0", "documents_per_second")


class Network(Protocol):
    """What training asks of a compared network."""

    def batches(self, split: SplitData, size: int, random: np.random.Generator) -> Sequence[NDArray[np.int64]]:
        """Return one epoch of batches, each as numbers of documents or sentences."""
        ...

    def loss(self, split: SplitData, batch: NDArray[np.int64], progress: float) -> Tensor:
        """Return the loss of a batch; ``progress`` goes from 0 to 1 over the training."""
        ...

    def validate(self, split: SplitData) -> tuple[float, dict[str, float]]:
        """Return a score, the higher the better, and settings that were chosen on the way."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class BaselineLearner:
    """A compared network and its documents."""

    network: Any
    """An ``nn.Module`` with the methods of `Network`."""
    data: PreparedData
    batch: int

    @property
    def has_validation(self) -> bool:
        """Whether there are validation documents."""
        return self.data.validation is not None

    def batches(self, random: np.random.Generator) -> list[NDArray[np.int64]]:
        """Return one epoch of batches."""
        return list(self.network.batches(self.data.train, self.batch, random))

    def loss(self, batch: NDArray[np.int64], progress: float) -> Tensor:
        """Return the loss of a batch."""
        found: Tensor = self.network.loss(self.data.train, batch, progress)
        return found

    @torch.no_grad()
    def validate(self) -> dict[str, float]:
        """Return the score and the settings chosen with it."""
        score, settings = self.network.validate(self.data.validation)
        return {SCORE: score, **settings}

    def fingerprint(self) -> str:
        """Return a name that changes with the data."""
        return self.data.fingerprint()


@dataclass(frozen=True, slots=True, eq=False)
class TrainedNetwork:
    """The best weights, the settings chosen with them, and how it went."""

    weights: dict[str, Tensor]
    settings: dict[str, float]
    history: list[dict[str, float]]


def train_network(
    network: nn.Module, data: PreparedData, config: TrainingConfig, folder: Path, device: str, advance: Advance
) -> TrainedNetwork:
    """Train until the early stop; a killed run goes on from the checkpoint in ``folder``.

    Raises DataError if the training documents have no sentences.
    """
    if not data.train.sentences:
        raise DataError("There is nothing to train on: the training documents have no sentences.")
    chosen = choose_device(device)
    passes = max(LEAST_EPOCHS, MOST_SENTENCES // data.train.sentences)
    config = replace(config, epochs=min(config.epochs, passes))
    loop = TrainingLoop(
        network.to(chosen), [BaselineLearner(network, data, config.batch)], config, chosen, measure=SCORE
    )
    weights, progress = loop.train(folder, resume=True, report=lambda entry: advance(1))
    best = progress.history[progress.best_epoch - 1]
    settings = {name: value for name, value in best.items() if name not in (*FIGURES, *NOT_KEPT)}
    return TrainedNetwork(weights, settings, [{name: entry[name] for name in FIGURES} for entry in progress.history])
