"""Models for adapters: loaded when they are first needed, once per process, and sent to others by name or path.

Importing this is quick, because some frameworks import every adapter that is installed.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, Union

from sector.errors import ConfigError

if TYPE_CHECKING:
    from sector.runtime.model import Model

ModelName: TypeAlias = Union["Model", str, Path, None]
"""A model, the name of an embedded one, the path of a folder, or None for the default."""


def shared(model: ModelName = None) -> Model:
    """Return the model; one that is named is loaded once per process.

    Raises ModelError if there is no such model.
    """
    return _loaded(None if model is None else str(model)) if model is None or isinstance(model, str | Path) else model


def name_of(model: ModelName) -> str | None:
    """Return what `shared` finds the model by in another process, for the settings that a framework keeps.

    Raises ConfigError for a model with labels of the caller's, which its name does not bring back.
    """
    if model is None or isinstance(model, str | Path):
        return None if model is None else str(model)
    if model.task != model.config.task:
        raise ConfigError(f"The labels given to {model.name} are not found by its name; give labels=… here instead.")
    path = model.folder.path.resolve()
    return path.name if is_embedded(path) else str(path)


def is_embedded(path: Path) -> bool:
    """Return whether a model folder is an embedded one."""
    from sector.runtime.installed import EMBEDDED

    return path.resolve().parent == EMBEDDED.resolve()


def copy_model(model: Model, target: Path) -> Path:
    """Copy a model folder into another folder, with the folders beside it that it needs; return the copy's path."""
    source = model.folder.path.resolve()
    for folder in dict.fromkeys(path.resolve() for path in _needed(source)):
        shutil.copytree(folder, target / folder.name)
    return target / source.name


def _needed(model: Path) -> Iterator[Path]:
    """Yield a model's folder, those of its encoder and of its space of headings, and the same of its companion."""
    from sector.encoders.files import encoder_folder
    from sector.encoders.piece_encoder import read_json
    from sector.runtime.companion import place_of
    from sector.runtime.folder import ModelFolder
    from sector.runtime.space import SPACE, beside

    config = ModelFolder(model).config()
    yield from (model, encoder_folder(model, config.encoder))
    if config.space.get("folder"):
        space = encoder_folder(model, beside(config.space))
        yield from (space, encoder_folder(space, read_json(space / SPACE)["encoder"]))
    if config.companion:
        yield from _needed(place_of(model, config.companion)[0])


@lru_cache(maxsize=4)
def _loaded(name: str | None) -> Model:
    from sector.runtime.model import load

    return load(name)
