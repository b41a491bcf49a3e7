"""Make a model folder from trained weights: config, graph, input matrix, weights, vocabulary files, model card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from sector import __version__
from sector.atomic import write_json, write_text
from sector.encoders.base import Encoder, Weights
from sector.errors import ConfigError, MissingExtraError, ModelError
from sector.export import graph
from sector.export.card import model_card
from sector.export.shared_encoder import export_shared
from sector.network.config import NetworkConfig
from sector.runtime.checksums import checksums, verify_file
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
    """Turn trained weights into a model folder, written whole, in place of an older one.

    Args:
        path: the folder to write.
        config: what its ``config.json`` will say; encoder settings, checksums and version are added here.
        encoder: the encoder, as training began with it.
        weights: the network's arrays and, under names that begin with ``reader.``, what was learned of the encoder.
        precision: of the stored numbers, "float32", "float16" or "int8"; with int8 the LSTMs behind word vectors also
            compute in whole numbers.
        with_weights: leave ``model.safetensors`` in the folder, to train on.
        shared: the name of a folder beside this one for the encoder's files, where several models have the same.
        companion: the name of a model beside this one that is to be mixed into it, or NAME=SHARE: how much it counts.

    Raises:
        ConfigError: options that cannot work, a companion that does not fit, a shared folder that other models read,
            or a path that is something else than a model folder.
        MissingExtraError: a package that exporting needs is not installed.
    """
    if precision not in PRECISIONS:
        raise ConfigError(f"The precision must be one of {', '.join(PRECISIONS)}, not {precision!r}.")
    _check(path, config, shared)
    if companion or config.companion:
        config = _with_companion(path, config, companion)
    kept = {name: np.asarray(array, np.float32) for name, array in weights.items()}
    learned = {name.removeprefix(READER): array for name, array in kept.items() if name.startswith(READER)}

    def fill(folder: Path) -> None:
        if shared:
            settings = export_shared(path, shared, encoder, learned, precision)
        else:
            settings = encoder.export(folder, learned, precision)
        _write_network(folder, config.network, encoder, kept, precision)
        if with_weights:
            _write_weights(folder / WEIGHTS, kept)
        files = checksums(folder) | (checksums(path.with_name(shared), f"../{shared}/") if shared else {})
        written = replace(config, encoder=settings, files=files, version=__version__)
        write_json(folder / CONFIG, written.to_dict())
        write_text(folder / CARD, model_card(path.name, written))

    write_folder(path, fill)


def _write_network(folder: Path, config: NetworkConfig, encoder: Encoder, weights: Weights, precision: str) -> None:
    """Write the graph and, for a sparse encoder, the matrix before it."""
    stored = "float32" if precision == "float32" else "float16"
    computed = precision if encoder.int8_network and not config.projection else stored
    made = graph.build(config, weights, encoder.sparse, precision=computed)
    (folder / GRAPH).write_bytes(made.SerializeToString())
    if encoder.sparse:
        np.save(folder / MATRIX, graph.input_matrix(config, weights).astype(stored), allow_pickle=False)


def _check(path: Path, config: ModelConfig, shared: str) -> None:
    """Raise ConfigError for a segmentation that the network cannot serve and for a folder that cannot be beside it."""
    if config.segmentation.get("name") == "joint" and not config.network.boundary:
        raise ConfigError("The segmentation 'joint' needs a boundary layer; train the model with boundary = 1.")
    if shared and (shared in ("..", path.name) or Path(shared).name != shared):
        raise ConfigError(f"The shared folder {shared!r} must have a plain name, and not that of the model.")


def _with_companion(path: Path, config: ModelConfig, name: str) -> ModelConfig:
    """Name the companion, or keep the one that it has; raises an error where there is no such model that fits."""
    named, _, share = name.partition("=")
    settings = {"model": named or config.companion["model"], "share": config.companion.get("share", SHARE)}
    if share:
        settings["share"] = _share(share)
    reason = reason_against(config, ModelFolder(place_of(path.resolve(), settings)[0]).config())
    if reason:
        raise ConfigError(f"{settings['model']} cannot be the companion of {path.name}: {reason}; name another.")
    return replace(config, companion=settings)


def _share(text: str) -> float:
    """Read how much a companion counts; raises ConfigError for what is not between 0 and 1."""
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0 < share < 1:
        raise ConfigError(f"The companion's share must be a number between 0 and 1, not {text!r}: NAME=0.35.")
    return share


def read_weights(folder: ModelFolder) -> Weights:
    """Read ``model.safetensors`` of a model folder; raises ModelError if it is missing, broken or another model's."""
    try:
        from safetensors import SafetensorError
        from safetensors.numpy import load_file
    except ImportError as error:
        raise MissingExtraError("safetensors", "train") from error
    digest = folder.config().files.get(WEIGHTS)
    if digest:
        verify_file(folder.path / WEIGHTS, digest)
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
