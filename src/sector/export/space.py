"""Write the space of an open vocabulary: inventory, heading vectors and text tower, in a folder that models share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from sector.arrays import Floats1d, Floats2d
from sector.atomic import write_json, write_text
from sector.encoders.files import encoder_folder, write_array, write_words
from sector.encoders.piece_encoder import read_json
from sector.errors import ConfigError
from sector.export.card import model_card
from sector.runtime.checksums import checksums
from sector.runtime.folder import CARD, CONFIG, ModelFolder
from sector.runtime.space import BIAS, PHRASES, PROJECTION, SCALES, SPACE, VECTORS, Space, normalized
from sector.runtime.tower import TextTower

STEPS = 127
"""Of an int8 number on either side of 0."""


def write_space(
    folder: Path,
    phrases: Sequence[str],
    projection: Floats2d,
    bias: Floats1d,
    encoder: Mapping[str, Any],
    *,
    vectors: Floats2d | None = None,
    priors: Floats1d | None = None,
) -> Space:
    """Write the folder of a space and return what a model reads of it.

    Args:
        folder: the folder, beside those of the models; what is there is replaced, file by file.
        phrases: the inventory, each phrase once.
        projection: of the text tower, float32 [width of the encoder, d].
        bias: float32 [d].
        encoder: settings of the encoder as in the config of a model that reads it, with its ``folder``.
        vectors: of the phrases, float32 [N, d]; None: those that the text tower gives.
        priors: logits that phrases begin with, float32 [N].

    Raises:
        ConfigError: numbers that do not fit together.
        ModelError: the encoder's folder is missing.
    """
    folder.mkdir(parents=True, exist_ok=True)
    place = encoder_folder(folder, encoder)
    if vectors is None:
        vectors = TextTower(folder, encoder, projection, bias).embed(phrases)
    if len(phrases) != len(vectors) or projection.shape[1] != len(bias) or vectors.shape[1] != len(bias):
        raise ConfigError(
            f"{len(phrases)} phrases, vectors of the shape {vectors.shape}, a projection of {projection.shape} and a "
            f"bias of {bias.shape} do not fit together; give [N, d], [width, d] and [d]."
        )
    rows, scales = quantized(normalized(np.asarray(vectors, np.float32)))
    write_words(folder / PHRASES, phrases)
    write_array(folder / VECTORS, rows)
    write_array(folder / SCALES, scales)
    write_array(folder / PROJECTION, projection.astype(np.float16))
    write_array(folder / BIAS, bias.astype(np.float16))
    write_json(folder / SPACE, {"encoder": dict(encoder), "files": checksums(place, f"../{place.name}/")})
    if priors is not None:
        add_priors(folder, priors)
    return Space.load(folder)


def add_priors(folder: Path, priors: Floats1d) -> None:
    """Write what is added to the phrases' logits, float32 [N]."""
    record = read_json(folder / SPACE)
    write_json(folder / SPACE, {**record, "priors": [round(float(value), 3) for value in priors]})


def quantized(rows: Floats2d) -> tuple[np.ndarray[Any, np.dtype[np.int8]], Floats1d]:
    """Return rows as int8 [N, d] and their scales float32 [N]: a row is its integers times its scale."""
    scales = np.maximum(np.abs(rows).max(axis=1, initial=0.0) / STEPS, np.float32(1e-12)).astype(np.float32)
    return np.rint(rows / scales[:, None]).astype(np.int8), scales


def add_space(model: Path, folder: str, **settings: Any) -> None:
    """Write into the config of a model of open vocabulary which space it reads, with its calibration."""
    config = ModelFolder(model).config()
    place = encoder_folder(model, {"folder": f"../{folder}"})
    files = {name: digest for name, digest in config.files.items() if not name.startswith(f"../{folder}/")}
    files |= checksums(place, f"../{folder}/")
    written = replace(config, space={**config.space, **settings, "folder": folder}, files=files)
    write_json(model / CONFIG, written.to_dict())
    write_text(model / CARD, model_card(model.name, written))
