"""The training loop of the neural baselines: batches in, the weights of the best epoch out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from sector.errors import ConfigError, DataError
from sector.training.device import choose_device
from sector.training.prepared import PreparedData, SplitData

Advance = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Schedule:
    """How a network is trained."""

    epochs: int = 10
    batch: int = 16
    learning_rate: float = 1e-3
    clip: float = 1.0
    patience: int = 6
    """Epochs without a better validation score before the end. Ignored without validation documents."""
    seed: int = 1
    sentences: int = 4_000_000
    """Seen at most: a large data set is passed over less often, but three times at least."""

    def passes(self, split: SplitData) -> int:
        """Return how often the documents are passed over."""
        return min(self.epochs, max(3, self.sentences // max(1, split.sentences)))


class Trainable(Protocol):
    """What the loop asks of a network."""

    def batches(self, split: SplitData, size: int, random: np.random.Generator) -> Iterator[NDArray[np.int64]]:
        """Return one epoch of batches, each as numbers of documents or sentences."""
        ...

    def loss(self, split: SplitData, batch: NDArray[np.int64], progress: float) -> Tensor:
        """Return the loss of a batch; ``progress`` goes from 0 to 1 over the training."""
        ...

    def validate(self, split: SplitData) -> tuple[float, dict[str, float]]:
        """Return a score, the higher the better, and settings that were chosen on the way."""
        ...


@dataclass(slots=True, eq=False)
class Trained:
    """The best weights, the settings chosen with them, and how it went."""

    weights: dict[str, Tensor]
    settings: dict[str, float]
    history: list[dict[str, float]] = field(default_factory=list)


def train(network: Any, data: PreparedData, schedule: Schedule, device: str, advance: Advance) -> Trained:
    """Train until the early stop."""
    if not data.train.sentences:
        raise DataError("There is nothing to train on: the training documents have no sentences.")
    chosen = choose_device(device)
    schedule = replace(schedule, epochs=schedule.passes(data.train))
    random = np.random.default_rng(schedule.seed)
    network.to(chosen)
    best, score, waited = Trained(state(network), {}), -np.inf, 0
    optimiser = torch.optim.AdamW(network.parameters(), lr=schedule.learning_rate, weight_decay=1e-4)
    scaler = torch.amp.GradScaler(chosen.type, enabled=chosen.type == "cuda")
    for epoch in range(schedule.epochs):
        begun = time.perf_counter()
        loss = _epoch(network, data.train, optimiser, schedule, random, epoch, scaler)
        found, settings = evaluated(network, data.validation) if data.validation else (float(epoch), {})
        best.history.append({"epoch": epoch + 1, "loss": loss, "score": found, "seconds": time.perf_counter() - begun})
        waited += 1
        if found > score:
            best.weights, best.settings, score, waited = state(network), settings, found, 0
        advance(1)
        if waited >= schedule.patience:
            break
    return best


def _epoch(
    network: Any,
    split: SplitData,
    optimiser: torch.optim.Optimizer,
    schedule: Schedule,
    random: np.random.Generator,
    epoch: int,
    scaler: torch.amp.GradScaler,
) -> float:
    """Pass once over the training documents with a rate that falls to zero; give the mean loss."""
    network.train()
    device = next(network.parameters()).device.type
    batches = list(network.batches(split, schedule.batch, random))
    losses = []
    for number, batch in enumerate(batches):
        progress = (epoch + number / len(batches)) / schedule.epochs
        for group in optimiser.param_groups:
            group["lr"] = schedule.learning_rate * (1 - progress)
        with torch.autocast(device, dtype=torch.float16, enabled=scaler.is_enabled()):
            loss = network.loss(split, batch, progress)
        optimiser.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.unscale_(optimiser)
        nn.utils.clip_grad_norm_(network.parameters(), schedule.clip)
        scaler.step(optimiser)
        scaler.update()
        losses.append(loss.detach())
    found = float(torch.stack(losses).mean()) if losses else 0.0
    if not np.isfinite(found):
        raise ConfigError(f"The loss became {found} in epoch {epoch + 1}: lower 'learning_rate'.")
    return found


@torch.no_grad()
def evaluated(network: Any, split: SplitData) -> tuple[float, dict[str, float]]:
    """Score a network on the validation documents."""
    network.eval()
    found: tuple[float, dict[str, float]] = network.validate(split)
    return found


def state(network: nn.Module) -> dict[str, Tensor]:
    """Copy the weights."""
    return {name: value.detach().clone() for name, value in network.state_dict().items()}


def seeded(seed: int) -> None:
    """Make what follows repeatable."""
    torch.manual_seed(seed)


def by_length(lengths: NDArray[np.int64], size: int, random: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Return batches of like length in random order; those without length are left out."""
    order = random.permutation(np.flatnonzero(lengths))
    order = order[np.argsort(lengths[order] + random.random(len(order)) * 8, kind="stable")]
    groups = [order[i : i + size] for i in range(0, len(order), size)]
    for index in random.permutation(len(groups)):
        yield groups[index]
