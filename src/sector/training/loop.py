"""The training loop: batches in, the weights of the best epoch out; a killed run goes on to the same result.

Our networks and those that they are compared with are trained by this loop; what differs between them is a `Learner`.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor, nn

from sector.digests import fingerprint
from sector.errors import ConfigError
from sector.progress import EpochCallback
from sector.training import checkpoint
from sector.training.average import WeightAverage
from sector.training.checkpoint import StateDict
from sector.training.config import TrainingConfig
from sector.training.distributed import Parallel, leads

CHECKPOINT = "checkpoint.npz"


class Learner(Protocol):
    """A network with its documents and its loss: one task of a run."""

    @property
    def has_validation(self) -> bool:
        """Whether there are validation documents, which decide when to stop."""
        ...

    def batches(self, random: np.random.Generator) -> Sequence[Any]:
        """Return one epoch of batches, in an order that ``random`` decides; ``len`` of a batch is what it counts."""
        ...

    def loss(self, batch: Any, progress: float, /) -> Tensor:
        """Return the loss of a batch, a scalar; ``progress`` goes from 0 to 1 over the training."""
        ...

    def validate(self) -> dict[str, float]:
        """Return the score under the loop's name for it, and what else was found on the validation documents."""
        ...

    def fingerprint(self) -> str:
        """Return a name that changes with the data, labels included."""
        ...


class TrainingLoop:
    """One run: the modules, the learners that train them in turns, the optimiser, and where the run stands."""

    def __init__(
        self,
        modules: nn.Module,
        learners: Sequence[Learner],
        config: TrainingConfig,
        device: torch.device,
        *,
        groups: Sequence[tuple[list[nn.Parameter], float]] = (),
        options: Mapping[str, Any] | None = None,
        measure: str = "map",
    ) -> None:
        """Start a run at its first epoch.

        ``groups`` are parameters with a learning rate of their own, all with that of ``config`` where there are none;
        ``options`` belong to the run beside ``config``, so that no other run goes on from its checkpoint; ``measure``
        is what the learners call their score.
        """
        self.modules, self.learners, self.config, self.device = modules, learners, config, device
        self.random = np.random.default_rng(config.seed)
        self._options, self._measure = dict(options or {}), measure
        on_gpu = device.type == "cuda"
        given = groups or [(list(modules.parameters()), config.learning_rate)]
        parameters: list[dict[str, Any]] = [{"params": values, "rate": rate} for values, rate in given]
        self.optimiser = torch.optim.AdamW(parameters, weight_decay=config.weight_decay, fused=on_gpu)
        # Half precision: cuDNN has an LSTM for it that keeps the weights on the chip over all steps.
        self.mixed = config.precision == "auto" and on_gpu
        self.scaler = torch.amp.GradScaler(device.type, enabled=self.mixed)
        self.average = WeightAverage(modules, config.averaging)
        self.parallel = Parallel(modules, learners)

    def train(
        self, folder: Path | None = None, resume: bool = False, report: EpochCallback | None = None
    ) -> tuple[StateDict, checkpoint.TrainingProgress]:
        """Train until the early stop; return the weights of the best epoch and how the run went.

        With a folder, a checkpoint is written after each epoch; ``resume`` goes on from it, if there is one. Raises
        ConfigError if the checkpoint is that of other options or other data, or if the loss is no number any more.
        """
        path = folder / CHECKPOINT if folder else None
        best, progress = self._state(), self._start()
        if resume and path and path.exists():
            best, progress = self._restore(path)
        self.parallel.check_epoch(progress.epoch)
        while not self._is_finished(progress):
            entry = self._epoch(progress.epoch)
            progress.epoch += 1
            progress.history.append(entry)
            if entry[self._measure] > progress.best_score or not self._has_validation():
                progress.best_score, progress.best_epoch = entry[self._measure], progress.epoch
                best = self._averaged()
            if path and leads():
                self._save(path, progress, best)
            if report and leads():
                report(entry)
        return best, progress

    def _has_validation(self) -> bool:
        return any(learner.has_validation for learner in self.learners)

    def _is_finished(self, progress: checkpoint.TrainingProgress) -> bool:
        waited = progress.epoch - progress.best_epoch
        return progress.epoch >= self.config.epochs or (self._has_validation() and waited >= self.config.patience)

    def _epoch(self, epoch: int) -> dict[str, float]:
        """Pass once over the documents; return what the progress bar shows."""
        begun = time.perf_counter()
        losses, count = [], 0
        self.modules.train()
        self.parallel.begin_epoch(self.config.seed, epoch)
        batches = self._batches()
        for number, (learner, batch) in enumerate(batches):
            progress = (epoch + number / len(batches)) / self.config.epochs
            self._set_rate(epoch, number, len(batches))
            losses.append(self._step(learner, batch, progress))
            count += len(batch)
        loss = self.parallel.mean(torch.stack(losses).mean()) if losses else 0.0
        if not np.isfinite(loss):
            raise ConfigError(f"The loss became {loss} in epoch {epoch + 1}: lower 'learning_rate' or use 'clip'.")
        seconds = time.perf_counter() - begun
        figures = {"epoch": epoch + 1, "loss": loss, **self._scores(), "documents_per_second": count / seconds}
        return figures | {"seconds": time.perf_counter() - begun}

    def _batches(self) -> list[tuple[Learner, Any]]:
        """Return one epoch of every learner, mixed; a learner by itself keeps its order."""
        found = [(learner, batch) for learner in self.learners for batch in learner.batches(self.random)]
        return found if len(self.learners) == 1 else [found[i] for i in self.random.permutation(len(found))]

    def _step(self, learner: Learner, batch: Any, progress: float) -> Tensor:
        with torch.autocast(self.device.type, dtype=torch.float16, enabled=self.mixed):
            loss = self.parallel.loss(learner, batch, progress)
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

    def _scores(self) -> dict[str, float]:
        """Return the mean score, each learner's own, and what they found beside it, with the averaged weights."""
        self.modules.eval()
        with self.average.applied(), torch.autocast(self.device.type, dtype=torch.float16, enabled=self.mixed):
            found = [learner.validate() if learner.has_validation else {} for learner in self.learners]
        scores = [figures.pop(self._measure, 0.0) for figures in found]
        own = {f"{self._measure}_{number}": score for number, score in enumerate(scores)}
        others = {name: value for figures in found for name, value in figures.items()}
        return self.parallel.agreed({self._measure: sum(scores) / len(scores), **own, **others})

    def _averaged(self) -> StateDict:
        with self.average.applied():
            return self._state()

    def _state(self) -> StateDict:
        return {name: value.detach().clone() for name, value in self.modules.state_dict().items()}

    def _start(self) -> checkpoint.TrainingProgress:
        return checkpoint.TrainingProgress(
            0, -np.inf, 0, [], self._random_state(), self.scaler.state_dict(), *self._fingerprints()
        )

    def _random_state(self) -> dict[str, Any]:
        return dict(self.random.bit_generator.state)

    def _fingerprints(self) -> tuple[str, str]:
        """Return names of the options and of the data."""
        options = fingerprint({"config": self.config.to_dict(), **self._options})
        return options, fingerprint([learner.fingerprint() for learner in self.learners])

    def _save(self, path: Path, progress: checkpoint.TrainingProgress, best: StateDict) -> None:
        progress.random, progress.scaler = self._random_state(), self.scaler.state_dict()
        random = {"cpu": torch.get_rng_state()}
        if self.device.type == "cuda":
            random["cuda"] = torch.cuda.get_rng_state(self.device)
        optimiser = checkpoint.flattened(self.optimiser.state_dict()["state"])
        states = {"network": self._state(), "best": best, "optimiser": optimiser, "random": random}
        checkpoint.save(path, progress, states | {"average": self.average.state})

    def _restore(self, path: Path) -> tuple[StateDict, checkpoint.TrainingProgress]:
        progress, states = checkpoint.load(path)
        self._check(path, progress)
        self.modules.load_state_dict(states["network"])
        self.average.restore(states.get("average", {}))
        optimiser = self.optimiser.state_dict()
        self.optimiser.load_state_dict(optimiser | {"state": checkpoint.nested(states.get("optimiser", {}))})
        self.scaler.load_state_dict(progress.scaler)
        self.random.bit_generator.state = progress.random
        torch.set_rng_state(states["random"]["cpu"])
        if "cuda" in states["random"] and self.device.type == "cuda":
            torch.cuda.set_rng_state(states["random"]["cuda"], self.device)
        return states["best"], progress

    def _check(self, path: Path, progress: checkpoint.TrainingProgress) -> None:
        """Raise ConfigError for a checkpoint of another run."""
        options, data = self._fingerprints()
        if progress.data != data:
            raise ConfigError(
                f"{path} belongs to a run on other data: texts, labels, headings or section starts have changed since. "
                "Train without --resume, or give another output folder."
            )
        if progress.options != options:
            raise ConfigError(
                f"{path} belongs to a run with other options; give the same ones, train without --resume, or give "
                "another output folder."
            )
