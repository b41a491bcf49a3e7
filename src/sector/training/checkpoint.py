"""Checkpoints: everything a run needs to go on to the same result, in one npz file that is replaced atomically."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from sector.atomic import replacing
from sector.errors import ModelError

StateDict = dict[str, Tensor]


@dataclass(slots=True)
class TrainingProgress:
    """Where a run stands; plain JSON."""

    epoch: int
    best_score: float
    best_epoch: int
    history: list[dict[str, float]]
    random: dict[str, Any]
    """State of the generator that orders the documents."""
    scaler: dict[str, Any]
    """State of the scaler of gradients in half precision."""
    options: str
    """A name that changes with the options; a checkpoint of another run is refused."""
    data: str
    """A name that changes with the data, labels included."""


def write_arrays(path: Path, arrays: dict[str, NDArray[Any]], about: dict[str, Any]) -> None:
    """Write arrays and a JSON header so that the old file stays until the new one is whole."""
    header = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
    with replacing(path) as draft, draft.open("wb") as file:
        np.savez(file, __header__=header, **arrays)  # type: ignore[arg-type]
        file.flush()
        os.fsync(file.fileno())


def read_arrays(path: Path) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Read what ``write_arrays`` wrote."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        about = json.loads(arrays.pop("__header__").tobytes())
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise ModelError(f"{path} is broken or not one of our files ({error}); delete it and start again.") from error
    return arrays, about


def save(path: Path, progress: TrainingProgress, states: dict[str, StateDict]) -> None:
    """Write a checkpoint of several named states (network, best network, optimiser, random)."""
    arrays = {f"{name}/{key}": to_numpy(value) for name, state in states.items() for key, value in state.items()}
    write_arrays(path, arrays, {name: getattr(progress, name) for name in TrainingProgress.__slots__})


def load(path: Path) -> tuple[TrainingProgress, dict[str, StateDict]]:
    """Read a checkpoint back."""
    arrays, about = read_arrays(path)
    states: dict[str, StateDict] = {}
    for name, array in arrays.items():
        group, key = name.split("/", 1)
        states.setdefault(group, {})[key] = torch.from_numpy(array)
    try:
        return TrainingProgress(**about), states
    except TypeError as error:
        raise ModelError(f"{path} is of another version ({error}); delete it and start again.") from error


def flattened(state: Mapping[int, Mapping[str, Tensor]]) -> StateDict:
    """Return an optimiser's state by parameter and name as one level: ``0/exp_avg``."""
    return {f"{number}/{name}": value for number, values in state.items() for name, value in values.items()}


def nested(state: StateDict) -> dict[int, StateDict]:
    """Undo ``flattened``."""
    found: dict[int, StateDict] = {}
    for key, value in state.items():
        number, name = key.split("/")
        found.setdefault(int(number), {})[name] = value
    return found


def to_numpy(tensor: Tensor) -> NDArray[Any]:
    """Copy a tensor to the host."""
    return tensor.detach().cpu().contiguous().numpy()
