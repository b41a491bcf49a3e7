"""Trains SECTOR networks: puts prepared data, a reader of sentences and the loop together; the weights come out.

Several tasks may share a reader, each with a network of its own; their batches take turns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from sector import encoders
from sector.encoders.words import WordEncoder
from sector.network.config import NetworkConfig
from sector.progress import EpochCallback
from sector.training.calibration import calibrate
from sector.training.checkpoint import StateDict, TrainingProgress
from sector.training.config import TrainingConfig
from sector.training.device import choose_device
from sector.training.learner import SectorLearner
from sector.training.loop import TrainingLoop
from sector.training.open_vocabulary import OpenLearner
from sector.training.prepared import PreparedData
from sector.training.readers import SentenceReader


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """What a run leaves: the weights of its best epoch and how it went."""

    network: NetworkConfig
    weights: dict[str, Tensor]
    """Of the network and, under names that begin with ``reader.``, of what was learned before it."""
    history: list[dict[str, float]]
    best: dict[str, float]
    """The history's entry of the epoch whose weights these are, and how they were calibrated."""


class Trainer(TrainingLoop):
    """One run of one task or of several: holds the networks, their reader and the data on a device."""

    def __init__(
        self,
        data: PreparedData | Sequence[PreparedData],
        config: TrainingConfig,
        device: str = "auto",
        reader: SentenceReader | None = None,
        weights: Sequence[float] = (),
        shares: Sequence[float] = (),
    ) -> None:
        """Of several tasks, ``weights`` say how much the loss of each counts, ``shares`` which part of its documents,
        another one in each epoch, is read; 1 where they are left out.
        """
        sets = [data] if isinstance(data, PreparedData) else list(data)
        chosen = choose_device(device)
        torch.manual_seed(config.seed)
        self.reader = (reader or make_reader(sets[0], config)).to(chosen)
        each = {"weights": list(weights) or [1.0] * len(sets), "shares": list(shares) or [1.0] * len(sets)}
        self.tasks = [
            learner_of(one)(one, config, self.reader, chosen, weight, share)
            for one, weight, share in zip(sets, each["weights"], each["shares"], strict=True)
        ]
        modules = nn.ModuleDict({"reader": self.reader})
        modules["networks"] = nn.ModuleList(task.network for task in self.tasks)
        super().__init__(modules, self.tasks, config, chosen, groups=self._groups(config), options=each)

    def _groups(self, config: TrainingConfig) -> list[tuple[list[nn.Parameter], float]]:
        """Return the parameters by learning rate; the schedule multiplies each group's own."""
        learned = [value for value in self.reader.parameters() if value.requires_grad]
        own = [value for task in self.tasks for value in task.network.parameters()]
        return [(own, config.learning_rate)] + [(learned, config.reader_rate or config.learning_rate)] * bool(learned)

    def run(self, folder: Path | None = None, resume: bool = False, report: EpochCallback | None = None) -> Trained:
        """Train the only task; otherwise as ``run_all``."""
        (trained,) = self.run_all(folder, resume, report)
        return trained

    def run_all(
        self, folder: Path | None = None, resume: bool = False, report: EpochCallback | None = None
    ) -> list[Trained]:
        """Train all tasks until the early stop; return the weights of each, all of one epoch, calibrated.

        With a folder, a checkpoint is written after each epoch, which ``resume`` goes on from; errors as in
        `TrainingLoop.train`.
        """
        best, progress = self.train(folder, resume, report)
        self.modules.load_state_dict(best)
        self.modules.eval()
        return [self._trained(number, best, progress) for number in range(len(self.tasks))]

    def _trained(self, number: int, best: StateDict, progress: TrainingProgress) -> Trained:
        task = self.tasks[number]
        with torch.autocast(self.device.type, dtype=torch.float16, enabled=self.mixed):
            calibration = calibrate(task)
        weights = {name: value.detach().clone() for name, value in task.network.state_dict().items()}
        weights |= {name: best[name] for name in self.reader.learned()}
        history = [{**entry, "map": entry.get(f"map_{number}", 0.0)} for entry in progress.history]
        return Trained(task.network.config, weights, history, history[progress.best_epoch - 1] | calibration)


def learner_of(data: PreparedData) -> type[SectorLearner]:
    """Return what learns the data's task."""
    return OpenLearner if data.task == "open" else SectorLearner


def make_reader(data: PreparedData, config: TrainingConfig) -> SentenceReader:
    """Return the reader of the encoder that the data was prepared with; without one, that of words."""
    settings = data.about.get("encoder")
    kind = encoders.kind_of(settings) if isinstance(settings, Mapping) else WordEncoder[Any]
    return kind.reader(data, config)
