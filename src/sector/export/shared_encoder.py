"""An encoder that several models share: its files lie in a folder beside theirs, and are theirs alone to change."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from sector.atomic import replacing
from sector.encoders.base import Encoder, EncoderSettings, Weights
from sector.errors import ConfigError
from sector.runtime.checksums import checksums
from sector.runtime.folder import CONFIG


def export_shared(model: Path, name: str, encoder: Encoder, weights: Weights, precision: str) -> EncoderSettings:
    """Write an encoder into the folder ``name`` beside a model, unless it is there already.

    Args:
        model: the model folder that is being written.
        name: a plain folder name.
        encoder: the encoder of the model.
        weights: what training learned of it, as `Encoder.export` takes it.
        precision: "float32", "float16" or "int8".

    Returns:
        The encoder's settings, which say where its files are.

    Raises:
        ConfigError: the folder holds another encoder, which other models read.
    """
    shared = model.with_name(name)
    shared.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=f".{name}.", dir=shared.parent) as place:
        settings = encoder.export(Path(place), weights, precision)
        made, found = checksums(Path(place)), checksums(shared)
        if found != made:
            _check_unused(shared, model)
            _move(Path(place), shared, old=set(found) - set(made))
    return {**settings, "folder": f"../{name}"}


def _move(made: Path, shared: Path, old: set[str]) -> None:
    for file in made.iterdir():
        with replacing(shared / file.name) as draft:
            shutil.move(file, draft)
    for name in old:
        (shared / name).unlink()


def _check_unused(shared: Path, model: Path) -> None:
    """Raise ConfigError if a model other than this one reads the folder."""
    users = sorted(other for other in _users(shared) if other != model.name)
    if users:
        raise ConfigError(
            f"The folder {shared} holds another encoder, which {', '.join(users)} beside it read; choose another name "
            "for this one, or export them all into a new place."
        )


def _users(shared: Path) -> Iterator[str]:
    for file in shared.parent.glob(f"*/{CONFIG}"):
        try:
            encoder = json.loads(file.read_text(encoding="utf-8"))["encoder"]
            if encoder["folder"] == f"../{shared.name}":
                yield file.parent.name
        except (OSError, ValueError, TypeError, KeyError):  # not one of our models
            continue
