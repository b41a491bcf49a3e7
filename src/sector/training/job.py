"""A training job from data files to a model folder; its work folder keeps what can be used again or continued.

The work folder holds ``prepared.npz`` (all that training reads), ``encoder/`` (vocabulary files), ``checkpoint.npz``
and ``weights.npz``. The middle step, training, can also run elsewhere: ``python -m sector.training``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from sector import __version__, datasets, encoders
from sector.document import Document
from sector.errors import ConfigError, DataError, MissingExtraError, ModelError
from sector.export.model_folder import export_model, read_weights
from sector.network.config import NetworkConfig
from sector.runtime.folder import CONFIG, ModelConfig, ModelFolder
from sector.runtime.model import find, load, models
from sector.tasks import TaskName
from sector.training.config import TrainingConfig
from sector.training.measure import data_name
from sector.training.prepare import Advance, TaskOptions, number_tokens, prepare
from sector.training.prepared import PreparedData
from sector.training.sequences import joint_options
from sector.training.teacher import taught, unlabelled

PREPARED, ENCODER, RUN = "prepared.npz", "encoder", "weights.npz"
KINDS: Mapping[str, type] = {
    "task": str,
    "encoder": str,
    "encoder_options": Mapping,
    "language": str,
    "min_count": int,
    "flags": bool,
}
NAMES = {str: "a string", Mapping: "a table", int: "a whole number", bool: "true or false"}
Report = Callable[[dict[str, float]], None]


@dataclass(frozen=True, slots=True)
class DataOptions:
    """What is read, and as what; decided before training and kept in the prepared file."""

    train: Path
    validation: Path | None = None
    task: TaskName = "topics"
    """``topics`` or ``headings``"""
    encoder: str = "bloom"
    encoder_options: Mapping[str, Any] = field(default_factory=dict)
    language: str = ""
    min_count: int = 3
    """How often a heading word must occur in training to be learned. Only for headings."""
    flags: bool = False
    """Let the network see paragraph ends, list items and the document's ends."""
    teacher: str = ""
    """A model, by its name or folder, whose probabilities are learned too."""
    unlabelled: Path | None = None
    """Documents that the teacher alone says something of; their own sections are not looked at."""

    def __post_init__(self) -> None:
        for name, kind in KINDS.items():
            value = getattr(self, name)
            if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
                raise ConfigError(f"The option '{name}' must be {NAMES[kind]}, not {value!r}.")
        if self.unlabelled and not self.teacher:
            raise ConfigError("Unlabelled documents teach nothing by themselves; name a teacher: --teacher MODEL.")

    def key(self) -> str:
        """Return a name that changes with the options, the files and the version: the cache's key."""
        files = [path for path in (self.train, self.validation, self.unlabelled) if path]
        named = located(self.encoder_options)
        vectors, model = (named.get(name) for name in ("vectors", "model"))
        files += [Path(vectors)] if isinstance(vectors, str | Path) else []
        files += [Path(model)] if isinstance(model, str | Path) and Path(model).exists() else []
        files += [find(self.teacher).path] if self.teacher else []
        stamps = [stamp for path in files for stamp in _stamps(path)]
        options = [str(getattr(self, name)) for name in KINDS] + [sorted(self.encoder_options.items())]
        return hashlib.sha256(json.dumps([__version__, stamps, options], default=str).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The files of a job."""

    path: Path

    def prepared(self, options: DataOptions, advance: Advance | None = None) -> PreparedData:
        """Return the prepared data, from the file if it was made of the same files with the same options."""
        file = self.path / PREPARED
        if file.exists() and (self.path / ENCODER).is_dir():
            try:
                found = PreparedData.load(file)
            except DataError:
                found = None
            if found and found.about.get("key") == options.key():
                return found
        return self._prepare(options, advance)

    def _prepare(self, options: DataOptions, advance: Advance | None) -> PreparedData:
        sources = {"train": options.train} | ({"validation": options.validation} if options.validation else {})
        splits: dict[str, Iterable[Document]] = {
            name: datasets.load(path, language=options.language) for name, path in sources.items()
        }
        if options.unlabelled:
            sources["unlabelled"] = options.unlabelled
            more = datasets.load(options.unlabelled, language=options.language)
            splits["train"] = chain(splits["train"], map(unlabelled, more))
        encoder = encoders.make(options.encoder, **located(options.encoder_options))
        about = {f"{name}_data": data_name(path) for name, path in sources.items()} | {"key": options.key()}
        wanted = TaskOptions(options.task, options.language, options.min_count, options.flags, about)
        corpus = number_tokens(splits, encoder, advance)
        data = prepare(corpus, encoder, wanted)
        if options.teacher:
            data = taught(data, corpus.splits["train"].documents, load(options.teacher), advance)
        for name in (PREPARED, RUN):  # what does not belong to the new encoder must not be found with it
            (self.path / name).unlink(missing_ok=True)
        (self.path / ENCODER).mkdir(parents=True, exist_ok=True)
        data = data.with_about(encoder=encoder.save(self.path / ENCODER))
        data.save(self.path / PREPARED)
        return replace(data, folder=self.path)

    def train(
        self, data: PreparedData, config: TrainingConfig, device: str, resume: bool, report: Report | None
    ) -> None:
        """Train and leave the weights in the folder."""
        try:
            from sector.training.trainer import Trainer
            from sector.training.weights import save_weights
        except ModuleNotFoundError as error:
            raise MissingExtraError(str(error.name), "train") from error
        trained = Trainer(data, config, device).run(self.path, resume, report)
        save_weights(self.path / RUN, trained, config)

    def export(
        self,
        path: Path,
        *,
        precision: str = "float32",
        with_weights: bool = True,
        segmentation: str = "",
        shared: str = "",
        companion: str = "",
    ) -> None:
        """Turn prepared data and weights into a model folder."""
        from sector.training.checkpoint import read_arrays

        for name in (PREPARED, RUN):
            if not (self.path / name).is_file():
                raise ModelError(f"{self.path} is not the work folder of a finished training: it has no {name}.")
        data = PreparedData.load(self.path / PREPARED)
        weights, run = read_arrays(self.path / RUN)
        network = NetworkConfig.from_dict(run["network"])
        if (network.inputs, network.labels, network.task) != (data.inputs, len(data.labels), data.task):
            raise ModelError(f"{self.path}/{RUN} was trained on other data than {PREPARED}; train again.")
        encoder = encoders.load(data.encoder_folder, data.about["encoder"])
        config = _model_config(data, network, run, segmentation)
        options: dict[str, Any] = {"precision": precision, "with_weights": with_weights}
        export_model(path, config, encoder, weights, shared=shared, companion=companion, **options)


def located(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return an encoder's options with the folder of an embedded model in the place of its name."""
    model = options.get("model")
    return dict(options) | ({"model": str(find(model).path)} if isinstance(model, str) and model in models() else {})


def is_frozen(data: PreparedData, config: TrainingConfig) -> bool:
    """Say whether there is a pretrained encoder that is not trained: it is frozen, or that of a finished model."""
    return encoders.kind_of(data.about["encoder"]).is_frozen(config)


def _model_config(data: PreparedData, network: NetworkConfig, run: Mapping[str, Any], segmentation: str) -> ModelConfig:
    about = dict(data.about)
    chosen = segmentation or ("joint" if network.boundary else "bemd")
    return ModelConfig(
        task=data.task,
        labels=data.labels,
        encoder=about.pop("encoder"),
        network=network,
        language=str(about.pop("language", "")),
        flags=bool(about.pop("flags", False)),
        segmentation={"name": chosen, **(joint_options(data) if chosen == "joint" else {})},
        metrics=_sentence_metrics(run["best"]) if data.validation else {},
        data={name: value for name, value in about.items() if name not in ("key", "encoder_folder")},
        training=run["training"],
    )


def _sentence_metrics(best: Mapping[str, float]) -> dict[str, float]:
    names = {"map": "validation_sentence_map", "temperature": "temperature"}
    names |= {name: f"validation_sentence_{name}" for name in ("ece_before", "ece_after")}
    return {name: best[key] for key, name in names.items() if key in best}


def export_from(
    source: Path,
    path: Path,
    *,
    precision: str = "float32",
    with_weights: bool = True,
    segmentation: str = "",
    shared: str = "",
    companion: str = "",
) -> None:
    """Write a model folder from a work folder, or from another model folder that has its weights.

    Without ``segmentation`` the model keeps its own default; ``shared`` is the name of a folder beside the model's for
    an encoder that several models have in common, ``companion`` that of a model that is to be mixed into this one.
    """
    options: dict[str, Any] = {"precision": precision, "with_weights": with_weights}
    options |= {"shared": shared, "companion": companion}
    if not (source / CONFIG).is_file():
        RunFolder(source).export(path, segmentation=segmentation, **options)
        return
    folder = ModelFolder(source)
    config = folder.config()
    encoder = encoders.load(source, config.encoder)
    if segmentation and segmentation != config.segmentation.get("name"):
        config = replace(config, segmentation={"name": segmentation})
    export_model(path, config, encoder, read_weights(folder), **options)


def _stamps(path: Path) -> list[tuple[str, int, int]]:
    """Return the size and the time of a file, or of every file in a folder."""
    if not path.exists():
        raise DataError("There is no such file or folder; check the path.", file=path)
    files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())
    return [(str(file.resolve()), file.stat().st_size, file.stat().st_mtime_ns) for file in files]
