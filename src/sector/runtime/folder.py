"""A model folder: what is in it, how it is read and how it is written. No pickle; reading it executes no code."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from sector.arrays import Floats2d
from sector.atomic import replacing
from sector.encoders.files import read_array, read_model_file
from sector.errors import ConfigError, ModelError
from sector.network.config import NetworkConfig
from sector.tasks import TaskName

FORMAT = 1
"""Raised when a folder of this version could no longer be read by an older one."""
CONFIG, GRAPH, MATRIX, WEIGHTS, CARD = (
    "config.json",
    "model.onnx",
    "input.npy",
    "model.safetensors",
    "README.md",
)
KINDS: Mapping[str, type] = {
    "task": str,
    "language": str,
    "labels": list,
    "encoder": dict,
    "flags": bool,
    "network": dict,
    "segmentation": dict,
    "metrics": dict,
    "data": dict,
    "training": dict,
}
OPTIONAL = ("companion", "space", "domain", "files")


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """What ``config.json`` says."""

    task: TaskName
    labels: tuple[str, ...]
    encoder: Mapping[str, Any]
    network: NetworkConfig
    language: str = ""
    flags: bool = False
    """Whether the network reads structure flags after each sentence's vector."""
    segmentation: Mapping[str, Any] = field(default_factory=lambda: {"name": "bemd"})
    """The default segmentation and its options."""
    companion: Mapping[str, Any] = field(default_factory=dict)
    """The name of a model beside this one that is mixed into it, and its share; mostly none."""
    space: Mapping[str, Any] = field(default_factory=dict)
    """Of an open vocabulary: ``folder``, the folder beside this one with headings and text tower, and calibration."""
    domain: Mapping[str, Any] = field(default_factory=dict)
    """Statistics of the training documents, by which others are told from them; none in models of older versions."""
    metrics: Mapping[str, Any] = field(default_factory=dict)
    data: Mapping[str, Any] = field(default_factory=dict)
    """Names, counts and a fingerprint of what it was trained on."""
    training: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    """The SHA-256 of the model's files, those of a shared encoder among them; none in models of older versions."""
    version: str = ""
    """The version of sector that wrote it."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "format": FORMAT,
            "version": self.version,
            "task": self.task,
            "language": self.language,
            "encoder": dict(self.encoder),
            "flags": self.flags,
            "network": self.network.to_dict(),
            "segmentation": dict(self.segmentation),
            **{name: dict(getattr(self, name)) for name in OPTIONAL[:-1] if getattr(self, name)},
            "metrics": dict(self.metrics),
            "data": dict(self.data),
            "training": dict(self.training),
            "files": dict(self.files),
            "labels": list(self.labels),
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> ModelConfig:
        """Read the JSON object; raises ModelError with the field that is wrong."""
        if record.get("format") != FORMAT:
            raise ModelError(
                f"it has format {record.get('format')!r}, and this version of sector reads format {FORMAT}."
            )
        for name, kind in KINDS.items():
            if not isinstance(record.get(name), kind):
                raise ModelError(f"its field '{name}' is missing or not of type {kind.__name__}.")
        try:
            network = NetworkConfig.from_dict(record["network"])
        except ConfigError as error:
            raise ModelError(f"its field 'network' is wrong: {error}") from error
        labels = tuple(str(label) for label in record["labels"])
        if record["task"] == "open":
            if labels:
                raise ModelError("its vocabulary is open, but it names labels.")
        elif len(labels) != network.labels or len(set(labels)) != len(labels):
            raise ModelError(f"it names {len(set(labels))} labels, but the network has {network.labels}.")
        kept = {name: record[name] for name in KINDS if name not in ("labels", "network")}
        for name in OPTIONAL:
            kept[name] = record.get(name, {})
            if not isinstance(kept[name], dict):
                raise ModelError(f"its field '{name}' is not of type dict.")
        if record["task"] != network.task:
            raise ModelError(f"its task is {record['task']!r}, but that of its network {network.task!r}.")
        return cls(labels=labels, network=network, version=str(record.get("version", "")), **kept)


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """The files of one model."""

    path: Path

    def config(self) -> ModelConfig:
        """Read and check ``config.json``."""
        file = self.path / CONFIG
        if not file.is_file():
            raise ModelError(f"{self.path} is not a model folder: it has no {CONFIG}.")
        try:
            record = json.loads(file.read_text(encoding="utf-8"))
            if not isinstance(record, dict):
                raise ModelError("it is not a JSON object.")
            return ModelConfig.from_dict(record)
        except (ValueError, OSError, RecursionError) as error:
            raise ModelError(f"{file} cannot be read: {error}.") from error
        except ModelError as error:
            raise ModelError(f"{file} is broken: {error}") from error

    def graph(self) -> bytes:
        """Read the ONNX graph."""
        return read_model_file(self.path / GRAPH)

    def matrix(self, config: NetworkConfig) -> Floats2d | None:
        """Read the matrix that sparse sentence vectors are multiplied with, if the model has one."""
        file = self.path / MATRIX
        return np.asarray(read_array(file, (config.inputs, None)), np.float32) if file.exists() else None

    def card(self) -> str:
        """Read the model card; empty if there is none."""
        file = self.path / CARD
        return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""


def check_target(path: Path) -> None:
    """Refuse to write a model in place of anything but a model or an empty folder."""
    if path.is_dir():
        replaceable = (path / CONFIG).is_file() or not any(path.iterdir())
    else:
        replaceable = not (path.exists() or path.is_symlink())
    if not replaceable:
        raise ConfigError(f"{path} exists and is not a model folder; choose another place for the model.")


def write_folder(path: Path, fill: Callable[[Path], None]) -> None:
    """Let ``fill`` write a new folder, then put it in place of the old one; a failure leaves the old one as it was."""
    check_target(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as draft:
        draft.mkdir()
        fill(draft)
