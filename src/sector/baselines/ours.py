"""Our own systems in a comparison: a trained model by its name or folder, or one that is trained for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from sector.atomic import write_json
from sector.baselines.base import Material, Task, options_of
from sector.baselines.cache import invalidate, is_cached, mark_cached, training_key
from sector.document import Document
from sector.errors import DataError
from sector.tasks import TaskName
from sector.training.recipe import Recipe
from sector.training.run_folder import PREPARED, TRAINED, RunFolder

OPTIONS = "options.json"
"""File in the work folder with the training options, for training on another machine."""
PAPER = ("newline", "max", "emd", "bemd")
CITATION = "Arnold et al. 2019, SECTOR: a neural model for coherent topic segmentation and classification (TACL)"


@dataclass
class ModelSystem:
    """A model folder, or an embedded model, as it is."""

    name: ClassVar[str] = "model"
    citation: ClassVar[str] = CITATION

    model: str
    rows: tuple[str, ...] = PAPER
    """The segmentations that are compared."""
    labels: tuple[str, ...] = field(default=(), init=False)
    task: TaskName = field(default="topics", init=False)
    _loaded: Any = field(default=None, init=False, repr=False)

    @property
    def segmentations(self) -> tuple[str, ...]:
        """The rows of the table: the paper's and, of a model with learned boundaries, that which uses them."""
        learned = self._loaded is not None and self._loaded.config.network.boundary and self.rows == PAPER
        return (*self.rows, "joint", "main") if learned else self.rows

    def fit(self, material: Material, task: Task, folder: Path) -> None:
        """Load the model; there is nothing to learn."""
        self._load(self.model)

    def _load(self, place: str | Path) -> None:
        from sector.runtime import load

        self._loaded = load(place)
        self.labels, self.task = self._loaded.labels, self._loaded.task

    def segment_all(self, documents: Iterable[str | Document], /, *, segmentation: Any = None) -> Iterator[Document]:
        """Return a segmented document for each document, in order."""
        found: Iterator[Document] = self._loaded.segment_all(documents, segmentation=segmentation)
        return found


@dataclass
class TrainedSector(ModelSystem):
    """A model that is trained for the comparison with the defaults of ``sector train``; a killed run goes on."""

    name: ClassVar[str] = "sec"

    model: str = field(default="", init=False)
    rows: tuple[str, ...] = field(default=PAPER, init=False)
    encoder: str = "bloom"
    loss: str = "ce"
    epochs: int = 20

    def fit(self, material: Material, task: Task, folder: Path) -> None:
        """Train, unless the folder has a model of the same data and options."""
        from sector.export.training_run import export_from

        self.prepare(material, task, folder)
        run, recipe = RunFolder(folder / "work"), self._recipe(material, task)
        if not (run.path / TRAINED).is_file():
            run.train(run.prepared(recipe), recipe, task.device, True, lambda entry: task.advance(1))
        export_from(run.path, folder / "model")
        self._load(folder / "model")

    def prepare(self, material: Material, task: Task, folder: Path) -> Path:
        """Write what training needs, to train here or elsewhere; what belongs to other options is removed."""
        work, key = RunFolder(folder / "work"), training_key(material, task, options_of(self))
        if not is_cached(folder, key):
            invalidate(folder)
            for name in (TRAINED, "checkpoint.npz"):
                (work.path / name).unlink(missing_ok=True)
        recipe = self._recipe(material, task)
        work.prepared(recipe, task.advance)
        options = {"config": recipe.training.to_dict()}
        write_json(work.path / OPTIONS, options)
        mark_cached(folder, key)
        return work.path / PREPARED

    def _recipe(self, material: Material, task: Task) -> Recipe:
        if not material.files:
            raise DataError("SECTOR is trained on labelled documents; give some with --train.")
        record: dict[str, Any] = dict(zip(("train", "validation"), map(str, material.files), strict=False))
        record |= {"task": task.name, "language": task.language, "min_count": task.min_count}
        record |= {"loss": self.loss, "epochs": self.epochs, "seed": task.seed, "encoder": self.encoder}
        if self.encoder == "emb":
            record |= {"dropout": 0.3, "encoder_options": {"vectors": str(task.vectors)} if task.vectors else {}}
        return Recipe.from_dict(record)
