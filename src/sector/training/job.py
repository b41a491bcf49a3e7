"""A training job from data files to a model folder; its work folder keeps what can be used again or continued.

The work folder holds ``prepared.npz`` (all that training reads), ``encoder/`` (vocabulary files), ``checkpoint.npz``
and ``weights.npz``. The middle step, training, can also run elsewhere: ``python -m sector.training``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sector import datasets, encoders
from sector.errors import DataError, MissingExtraError, ModelError
from sector.network.config import NetworkConfig
from sector.runtime.export import add_metrics, export
from sector.training.config import TrainingConfig
from sector.training.prepare import Advance, number_words, prepare
from sector.training.prepared import PreparedData

PREPARED, ENCODER, RUN = "prepared.npz", "encoder", "weights.npz"
Report = Callable[[dict[str, float]], None]


@dataclass(frozen=True, slots=True)
class DataOptions:
    """What is read, and as what; decided before training and kept in the prepared file."""

    train: Path
    validation: Path | None = None
    task: str = "topics"
    """``topics`` or ``headings``"""
    encoder: str = "bloom"
    encoder_options: Mapping[str, Any] = field(default_factory=dict)
    language: str = ""
    min_count: int = 3
    """How often a heading word must occur in training to be learned. Only for headings."""
    flags: bool = False
    """Let the network see paragraph ends, list items and the document's ends."""

    def key(self) -> str:
        """Give a name that changes with the options and the files: the cache's key."""
        files = [path for path in (self.train, self.validation) if path]
        stamps = [(str(path.resolve()), path.stat().st_size, path.stat().st_mtime_ns) for path in files]
        options = [
            self.task,
            self.encoder,
            dict(self.encoder_options),
            self.language,
            self.min_count,
            self.flags,
        ]
        return hashlib.sha256(json.dumps([stamps, options], default=str).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class WorkFolder:
    """The files of a job."""

    path: Path

    def prepared(self, options: DataOptions, advance: Advance | None = None) -> PreparedData:
        """Give the prepared data, from the file if it was made of the same files with the same options."""
        file = self.path / PREPARED
        if file.exists():
            try:
                found = PreparedData.load(file)
            except DataError:
                found = None
            if found and found.about.get("key") == options.key():
                return found
        return self._prepare(options, advance)

    def _prepare(self, options: DataOptions, advance: Advance | None) -> PreparedData:
        sources = {"train": options.train} | ({"validation": options.validation} if options.validation else {})
        splits = {name: datasets.load(path, language=options.language) for name, path in sources.items()}
        encoder = encoders.make(options.encoder, **options.encoder_options)
        data = prepare(
            number_words(splits, advance),
            encoder,
            task=options.task,
            language=options.language,
            min_count=options.min_count,
            flags=options.flags,
            about={f"{name}_data": _name(path) for name, path in sources.items()} | {"key": options.key()},
        )
        (self.path / ENCODER).mkdir(parents=True, exist_ok=True)
        settings = encoder.save(self.path / ENCODER)
        data = data.with_about(encoder=settings)
        data.save(self.path / PREPARED)
        return data

    def train(
        self, data: PreparedData, config: TrainingConfig, device: str, resume: bool, report: Report | None
    ) -> None:
        """Train and leave the weights in the folder."""
        try:
            from sector.training.loop import Trainer
            from sector.training.weights import save_weights
        except ModuleNotFoundError as error:
            raise MissingExtraError(str(error.name), "train") from error
        trained = Trainer(data, config, device).run(self.path, resume, report)
        save_weights(self.path / RUN, trained, config)

    def export(self, path: Path, segmentation: Mapping[str, Any] | None = None) -> None:
        """Turn prepared data and weights into a model folder."""
        from sector.training.checkpoint import read_arrays

        for name in (PREPARED, RUN):
            if not (self.path / name).is_file():
                raise ModelError(f"{self.path} is not the work folder of a finished training: it has no {name}.")
        data = PreparedData.load(self.path / PREPARED)
        weights, run = read_arrays(self.path / RUN)
        about = {name: value for name, value in data.about.items() if name not in ("encoder", "key")}
        export(
            path,
            task=data.task,
            labels=data.labels,
            encoder=encoders.load(self.path / ENCODER, data.about["encoder"]),
            network=NetworkConfig.from_dict(run["network"]),
            weights=weights,
            about=about,
            training=run["training"],
            metrics={"validation_sentence_map": run["best"]["map"], "epochs": run["best"]["epoch"]},
            segmentation=segmentation,
        )


def measure(folder: Path, data: Path, language: str) -> dict[str, Any]:
    """Score a model folder with its default segmentation, and write the figures into its config and card."""
    from sector.evaluation import evaluate
    from sector.runtime import load

    report = evaluate(load(folder), datasets.load(data, language=language)).to_dict()
    kept = ("pk", "wd", "f1", "map", "p1", "k", "documents", "segmentation", "protocol")
    figures = {name: report[name] for name in kept if report.get(name) is not None}
    add_metrics(folder, {f"{_name(data)}": figures})
    return figures


def _name(path: Path) -> str:
    """Give a data file's name without its endings: all of its path that may stand in a card."""
    return path.name.split(".")[0]
