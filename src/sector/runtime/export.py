"""Make a model folder from trained weights: config, graph, input matrix, weights, vocabulary files, model card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sector import __version__
from sector.encoders.base import Encoder, SparseRows
from sector.errors import MissingExtraError
from sector.network.config import NetworkConfig
from sector.runtime import graph
from sector.runtime.card import model_card
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


def export(
    path: Path,
    *,
    task: str,
    labels: tuple[str, ...],
    encoder: Encoder,
    network: NetworkConfig,
    weights: Mapping[str, NDArray[np.float32]],
    about: Mapping[str, Any],
    training: Mapping[str, Any],
    metrics: Mapping[str, Any],
    segmentation: Mapping[str, Any] | None = None,
) -> ModelConfig:
    """Write the folder whole, in place of an older one."""
    sparse = isinstance(encoder.encode([]), SparseRows)
    made: list[ModelConfig] = []

    def fill(folder: Path) -> None:
        config = ModelConfig(
            task=task,
            labels=labels,
            encoder=encoder.save(folder),
            network=network,
            language=str(about.get("language", "")),
            flags=bool(about.get("flags", False)),
            segmentation=dict(segmentation or {"name": "bemd"}),
            metrics=metrics,
            data=dict(about),
            training=training,
            version=__version__,
        )
        (folder / GRAPH).write_bytes(graph.build(network, weights, sparse).SerializeToString())
        if sparse:
            np.save(folder / MATRIX, graph.input_matrix(network, weights), allow_pickle=False)
        _write_weights(folder / WEIGHTS, weights)
        write_json(folder / CONFIG, config.to_dict())
        (folder / CARD).write_text(model_card(path.name, config), encoding="utf-8")
        made.append(config)

    write_folder(path, fill)
    return made[0]


def add_metrics(path: Path, metrics: Mapping[str, Any]) -> None:
    """Write figures into a model's config and card."""
    config = ModelFolder(path).config()
    config = replace(config, metrics={**config.metrics, **metrics})
    write_json(path / CONFIG, config.to_dict())
    write_text(path / CARD, model_card(path.name, config))


def _write_weights(path: Path, weights: Mapping[str, NDArray[np.float32]]) -> None:
    try:
        from safetensors.numpy import save_file
    except ImportError as error:
        raise MissingExtraError("safetensors", "train") from error
    save_file({name: np.ascontiguousarray(array) for name, array in weights.items()}, path)
