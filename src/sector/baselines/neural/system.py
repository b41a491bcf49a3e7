"""What neural baselines share: they are prepared here, trained here or elsewhere, and read with what was trained."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from sector.atomic import write_json
from sector.baselines.base import Material, Task, options_of
from sector.baselines.cache import invalidate, is_cached, mark_cached, training_key
from sector.baselines.neural.data import WordIndexer, load_prepared, prepared_words
from sector.errors import MissingExtraError, ModelError
from sector.progress import Advance
from sector.training.config import TrainingConfig
from sector.training.prepared import PreparedData, SplitData

JOB, WEIGHTS = "job.json", "weights.npz"
HALF = 2**14
"""Weights of this many numbers or more are kept in half precision."""
PATIENCE = 6
"""Epochs without a better validation score before the end."""


def ignore(count: int) -> None:
    """Do nothing with a count of steps."""


class NeuralSystem(ABC):
    """Base of systems that train a network on prepared words. Subclasses are dataclasses of options."""

    name: ClassVar[str]
    epochs: int
    batch: int
    learning_rate: float
    labels: tuple[str, ...]
    language = ""
    setting = ""
    """What validation documents chose, for the table's notes."""

    @abstractmethod
    def network(self, data: PreparedData) -> Any:
        """Make the untrained network."""

    def fit(self, material: Material, task: Task, folder: Path) -> None:
        """Train, unless the folder has the weights of the same documents and options."""
        words = self.prepare(material, task, folder).parent
        if not (folder / WEIGHTS).is_file():
            self.train(words, folder, task.device, task.advance, task.seed)
        self.load(words, folder)
        self.language, self.task = task.language, task.name

    def prepare(self, material: Material, task: Task, folder: Path) -> Path:
        """Write what training needs; what belongs to other documents or options is removed."""
        words, key = prepared_words(material, task, folder), training_key(material, task, options_of(self))
        if not is_cached(folder, key):
            invalidate(folder)
            for name in (WEIGHTS, "checkpoint.npz"):
                (folder / name).unlink(missing_ok=True)
            write_json(folder / JOB, {"system": self.name, "options": options_of(self), "seed": task.seed})
            mark_cached(folder, key)
        return words / "prepared.npz"

    def train(self, words: Path, folder: Path, device: str, advance: Advance = ignore, seed: int = 1) -> None:
        """Train on prepared words and leave the weights in the folder; needs torch and numpy alone.

        A killed training goes on to the same weights.
        """
        torch = _imported("torch")
        from sector.baselines.neural.learner import train_network
        from sector.training.checkpoint import write_arrays

        data = load_prepared(words)
        torch.manual_seed(seed)
        config = TrainingConfig(
            epochs=self.epochs,
            batch=self.batch,
            learning_rate=self.learning_rate,
            warmup=0,
            patience=PATIENCE,
            seed=seed,
        )
        trained = train_network(self.network(data), data, config, folder, device, advance)
        arrays = {name: _compact(value.cpu().numpy()) for name, value in trained.weights.items()}
        write_arrays(folder / WEIGHTS, arrays, {"settings": trained.settings, "history": trained.history})

    def load(self, words: Path, folder: Path) -> None:
        """Read the weights for use on a CPU."""
        torch = _imported("torch")
        from sector.training.checkpoint import read_arrays

        arrays, about = read_arrays(folder / WEIGHTS)
        data = load_prepared(words)
        self._network, self._reader = self.network(data), WordIndexer(words)
        weights = {name: torch.from_numpy(array.astype(np.float32)) for name, array in arrays.items()}
        try:
            self._network.load_state_dict(weights)
        except RuntimeError as error:
            raise ModelError(f"{folder / WEIGHTS} does not fit the options; delete it and train again.") from error
        self._network.eval()
        self.labels, self._settings = data.labels, dict(about["settings"])
        self.setting = ", ".join(f"{name} {value:g}" for name, value in self._settings.items())

    def split_of(self, document: Any) -> SplitData:
        """Return the arrays of one document."""
        return replace(self._reader.read(document))


def _compact(array: Any) -> Any:
    return array.astype(np.float16) if array.size >= HALF else array


def _imported(package: str) -> Any:
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        raise MissingExtraError(package, "baselines") from error
