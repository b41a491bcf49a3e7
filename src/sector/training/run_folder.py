"""The folder of a training run: what was prepared is used again, what was killed goes on, what is done is exported.

It holds ``prepared.npz`` (all that training reads), ``encoder/`` (vocabulary files), ``checkpoint.npz`` and
``weights.npz``; with several tasks, a folder for each with its ``prepared.npz`` and ``weights.npz``. The middle step,
training, can also run elsewhere: ``python -m sector.training``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sector import datasets, encoders
from sector.document import Document
from sector.encoders.files import write_array
from sector.errors import ConfigError, DataError, MissingExtraError
from sector.evaluation.run import unlabelled
from sector.progress import Advance, EpochCallback
from sector.runtime.installed import find
from sector.runtime.model import load
from sector.training.config import TrainingConfig
from sector.training.prepare import NumberedSplit, TaskOptions, number_tokens, prepare_tasks
from sector.training.prepared import PreparedData
from sector.training.recipe import Recipe, TaskRecipe, data_name
from sector.training.teacher import taught

PREPARED, ENCODER, TRAINED = "prepared.npz", "encoder", "weights.npz"
TOWER, HEADING_PIECES = "headings.npy", "heading_pieces.npy"
"""Beside the prepared data of an open vocabulary: an encoder's vectors of the headings or, where it is trained on with
the network, the pieces that it reads of them, filled up with −1."""
TOWER_TOKENS = 24
"""Pieces of a heading that are read."""
BLOCK = 8192
"""Headings that are read at once."""


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The files of a run; those of a lone task, whose name is empty, lie in the folder itself."""

    path: Path

    def task(self, name: str) -> Path:
        """Return the folder of one task."""
        return self.path / name

    def prepared(self, recipe: Recipe, advance: Advance | None = None) -> dict[str, PreparedData]:
        """Return the prepared data of each task, from its file if that was made of the same files and options.

        ``advance`` is told how many documents were done. Raises DataError for documents that cannot be learned from.
        """
        return self._cached(recipe) or self._prepare(recipe, advance)

    def _cached(self, recipe: Recipe) -> dict[str, PreparedData]:
        key = recipe.key()
        if not (self.path / ENCODER).is_dir():
            return {}
        try:
            found = {name: PreparedData.load(self.task(name) / PREPARED) for name in recipe.tasks}
        except DataError:
            return {}
        whole = [data.features for data in found.values() if data.features.is_whole]
        if not whole or any(data.about.get("key") != key for data in found.values()):
            return {}
        return {name: replace(data, features=whole[0]) for name, data in found.items()}

    def _prepare(self, recipe: Recipe, advance: Advance | None) -> dict[str, PreparedData]:
        encoder = encoders.make(recipe.encoder, **recipe.located_options())
        splits: dict[str, Iterable[Document]] = {
            f"{name}/{split}": documents
            for name, task in recipe.tasks.items()
            for split, documents in _splits(task, recipe.language).items()
        }
        corpus = number_tokens(splits, encoder, advance)
        own: dict[str, dict[str, NumberedSplit]] = {name: {} for name in recipe.tasks}
        for place, numbered in corpus.splits.items():
            name, _, split = place.rpartition("/")
            own[name][split] = numbered
        made = prepare_tasks(own, corpus.tokens, encoder, {name: _options(recipe, name) for name in recipe.tasks})
        for name, task in recipe.tasks.items():
            if task.teacher:
                made[name] = taught(made[name], own[name]["train"].documents, load(task.teacher), advance)
        saved = self._save(recipe, made, encoder)
        for name, data in saved.items():
            if data.task == "open":
                self._write_headings(name, data.labels, recipe, encoder)
        return saved

    def _write_headings(self, name: str, headings: Sequence[str], recipe: Recipe, encoder: encoders.Encoder) -> None:
        """Write where headings lie, or what the encoder will read of them."""
        folder = self.task(name)
        for file in (TOWER, HEADING_PIECES):
            (folder / file).unlink(missing_ok=True)
        if recipe.space_of:
            write_array(folder / TOWER, read_in_space(headings, recipe.space_of))
        elif not recipe.tower and encoder.reads_headings:
            write_array(folder / HEADING_PIECES, heading_pieces(headings, encoder))
        else:
            write_array(folder / TOWER, towered(headings, recipe.tower))

    def _save(self, recipe: Recipe, made: Mapping[str, PreparedData], encoder: encoders.Encoder) -> dict[str, Any]:
        """Write the encoder and each task's data; the first task's file has the features of all."""
        for name in made:
            for file in (PREPARED, TRAINED):  # what does not belong to the new encoder must not be found with it
                (self.task(name) / file).unlink(missing_ok=True)
        (self.path / ENCODER).mkdir(parents=True, exist_ok=True)
        about: dict[str, Any] = {"encoder": encoder.save(self.path / ENCODER)}
        if recipe.is_multitask:
            about["encoder_folder"] = f"../{ENCODER}"
        saved = {}
        for name, data in made.items():
            self.task(name).mkdir(exist_ok=True)
            saved[name] = replace(data.with_about(**about), folder=self.task(name))
            saved[name].save(self.task(name) / PREPARED, with_features=not len(saved) > 1)
        return saved

    def train(
        self,
        data: Mapping[str, PreparedData],
        recipe: Recipe,
        device: str = "auto",
        resume: bool = False,
        report: EpochCallback | None = None,
    ) -> None:
        """Train all tasks and leave each one's weights in its folder; errors as in `TrainingLoop.train`."""
        self.check_device(device)
        from sector.training.trainer import Trainer
        from sector.training.weights import save_weights

        tasks = [recipe.tasks[name] for name in data]
        weights, shares = [task.weight for task in tasks], [task.share for task in tasks]
        trainer = Trainer(list(data.values()), recipe.training, device, weights=weights, shares=shares)
        for name, trained in zip(data, trainer.run_all(self.path, resume, report), strict=True):
            save_weights(self.task(name) / TRAINED, trained, recipe.training)

    @staticmethod
    def check_device(device: str) -> None:
        """Raise ConfigError for a device that is not there, MissingExtraError where there is no torch."""
        try:
            from sector.training.device import choose_device
        except ModuleNotFoundError as error:
            raise MissingExtraError(str(error.name), "train") from error
        choose_device(device)


def towered(headings: Sequence[str], tower: str) -> NDArray[np.float16]:
    """Return the vectors that a model's pretrained encoder gives to headings; raises ConfigError for one without."""
    found = encoders.make("transformer", model=str(find(tower).path) if tower else "", tokens=TOWER_TOKENS)
    blocks = (headings[i : i + BLOCK] for i in range(0, len(headings), BLOCK))
    return np.concatenate([np.asarray(found.encode(block), np.float16) for block in blocks])


def heading_pieces(headings: Sequence[str], encoder: encoders.Encoder) -> NDArray[np.int32]:
    """Return the pieces of headings [headings, longest], filled up with −1."""
    found = [pieces[:TOWER_TOKENS] for pieces in encoder.tokenize(headings)]
    rows = np.full((len(found), max(map(len, found), default=0)), -1, np.int32)
    for row, pieces in zip(rows, found, strict=True):
        row[: len(pieces)] = pieces
    return rows


def read_in_space(headings: Sequence[str], model: str) -> NDArray[np.float16]:
    """Return where headings lie in the space of a model; raises ConfigError for a model without."""
    space = load(model).space
    if space is None:
        raise ConfigError(f"The model {model} has no space of headings; name one of open vocabulary as 'space_of'.")
    return space.place(headings).astype(np.float16)


def is_frozen(data: PreparedData, config: TrainingConfig) -> bool:
    """Say whether there is a pretrained encoder that is not trained: it is frozen, or that of a finished model."""
    return encoders.kind_of(data.about["encoder"]).is_frozen(config)


def _splits(task: TaskRecipe, language: str) -> dict[str, Iterable[Document]]:
    loaded: dict[str, Iterable[Document]] = {
        name: datasets.load(path, language=language) for name, path in task.sources.items()
    }
    train = chain(loaded["train"], *(datasets.load(path, language=language) for path in task.more))
    bare = map(unlabelled, loaded.pop("unlabelled", ()))
    return loaded | {"train": chain(train, bare)}


def _options(recipe: Recipe, name: str) -> TaskOptions:
    task = recipe.tasks[name]
    about = {f"{split}_data": data_name(path) for split, path in task.sources.items()} | {"key": recipe.key()}
    if task.task == "open":
        about |= {"space_of": recipe.space_of} if recipe.space_of else {"tower": recipe.tower}
    if task.more:
        about["train_data"] = ", ".join([about["train_data"], *map(data_name, task.more)])
    if recipe.is_multitask:
        about["multitask"] = ", ".join(recipe.tasks)
    return TaskOptions(task.task, recipe.language, task.min_count, task.flags, about)
