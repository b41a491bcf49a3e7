"""Several tasks with one encoder: data sets that share word vectors, or a pretrained encoder, and train it together.

The recipe is a TOML file: training options, the encoder, and a table ``[tasks.NAME]`` for each model to be made. The
work folder has a folder per task, as a single job leaves it, so that each task is exported by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sector import datasets, encoders
from sector.errors import ConfigError, MissingExtraError
from sector.tasks import TaskName
from sector.training.config import TrainingConfig
from sector.training.job import ENCODER, PREPARED, RUN, RunFolder, located
from sector.training.measure import data_name
from sector.training.prepare import Advance, NumberedSplit, TaskOptions, number_tokens, prepare_together
from sector.training.prepared import PreparedData

SPLITS = ("train", "validation")
OWN_KEYS: Mapping[str, type] = {"encoder": str, "encoder_options": dict, "language": str}
TASK_KEYS: Mapping[str, type] = {
    "train": str,
    "validation": str,
    "task": str,
    "min_count": int,
    "flags": bool,
    "weight": float,
    "share": float,
}
NAMES = {str: "string", dict: "table", int: "whole number", bool: "truth value", float: "positive number"}


@dataclass(frozen=True, slots=True)
class TaskRecipe:
    """One model of a recipe."""

    files: Mapping[str, Path]
    task: TaskName = "topics"
    min_count: int = 3
    flags: bool = False
    weight: float = 1.0
    """How much its loss counts beside that of the others."""
    share: float = 1.0
    """Which part of its training documents, another one in each epoch, is read: less time for a large data set."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Tasks, the encoder they share and how they are trained."""

    tasks: Mapping[str, TaskRecipe]
    training: TrainingConfig
    encoder: str = "bloom"
    encoder_options: Mapping[str, Any] = field(default_factory=dict)
    language: str = ""

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], data: Path) -> Recipe:
        """Read a recipe; file names are taken from the folder ``data`` on."""
        rest = dict(record)
        tables = rest.pop("tasks", None)
        if not isinstance(tables, dict) or not tables:
            raise ConfigError("The recipe has no table [tasks.NAME]; give one for each model to be trained.")
        own = {name: rest.pop(name) for name in OWN_KEYS if name in rest}
        for name, value in own.items():
            if not isinstance(value, OWN_KEYS[name]):
                raise ConfigError(f"The recipe's '{name}' is {value!r}; it must be a {NAMES[OWN_KEYS[name]]}.")
        tasks = {name: _task(name, table, data) for name, table in tables.items()}
        return cls(tasks, TrainingConfig.from_dict(rest), **own)


def _task(name: str, table: Any, data: Path) -> TaskRecipe:
    if name in ("", ".", "..") or Path(name).name != name:
        raise ConfigError(f"The recipe's task {name!r} cannot be the name of a folder; choose another.")
    if not isinstance(table, dict) or not isinstance(table.get("train"), str):
        raise ConfigError(f"The recipe's [tasks.{name}] needs 'train', the file of its training documents.")
    for key, value in table.items():
        kind = TASK_KEYS.get(key)
        if kind is None:
            raise ConfigError(f"[tasks.{name}] has no option '{key}'; its options are: {', '.join(TASK_KEYS)}.")
        if not _is(value, kind):
            raise ConfigError(f"The option '{key}' of [tasks.{name}] is {value!r}; it must be a {NAMES[kind]}.")
    if table.get("share", 1.0) > 1:
        raise ConfigError(f"The option 'share' of [tasks.{name}] is {table['share']!r}; it must be at most 1.")
    files = {split: data / table[split] for split in SPLITS if split in table}
    return TaskRecipe(files, **{key: value for key, value in table.items() if key not in SPLITS})


def _is(value: Any, kind: type) -> bool:
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and value > 0
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


@dataclass(frozen=True, slots=True)
class TogetherFolder:
    """The work folder of a recipe."""

    path: Path

    def task(self, name: str) -> RunFolder:
        """Return the folder of one task."""
        return RunFolder(self.path / name)

    def prepare(self, recipe: Recipe, advance: Advance | None = None) -> dict[str, PreparedData]:
        """Turn all documents into arrays with one numbering of words; the first task's file has their features."""
        loaded = {
            f"{name}/{split}": datasets.load(file, language=recipe.language)
            for name, task in recipe.tasks.items()
            for split, file in task.files.items()
        }
        encoder = encoders.make(recipe.encoder, **located(recipe.encoder_options))
        corpus = number_tokens(loaded, encoder, advance)
        splits: dict[str, dict[str, NumberedSplit]] = {name: {} for name in recipe.tasks}
        for key, split in corpus.splits.items():
            name, _, part = key.rpartition("/")
            splits[name][part] = split
        options = {name: _options(recipe, task) for name, task in recipe.tasks.items()}
        made = prepare_together(splits, corpus.tokens, encoder, options)
        (self.path / ENCODER).mkdir(parents=True, exist_ok=True)
        settings = encoder.save(self.path / ENCODER)
        return {name: self._save(name, data, settings, name == next(iter(made))) for name, data in made.items()}

    def _save(self, name: str, data: PreparedData, settings: Mapping[str, Any], first: bool) -> PreparedData:
        folder = self.task(name).path
        folder.mkdir(parents=True, exist_ok=True)
        (folder / RUN).unlink(missing_ok=True)
        data = replace(data.with_about(encoder=dict(settings), encoder_folder=f"../{ENCODER}"), folder=folder)
        data.save(folder / PREPARED, with_features=first)
        return data

    def train(
        self,
        data: Mapping[str, PreparedData],
        recipe: Recipe,
        device: str = "auto",
        resume: bool = False,
        report: Callable[[dict[str, float]], None] | None = None,
    ) -> None:
        """Train all tasks and leave each one's weights in its folder."""
        try:
            from sector.training.trainer import Trainer
            from sector.training.weights import save_weights
        except ModuleNotFoundError as error:
            raise MissingExtraError(str(error.name), "train") from error
        weights = [recipe.tasks[name].weight for name in data]
        shares = [recipe.tasks[name].share for name in data]
        trainer = Trainer(list(data.values()), recipe.training, device, weights=weights, shares=shares)
        for name, trained in zip(data, trainer.run_all(self.path, resume, report), strict=True):
            save_weights(self.task(name).path / RUN, trained, recipe.training)


def _options(recipe: Recipe, task: TaskRecipe) -> TaskOptions:
    about = {f"{split}_data": data_name(file) for split, file in task.files.items()}
    about["together"] = ", ".join(recipe.tasks)
    return TaskOptions(task.task, recipe.language, task.min_count, task.flags, about)
