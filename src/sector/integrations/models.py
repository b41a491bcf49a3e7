"""Models for adapters: loaded when they are first needed, once per process, and sent to others by name or path.

Importing this is quick, because some frameworks import every adapter that is installed.
"""

from __future__ import annotations

import shutil
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, Union

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
    """Return what `shared` finds the model by in another process, for the settings that a framework keeps."""
    if model is None or isinstance(model, str | Path):
        return None if model is None else str(model)
    path = model.folder.path.resolve()
    return path.name if is_embedded(path) else str(path)


def is_embedded(path: Path) -> bool:
    """Say whether a model folder is one of those that come with the package."""
    from sector.runtime.installed import EMBEDDED

    return path.resolve().parent == EMBEDDED.resolve()


def copy_model(model: Model, target: Path) -> Path:
    """Copy a model folder into another folder, with the folders beside it that it needs; return the copy's path."""
    source = model.folder.path.resolve()
    beside = [model.config.encoder.get("folder"), model.config.companion.get("model")]
    for name in [source.name, *(Path(str(entry)).name for entry in beside if entry)]:
        shutil.copytree(source.with_name(name), target / name)
    return target / source.name


@lru_cache(maxsize=4)
def _loaded(name: str | None) -> Model:
    from sector.runtime.model import load

    return load(name)
