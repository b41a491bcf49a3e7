"""The history of training runs, from what they leave in their folders; reading it needs no torch."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from sector.errors import DataError

FILES = ("weights.npz", "checkpoint.npz")
"""What a finished run and one under way keep their history in."""
History = list[dict[str, float]]
"""An entry per epoch."""


def is_run(path: Path) -> bool:
    """Return whether a path is the folder of a training run."""
    return path.is_dir() and bool(_files(path))


def read_histories(paths: Iterable[Path]) -> dict[str, History]:
    """Return the histories of training runs by name, of several tasks by the names of both.

    Raises DataError for a folder without a run, and for a broken file.
    """
    paths = list(paths)
    found = {
        _name(path, run, file): _history(file)
        for path, run in zip(paths, distinct(paths), strict=True)
        for file in _checked(path)
    }
    if not any(found.values()):
        raise DataError("No epoch is finished yet; try again later.")
    return {name: history for name, history in found.items() if history}


def _checked(path: Path) -> list[Path]:
    files = _files(path)
    if not files:
        raise DataError("This is not the folder of a training run: it has no weights.npz or checkpoint.npz.", file=path)
    return files


def _files(path: Path) -> list[Path]:
    """Return the file of a run, or those of its tasks, each finished one rather than its checkpoint."""
    for folders in ([path], sorted(entry for entry in path.glob("*") if entry.is_dir())):
        found = [next((folder / name for name in FILES if (folder / name).is_file()), None) for folder in folders]
        if any(found):
            return [file for file in found if file]
    return []


def distinct(paths: Sequence[Path]) -> list[str]:
    """Return a name for each path: its last part, with as many of those above it as set it apart from the others."""
    parts = [path.resolve().parts for path in dict.fromkeys(paths)]
    needed = next(
        (
            count
            for count in range(1, max(map(len, parts), default=0) + 1)
            if len({part[-count:] for part in parts}) == len(parts)
        ),
        1,
    )
    return ["/".join(path.resolve().parts[-needed:]) for path in paths]


def _name(path: Path, run: str, file: Path) -> str:
    return run if file.parent == path else f"{run}, {file.parent.name}"


def _history(file: Path) -> History:
    try:
        with np.load(file, allow_pickle=False) as arrays:
            about = json.loads(arrays["__header__"].tobytes())
        return [_numbers(entry) for entry in about["history"]]
    except (OSError, ValueError, KeyError, EOFError, TypeError, AttributeError, zipfile.BadZipFile) as error:
        raise DataError(
            f"This is no history of a training run ({type(error).__name__}: {error}).", file=file
        ) from error


def _numbers(entry: Mapping[str, object]) -> dict[str, float]:
    return {name: float(value) for name, value in entry.items() if isinstance(value, int | float)}
