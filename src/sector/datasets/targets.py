"""Where a data set may be written: nowhere on top of anything but a data set, and then all or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sector import atomic
from sector.datasets.formats import detect
from sector.errors import ConfigError, DataError
from sector.values import is_there


@contextmanager
def replacing(target: Path, *, force: bool = False) -> Iterator[Path]:
    """Return a path to write a file or a folder to; it takes the target's place unless something is raised."""
    check_target(target, force)
    with atomic.replacing(target) as draft:
        yield draft


def check_target(target: Path, force: bool) -> None:
    """Raise ConfigError where a data set may not be written."""
    if not target.parent.is_dir():
        raise ConfigError(f"The folder {target.parent} does not exist; create it first.")
    if not (is_there(target) or target.is_symlink()):
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
