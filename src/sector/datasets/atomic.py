"""All or nothing: a target is written beside its place under another name, then moved there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sector.datasets.formats import detect
from sector.errors import ConfigError, DataError


@contextmanager
def replacing(target: Path, *, force: bool = False) -> Iterator[Path]:
    """Give a path to write a file or a folder to; it takes the target's place unless something is raised."""
    _check(target, force)
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        yield draft
        _move(draft, target)
    finally:
        _remove(draft)


def _check(target: Path, force: bool) -> None:
    if not target.parent.is_dir():
        raise ConfigError(f"The folder {target.parent} does not exist; create it first.")
    if not (target.exists() or target.is_symlink()):
        return
    if not force:
        raise ConfigError(f"{target} exists already; choose another target, or --force to replace it.")
    if target.is_dir() and any(target.iterdir()) and not _is_data_set(target):
        raise ConfigError(f"The folder {target} is no data set and will not be replaced; remove it yourself.")


def _is_data_set(folder: Path) -> bool:
    try:
        detect(folder)
    except DataError:
        return False
    return True


def _move(draft: Path, target: Path) -> None:
    if not target.is_dir():
        draft.replace(target)
        return
    old = target.with_name(f"{draft.name}.old")
    target.rename(old)
    draft.replace(target)
    shutil.rmtree(old)


def _remove(draft: Path) -> None:
    if draft.is_dir():
        shutil.rmtree(draft)
    draft.unlink(missing_ok=True)
