"""Encoders: a sentence becomes a vector. ``make`` starts a new one, ``load`` reads it from a model folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sector.encoders.base import Encoder, SparseRows
from sector.encoders.bloom import BloomEncoder
from sector.encoders.bow import BowEncoder
from sector.encoders.embedding import EmbeddingEncoder
from sector.encoders.settings import make_from
from sector.encoders.transformer import TransformerEncoder
from sector.errors import ConfigError, ModelError

ENCODERS: dict[str, type[Encoder]] = {
    encoder.name: encoder for encoder in (BowEncoder, BloomEncoder, EmbeddingEncoder, TransformerEncoder)
}

__all__ = [
    "ENCODERS",
    "BloomEncoder",
    "BowEncoder",
    "EmbeddingEncoder",
    "Encoder",
    "SparseRows",
    "TransformerEncoder",
    "load",
    "make",
]


def make(name: str, **options: Any) -> Encoder:
    """Make an encoder that has learned nothing yet, e.g. ``make("bloom", values="bits")``."""
    if name not in ENCODERS:
        raise ConfigError(f"There is no encoder '{name}'; choose one of: {', '.join(ENCODERS)}.")
    return make_from(ENCODERS[name], name, options)


def load(folder: Path, settings: Mapping[str, Any]) -> Encoder:
    """Read an encoder from a model folder with the settings that its ``save`` gave.

    The setting ``folder`` says where its files are if several models share them, seen from the model's own.
    """
    settings = dict(settings)
    shared = str(settings.pop("folder", ""))
    folder /= shared
    if shared and not folder.is_dir():
        raise ModelError(f"The model shares its encoder's files with others, but their folder {folder} is missing.")
    name = settings.get("name")
    if not isinstance(name, str) or name not in ENCODERS:
        known = ", ".join(ENCODERS)
        raise ModelError(f"The model has the encoder {name!r}; this version knows: {known}.")
    return ENCODERS[name].load(folder, settings)
