"""Encoders: a sentence becomes a vector. ``make`` starts a new one, ``load`` reads it from a model folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sector.encoders.base import Encoder
from sector.encoders.bloom import BloomEncoder
from sector.encoders.bow import BowEncoder
from sector.encoders.embedding import EmbeddingEncoder
from sector.encoders.files import encoder_folder
from sector.encoders.hugging_face import HuggingFaceEncoder
from sector.encoders.settings import make_from
from sector.encoders.sparse_rows import SparseRows
from sector.encoders.transformer import TransformerEncoder
from sector.errors import ConfigError, ModelError

ENCODERS: dict[str, type[Encoder]] = {
    encoder.name: encoder for encoder in (BowEncoder, BloomEncoder, EmbeddingEncoder, TransformerEncoder)
}
"""What a user can name. The class makes a new encoder, or its method ``make`` does where there is one."""

__all__ = [
    "ENCODERS",
    "BloomEncoder",
    "BowEncoder",
    "EmbeddingEncoder",
    "Encoder",
    "HuggingFaceEncoder",
    "SparseRows",
    "TransformerEncoder",
    "load",
    "make",
]


def make(name: str, **options: Any) -> Encoder:
    """Make an encoder that has learned nothing yet.

    Args:
        name: a name of `ENCODERS`.
        **options: those of the encoder, e.g. ``make("bloom", values="bits")``.

    Raises:
        ConfigError: an unknown name or an option that the encoder does not have.
    """
    if name not in ENCODERS:
        raise ConfigError(f"There is no encoder '{name}'; choose one of: {', '.join(ENCODERS)}.")
    encoder: Encoder = make_from(getattr(ENCODERS[name], "make", ENCODERS[name]), name, options)
    return encoder


def kind_of(settings: Mapping[str, Any]) -> type[Encoder]:
    """Return the class of the encoder that has these settings; raises ModelError for an unknown one."""
    known = {**ENCODERS, HuggingFaceEncoder.name: HuggingFaceEncoder}
    name = settings.get("name")
    if not isinstance(name, str) or name not in known:
        raise ModelError(f"The model has the encoder {name!r}; this version knows: {', '.join(ENCODERS)}.")
    return known[name]


def load(folder: Path, settings: Mapping[str, Any]) -> Encoder:
    """Read an encoder from a model folder.

    Args:
        folder: the model folder.
        settings: what the encoder's ``save`` or ``export`` returned. The setting ``folder`` says where its files are if
            several models share them, relative to the model's own.

    Raises:
        ModelError: an unknown encoder, or files that are missing or broken.
    """
    own = {name: value for name, value in settings.items() if name != "folder"}
    return kind_of(own).load(encoder_folder(folder, settings), own)
