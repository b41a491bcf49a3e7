"""Vocabulary files of a model folder: UTF-8 lines and .npy arrays, neither pickled nor half-written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from sector.atomic import replacing
from sector.errors import DataError, ModelError
from sector.files import open_file


def encoder_folder(folder: Path, settings: Mapping[str, Any]) -> Path:
    """Return where files of a model are, e.g. its encoder's: in its own folder or in one beside it, which models share.

    Raises ModelError for a setting ``folder`` that names anything else, or a folder that is missing.
    """
    shared = settings.get("folder", "")
    if not shared:
        return folder
    name = str(shared).removeprefix("../")
    if shared != f"../{name}" or name in ("", ".", "..") or any(sign in name for sign in "/\\:\0"):
        raise ModelError(f"The model in {folder} has files in {shared!r}; that must be a folder beside it.")
    if not (folder / str(shared)).is_dir():
        raise ModelError(
            f"The model shares files with others, but their folder {folder.with_name(name)} is missing; copy it too."
        )
    return folder / str(shared)


def read_model_file(path: Path) -> bytes:
    """Return the bytes of a model's file; raises ModelError where it is missing, a pipe or a device."""
    try:
        with open_file(path) as stream:
            return stream.read()
    except (OSError, DataError, MemoryError) as error:
        raise ModelError(f"The model's file {path} cannot be read ({error}); fetch it again.") from error


def write_words(path: Path, words: Iterable[str]) -> None:
    """Write one word per line."""
    lines = [f"{word}\n" for word in words]
    broken = [line for line in lines if line.count("\n") > 1]
    if broken:
        raise DataError(f"The word {broken[0][:-1]!r} has a line break and cannot be kept.", file=path)
    data = "".join(lines).encode("utf-8", "surrogatepass")
    _replace(path, lambda file: file.write(data))


def read_words(path: Path) -> list[str]:
    """Read what ``write_words`` wrote; words are unique."""
    try:
        text = read_model_file(path).decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise ModelError(f"The model's file {path} is not UTF-8 text; fetch the model again.") from error
    words = text.split("\n")
    if words.pop() or not words or len(set(words)) < len(words):
        raise ModelError(f"The model's file {path} is broken or cut off; fetch the model again.")
    return words


def write_array(path: Path, array: NDArray[Any]) -> None:
    """Write a .npy file."""
    _replace(path, lambda file: np.save(file, array, allow_pickle=False))


def read_array(path: Path, shape: tuple[int | None, ...]) -> NDArray[np.floating[Any]]:
    """Read finite numbers of this shape, where None stands for any size."""
    try:
        with open_file(path) as file:
            array = np.lib.format.read_array(file, allow_pickle=False)
    except Exception as error:  # numpy evaluates the header as Python: a damaged one raises whatever its parser does
        raise ModelError(f"The model's file {path} is broken ({error}); fetch it again.") from error
    if array.dtype.kind not in "fiu" or not np.isfinite(array).all():
        raise ModelError(f"The model's file {path} does not hold finite numbers; fetch the model again.")
    if array.ndim != len(shape) or any(b not in (a, None) for a, b in zip(array.shape, shape, strict=True)):
        raise ModelError(f"The model's file {path} has the shape {array.shape} where {shape} is expected.")
    return array


def _replace(path: Path, write: Callable[[BinaryIO], object]) -> None:
    with replacing(path) as draft, draft.open("wb") as file:
        write(file)
