"""Make a model folder from trained weights: config, graph, input matrix, weights, vocabulary files, model card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from sector import __version__
from sector.encoders.base import Encoder, Weights
from sector.errors import ConfigError, MissingExtraError, ModelError
from sector.export import graph
from sector.export.card import model_card
from sector.runtime.companion import SHARE, place_of, reason_against
from sector.runtime.folder import (
    CARD,
    CONFIG,
    GRAPH,
    MATRIX,
    WEIGHTS,
    ModelConfig,
    ModelFolder,
    write_folder,
    write_json,
    write_text,
)

PRECISIONS = ("float32", "float16", "int8")
READER = "reader."
"""How the names of the weights begin that were learned of the encoder."""


def export_model(
    path: Path,
    config: ModelConfig,
    encoder: Encoder,
    weights: Weights,
    *,
    precision: str = "float32",
    with_weights: bool = True,
    shared: str = "",
    companion: str = "",
) -> None:
    """Write the folder whole, in place of an older one.

    ``precision`` is that of the stored numbers; with "int8" the LSTMs behind word vectors also compute in whole
    numbers. ``with_weights`` leaves ``model.safetensors`` in the folder, to train on. ``shared`` names a folder beside
    this one for the encoder's files, where several models have the same encoder; ``companion`` a model beside it that
    is to be mixed into it.
    """
    if precision not in PRECISIONS:
        raise ConfigError(f"The precision must be one of {', '.join(PRECISIONS)}, not {precision!r}.")
    _check(path, config, shared)
    if companion or config.companion:
        config = _with_companion(path, config, companion)
    kept = {name: np.asarray(array, np.float32) for name, array in weights.items()}
    learned = {name.removeprefix(READER): array for name, array in kept.items() if name.startswith(READER)}
    whole_numbers = encoder.int8_network and not config.network.projection
    stored = "float32" if precision == "float32" else "float16"

    def fill(folder: Path) -> None:
        if shared:
            settings = _export_shared(path.with_name(shared), encoder, learned, precision)
        else:
            settings = encoder.export(folder, learned, precision)
        written = replace(config, encoder=settings, version=__version__)
        computed = precision if whole_numbers else stored
        made = graph.build(config.network, kept, encoder.sparse, precision=computed)
        (folder / GRAPH).write_bytes(made.SerializeToString())
        if encoder.sparse:
            matrix = graph.input_matrix(config.network, kept)
            np.save(folder / MATRIX, matrix.astype(stored), allow_pickle=False)
        if with_weights:
            _write_weights(folder / WEIGHTS, kept)
        write_json(folder / CONFIG, written.to_dict())
        write_text(folder / CARD, model_card(path.name, written))

    write_folder(path, fill)


def _check(path: Path, config: ModelConfig, shared: str) -> None:
    """Raise ConfigError for a segmentation that the network cannot serve and for a folder that cannot be beside it."""
    if config.segmentation.get("name") == "joint" and not config.network.boundary:
        raise ConfigError("The segmentation 'joint' needs a boundary layer; train the model with boundary = 1.")
    if shared and (shared in ("..", path.name) or Path(shared).name != shared):
        raise ConfigError(f"The shared folder {shared!r} must have a plain name, and not that of the model.")


def _with_companion(path: Path, config: ModelConfig, name: str) -> ModelConfig:
    """Name the companion, or keep the one that it has; raises an error where there is no such model that fits."""
    settings = {"model": name or config.companion["model"], "share": config.companion.get("share", SHARE)}
    reason = reason_against(config, ModelFolder(place_of(path.resolve(), settings)[0]).config())
    if reason:
        raise ConfigError(f"{settings['model']} cannot be the companion of {path.name}: {reason}; name another.")
    return replace(config, companion=settings)


def _export_shared(folder: Path, encoder: Encoder, learned: Weights, precision: str) -> dict[str, Any]:
    """Write the encoder into a folder of its own, and return settings that say where it is."""
    folder.mkdir(parents=True, exist_ok=True)
    return {**encoder.export(folder, learned, precision), "folder": f"../{folder.name}"}


def read_weights(folder: ModelFolder) -> Weights:
    """Read ``model.safetensors`` of a model folder."""
    try:
        from safetensors import SafetensorError
        from safetensors.numpy import load_file
    except ImportError as error:
        raise MissingExtraError("safetensors", "train") from error
    try:
        found: Weights = load_file(folder.path / WEIGHTS)
    except (OSError, SafetensorError) as error:
        raise ModelError(f"{folder.path} has no {WEIGHTS} that can be read ({error}); export its training.") from error
    return found


def add_metrics(path: Path, metrics: Mapping[str, Any]) -> None:
    """Write figures into a model's config and card."""
    config = ModelFolder(path).config()
    config = replace(config, metrics={**config.metrics, **metrics})
    write_json(path / CONFIG, config.to_dict())
    write_text(path / CARD, model_card(path.name, config))


def _write_weights(path: Path, weights: Weights) -> None:
    try:
        from safetensors.numpy import save_file
    except ImportError as error:
        raise MissingExtraError("safetensors", "train") from error
    save_file({name: np.ascontiguousarray(array) for name, array in weights.items()}, path)
