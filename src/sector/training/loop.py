"""The training loop: batches in, the weights of the best epoch out; a killed run goes on to the same result."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from sector.errors import ConfigError, DataError
from sector.network.config import NetworkConfig
from sector.network.losses import label_loss
from sector.network.model import Layout, SectorNetwork, SectorOutput
from sector.training import checkpoint
from sector.training.batches import Batch, reading_batches, training_batches
from sector.training.config import TrainingConfig
from sector.training.features import SentenceTable
from sector.training.prepared import PreparedData, SplitData
from sector.training.targets import TargetTable, average_precision

Report = Callable[[dict[str, float]], None]


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """What a run leaves: the weights of its best epoch and how it went."""

    network: NetworkConfig
    weights: dict[str, Tensor]
    history: list[dict[str, float]]
    best: dict[str, float]
    """The history's entry of the epoch whose weights these are."""


class Trainer:
    """One run: holds the network, the optimiser and the data on a device."""

    def __init__(self, data: PreparedData, config: TrainingConfig, device: str = "auto") -> None:
        if data.train.sentences == 0:
            raise DataError("There is nothing to train on: the training documents have no sentences.")
        if not data.labels:
            raise DataError("There is nothing to learn: no training document has a label for this task.")
        self.data, self.config, self.device = data, config, choose_device(device)
        torch.manual_seed(config.seed)
        self.random = np.random.default_rng(config.seed)
        self.network = SectorNetwork(network_config(data, config)).to(self.device)
        if config.loss == "ce":
            self.network.set_prior(label_frequencies(data.train, len(data.labels)).to(self.device))
        on_gpu = self.device.type == "cuda"
        self.optimiser = torch.optim.AdamW(
            self.network.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay, fused=on_gpu
        )
        # Half precision: cuDNN has an LSTM for it that keeps the weights on the chip over all steps.
        self.mixed = config.precision == "auto" and on_gpu
        self.scaler = torch.amp.GradScaler(self.device.type, enabled=self.mixed)
        self._split = _Split(data, data.train, self.device)
        self._validation = _Split(data, data.validation, self.device) if data.validation is not None else None
        mean_window = np.minimum(np.diff(data.train.document_offsets), config.window).mean()
        # A constant, not the batch's own count: else bucketing by length would weigh short documents more.
        self._sentences_per_batch = float(mean_window) * min(config.batch, data.train.documents)

    def run(self, folder: Path | None = None, resume: bool = False, report: Report | None = None) -> Trained:
        """Train until the early stop; with a folder, write a checkpoint after each epoch."""
        path = folder / "checkpoint.npz" if folder else None
        best, progress = self._state(), self._start()
        if resume and path and path.exists():
            best, progress = self._restore(path)
        while not self._is_finished(progress):
            entry = self._epoch(progress.epoch)
            progress.epoch += 1
            progress.history.append(entry)
            if entry["map"] > progress.best_map or self._validation is None:
                progress.best_map, progress.best_epoch, best = entry["map"], progress.epoch, self._state()
            if path:
                self._save(path, progress, best)
            if report:
                report(entry)
        return Trained(self.network.config, best, progress.history, progress.history[progress.best_epoch - 1])

    def _is_finished(self, progress: checkpoint.Progress) -> bool:
        waited = progress.epoch - progress.best_epoch
        return progress.epoch >= self.config.epochs or (self._validation is not None and waited >= self.config.patience)

    def _epoch(self, epoch: int) -> dict[str, float]:
        """Pass once over the documents; give what the progress bar shows."""
        begun = time.perf_counter()
        losses, documents = [], 0
        self.network.train()
        batches = list(training_batches(self.data.train, self.config.batch, self.config.window, self.random))
        for number, batch in enumerate(batches):
            self._set_rate(epoch, number, len(batches))
            losses.append(self._step(batch))
            documents += batch.documents
        loss = float(torch.stack(losses).mean())
        if not np.isfinite(loss):
            raise ConfigError(f"The loss became {loss} in epoch {epoch + 1}: lower 'learning_rate' or use 'clip'.")
        seconds = time.perf_counter() - begun
        score = self.validation_map() if self._validation else 0.0
        return {
            "epoch": epoch + 1,
            "loss": loss,
            "map": score,
            "documents_per_second": documents / seconds,
            "seconds": time.perf_counter() - begun,
        }

    def _step(self, batch: Batch) -> Tensor:
        output, targets = self._read(self._split, batch)
        loss = label_loss(output.logits, targets, task=self.data.task, loss=self.config.loss)
        loss = loss.sum() / self._sentences_per_batch
        self.optimiser.zero_grad(set_to_none=True)
        self.scaler.scale(loss).backward()  # type: ignore[no-untyped-call]
        if self.config.clip:
            self.scaler.unscale_(self.optimiser)
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.config.clip)
        self.scaler.step(self.optimiser)
        self.scaler.update()
        return loss.detach()

    def _read(self, split: _Split, batch: Batch) -> tuple[SectorOutput, Tensor]:
        with torch.autocast(self.device.type, dtype=torch.float16, enabled=self.mixed):
            dropped = self.config.word_dropout if self.network.training else 0.0
            output = self.network(split.features.rows(batch.sentences, dropped), layout_on(batch, self.device))
        return output, split.targets.rows(batch.sentences)

    def _set_rate(self, epoch: int, batch: int, batches: int) -> None:
        """Follow the schedule: a function of the step alone, so that nothing of it needs saving."""
        config, step = self.config, epoch * batches + batch
        factor = 1.0
        if config.schedule == "exponential":
            factor = 0.85**epoch
        elif config.schedule == "linear":
            factor = min(1.0, (step + 1) / max(1, config.warmup)) * (1 - step / (config.epochs * batches))
        for group in self.optimiser.param_groups:
            group["lr"] = config.learning_rate * factor

    @torch.no_grad()
    def validation_map(self) -> float:
        """Mean average precision over the validation sentences that have a label."""
        assert self._validation is not None and self.data.validation is not None
        self.network.eval()
        total, count = torch.zeros((), device=self.device), torch.zeros((), device=self.device)
        for batch in reading_batches(self.data.validation, self.config.batch):
            output, targets = self._read(self._validation, batch)
            total += average_precision(self.network.probabilities(output), targets).sum()
            count += (targets.sum(dim=1) > 0).sum()
        return float(total / count.clamp(min=1))

    def _state(self) -> dict[str, Tensor]:
        return {name: value.detach().clone() for name, value in self.network.state_dict().items()}

    def _start(self) -> checkpoint.Progress:
        return checkpoint.Progress(0, -1.0, 0, [], self._random_state(), self.scaler.state_dict(), self._fingerprint())

    def _random_state(self) -> dict[str, Any]:
        return dict(self.random.bit_generator.state)

    def _fingerprint(self) -> str:
        described = {"config": self.config.to_dict(), "about": dict(self.data.about), "task": self.data.task}
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
        checkpoint.save(path, progress, states)

    def _restore(self, path: Path) -> tuple[dict[str, Tensor], checkpoint.Progress]:
        progress, states = checkpoint.load(path)
        if progress.fingerprint != self._fingerprint():
            raise ConfigError(f"{path} belongs to a run with other options or data; give another output folder.")
        self.network.load_state_dict(states["network"])
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


class _Split:
    """A split's inputs and targets on the device."""

    def __init__(self, data: PreparedData, split: SplitData, device: torch.device) -> None:
        self.features = SentenceTable(data.features, split, device)
        self.targets = TargetTable(split, len(data.labels), device)


def label_frequencies(split: SplitData, labels: int) -> Tensor:
    """Give the share of sentences that have each label [labels]."""
    sentences = np.bincount(split.sections, minlength=len(split.label_offsets) - 1)
    weights = np.repeat(sentences, np.diff(split.label_offsets))
    counts = np.bincount(split.labels, weights, minlength=labels)
    return torch.from_numpy((counts / max(1, split.sentences)).astype(np.float32))


def network_config(data: PreparedData, config: TrainingConfig) -> NetworkConfig:
    """Put the data's widths and the run's options together."""
    return NetworkConfig(
        inputs=data.inputs,
        labels=len(data.labels),
        task=data.task,
        hidden=config.hidden,
        embedding=config.embedding,
        projection=config.projection,
        tied=config.tied,
        output=config.output,
        dropout=config.dropout,
        dropout_place=config.dropout_place,
    )


def layout_on(batch: Batch, device: torch.device) -> Layout:
    """Copy a batch's layout to the device."""
    forward, backward, forward_place, backward_place = (torch.from_numpy(part).to(device) for part in batch.layout)
    return Layout(forward, backward, forward_place, backward_place, batch.documents)


def choose_device(name: str) -> torch.device:
    """Give the named device, or the GPU where there is one."""
    # Without it cuBLAS sums in no fixed order, and a seed would not repeat a run on a GPU.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise ConfigError(f"The device '{name}' cannot be used here ({error}); try --device cpu.") from error
    return device
