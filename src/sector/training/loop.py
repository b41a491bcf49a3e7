"""The training loop: batches in, the weights of the best epoch out; a killed run goes on to the same result."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from sector.encoders.transformer import GRAPH, TransformerEncoder
from sector.errors import ConfigError
from sector.network.config import NetworkConfig
from sector.training import checkpoint
from sector.training.average import WeightAverage
from sector.training.batches import Batch, training_batches
from sector.training.calibration import calibrate
from sector.training.config import TrainingConfig
from sector.training.device import choose_device
from sector.training.learner import Learner
from sector.training.prepared import PreparedData
from sector.training.readers import SentenceReader, SparseReader, WordReader

Report = Callable[[dict[str, float]], None]


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """What a run leaves: the weights of its best epoch and how it went."""

    network: NetworkConfig
    weights: dict[str, Tensor]
    """Of the network and, under names that begin with ``reader.``, of what was learned before it."""
    history: list[dict[str, float]]
    best: dict[str, float]
    """The history's entry of the epoch whose weights these are, and how they were calibrated."""


class Trainer:
    """One run: holds the networks, their reader, the optimiser and the data on a device.

    Several tasks may share a reader, each with a network of its own; their batches take turns.
    """

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
        self.config, self.device = config, choose_device(device)
        torch.manual_seed(config.seed)
        self.random = np.random.default_rng(config.seed)
        self.reader = (reader or make_reader(sets[0], config)).to(self.device)
        self.weights = list(weights) or [1.0] * len(sets)
        self.shares = list(shares) or [1.0] * len(sets)
        self.tasks = [
            Learner(one, config, self.reader, self.device, weight)
            for one, weight in zip(sets, self.weights, strict=True)
        ]
        self.modules = nn.ModuleDict({"reader": self.reader})
        self.modules["networks"] = nn.ModuleList(task.network for task in self.tasks)
        on_gpu = self.device.type == "cuda"
        self.optimiser = torch.optim.AdamW(self._groups(), weight_decay=config.weight_decay, fused=on_gpu)
        # Half precision: cuDNN has an LSTM for it that keeps the weights on the chip over all steps.
        self.mixed = config.precision == "auto" and on_gpu
        self.scaler = torch.amp.GradScaler(self.device.type, enabled=self.mixed)
        self.average = WeightAverage(self.modules, config.averaging)

    def _groups(self) -> list[dict[str, Any]]:
        """Return the parameters by learning rate; the schedule multiplies each group's own."""
        config = self.config
        learned = [value for value in self.reader.parameters() if value.requires_grad]
        own = [value for task in self.tasks for value in task.network.parameters()]
        groups = [{"params": own, "rate": config.learning_rate}]
        return groups + [{"params": learned, "rate": config.reader_rate or config.learning_rate}] * bool(learned)

    def run(self, folder: Path | None = None, resume: bool = False, report: Report | None = None) -> Trained:
        """Train the only task until the early stop; with a folder, write a checkpoint after each epoch."""
        (trained,) = self.run_all(folder, resume, report)
        return trained

    def run_all(self, folder: Path | None = None, resume: bool = False, report: Report | None = None) -> list[Trained]:
        """Train all tasks until the early stop; all have the weights of one epoch."""
        path = folder / "checkpoint.npz" if folder else None
        best, progress = self._state(), self._start()
        if resume and path and path.exists():
            best, progress = self._restore(path)
        while not self._is_finished(progress):
            entry = self._epoch(progress.epoch)
            progress.epoch += 1
            progress.history.append(entry)
            if entry["map"] > progress.best_map or not self._has_validation():
                progress.best_map, progress.best_epoch, best = entry["map"], progress.epoch, self._averaged()
            if path:
                self._save(path, progress, best)
            if report:
                report(entry)
        return self._trained(best, progress)

    def _trained(self, best: dict[str, Tensor], progress: checkpoint.Progress) -> list[Trained]:
        """Return the best epoch's weights, calibrated."""
        self.modules.load_state_dict(best)
        self.modules.eval()
        learned = {name: best[name] for name in self.reader.learned()}
        found = []
        for number, task in enumerate(self.tasks):
            with torch.autocast(self.device.type, dtype=torch.float16, enabled=self.mixed):
                calibration = calibrate(task)
            weights = {name: value.detach().clone() for name, value in task.network.state_dict().items()}
            history = [{**entry, "map": entry[f"map_{number}"]} for entry in progress.history]
            record = history[progress.best_epoch - 1] | calibration
            found.append(Trained(task.network.config, weights | learned, history, record))
        return found

    def _has_validation(self) -> bool:
        return any(task.validation is not None for task in self.tasks)

    def _is_finished(self, progress: checkpoint.Progress) -> bool:
        waited = progress.epoch - progress.best_epoch
        return progress.epoch >= self.config.epochs or (self._has_validation() and waited >= self.config.patience)

    def _epoch(self, epoch: int) -> dict[str, float]:
        """Pass once over the documents; give what the progress bar shows."""
        begun = time.perf_counter()
        losses, documents = [], 0
        self.modules.train()
        batches = self._batches()
        for number, (task, batch) in enumerate(batches):
            self._set_rate(epoch, number, len(batches))
            losses.append(self._step(task, batch))
            documents += batch.documents
        loss = float(torch.stack(losses).mean())
        if not np.isfinite(loss):
            raise ConfigError(f"The loss became {loss} in epoch {epoch + 1}: lower 'learning_rate' or use 'clip'.")
        seconds = time.perf_counter() - begun
        scores = self._validation_maps()
        return {
            "epoch": epoch + 1,
            "loss": loss,
            "map": sum(scores) / len(scores),
            **{f"map_{number}": score for number, score in enumerate(scores)},
            "documents_per_second": documents / seconds,
            "seconds": time.perf_counter() - begun,
        }

    def _batches(self) -> list[tuple[Learner, Batch]]:
        """Return one epoch of every task, mixed; a task by itself keeps its order."""
        config = self.config
        found = []
        for task, share in zip(self.tasks, self.shares, strict=True):
            batches = list(training_batches(task.data.train, config.batch, config.window, self.random, config.crop))
            found += [(task, batch) for batch in batches[: max(1, round(share * len(batches)))]]
        return found if len(self.tasks) == 1 else [found[i] for i in self.random.permutation(len(found))]

    def _step(self, task: Learner, batch: Batch) -> Tensor:
        with torch.autocast(self.device.type, dtype=torch.float16, enabled=self.mixed):
            loss = task.loss(batch)
        self.optimiser.zero_grad(set_to_none=True)
        self.scaler.scale(loss).backward()  # type: ignore[no-untyped-call]
        if self.config.clip:
            self.scaler.unscale_(self.optimiser)
            torch.nn.utils.clip_grad_norm_(self.modules.parameters(), self.config.clip)
        self.scaler.step(self.optimiser)
        self.scaler.update()
        self.average.update()
        return loss.detach()

    def _set_rate(self, epoch: int, batch: int, batches: int) -> None:
        """Follow the schedule: a function of the step alone, so that nothing of it needs saving."""
        config, step = self.config, epoch * batches + batch
        factor = 1.0
        if config.schedule == "exponential":
            factor = 0.85**epoch
        elif config.schedule == "linear":
            factor = min(1.0, (step + 1) / max(1, config.warmup)) * (1 - step / (config.epochs * batches))
        for group in self.optimiser.param_groups:
            group["lr"] = group["rate"] * factor

    def _validation_maps(self) -> list[float]:
        """Mean average precision over each task's validation sentences, with the averaged weights."""
        self.modules.eval()
        with self.average.applied(), torch.autocast(self.device.type, dtype=torch.float16, enabled=self.mixed):
            return [task.validation_map() if task.validation else 0.0 for task in self.tasks]

    def _averaged(self) -> dict[str, Tensor]:
        with self.average.applied():
            return self._state()

    def _state(self) -> dict[str, Tensor]:
        return {name: value.detach().clone() for name, value in self.modules.state_dict().items()}

    def _start(self) -> checkpoint.Progress:
        return checkpoint.Progress(0, -1.0, 0, [], self._random_state(), self.scaler.state_dict(), self._fingerprint())

    def _random_state(self) -> dict[str, Any]:
        return dict(self.random.bit_generator.state)

    def _fingerprint(self) -> str:
        sets = [{"about": dict(task.data.about), "task": task.data.task} for task in self.tasks]
        described: dict[str, Any] = {"config": self.config.to_dict(), "data": sets}
        given = {"weights": self.weights, "shares": self.shares}
        described |= {name: values for name, values in given.items() if set(values) != {1.0}}
        return hashlib.sha256(json.dumps(described, sort_keys=True).encode()).hexdigest()[:16]

    def _save(self, path: Path, progress: checkpoint.Progress, best: dict[str, Tensor]) -> None:
        progress.random, progress.scaler = self._random_state(), self.scaler.state_dict()
        random = {"cpu": torch.get_rng_state()}
        if self.device.type == "cuda":
            random["cuda"] = torch.cuda.get_rng_state(self.device)
        optimiser = {
            f"{number}/{name}": value
            for number, state in self.optimiser.state_dict()["state"].items()
            for name, value in state.items()
        }
        states = {"network": self._state(), "best": best, "optimiser": optimiser, "random": random}
        states["average"] = self.average.state
        checkpoint.save(path, progress, states)

    def _restore(self, path: Path) -> tuple[dict[str, Tensor], checkpoint.Progress]:
        progress, states = checkpoint.load(path)
        if progress.fingerprint != self._fingerprint():
            raise ConfigError(f"{path} belongs to a run with other options or data; give another output folder.")
        self.modules.load_state_dict(states["network"])
        self.average.restore(states.get("average", {}))
        optimiser = self.optimiser.state_dict()
        optimiser["state"] = {}
        for key, value in states["optimiser"].items():
            number, name = key.split("/")
            optimiser["state"].setdefault(int(number), {})[name] = value
        self.optimiser.load_state_dict(optimiser)
        self.scaler.load_state_dict(progress.scaler)
        self.random.bit_generator.state = progress.random
        torch.set_rng_state(states["random"]["cpu"])
        if "cuda" in states["random"] and self.device.type == "cuda":
            torch.cuda.set_rng_state(states["random"]["cuda"], self.device)
        return states["best"], progress


def make_reader(data: PreparedData, config: TrainingConfig) -> SentenceReader:
    """Make the reader that fits the data's features."""
    if data.features.pooling == "transformer":
        return _make_transformer_reader(data, config)
    if data.features.dense is None:
        return SparseReader(data.features)
    return WordReader(data.features, learn=config.learn_vectors, word_dropout=config.word_dropout)


def _make_transformer_reader(data: PreparedData, config: TrainingConfig) -> SentenceReader:
    settings = data.about["encoder"]
    folder = data.folder / settings["model"]
    if (folder / GRAPH).is_file():
        from sector.training.encoded import EncodedReader

        return EncodedReader(TransformerEncoder.load(folder, settings))
    from sector.export.pretrained import load_weights
    from sector.training.transformer import TransformerReader

    around = {"begin": settings["begin"], "end": settings["end"]}
    return TransformerReader(load_weights(folder), **around, checkpointing=config.checkpointing, frozen=config.frozen)
