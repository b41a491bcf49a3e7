"""What callers give, told from what cannot be used: numbers, paths, sequences."""

from __future__ import annotations

import os
from collections.abc import Sized
from math import isfinite
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from sector.errors import DataError


def is_whole(value: Any, least: int) -> bool:
    """Whether it is a whole number of at least ``least``."""
    return not isinstance(value, bool) and isinstance(value, Integral) and int(value) >= least


def is_number(value: Any) -> bool:
    """Whether it is a number that a float can hold."""
    try:
        return isinstance(value, Real) and isfinite(value)
    except OverflowError:
        return False


def is_there(path: Path) -> bool:
    """Whether there is a file or folder; no system has one whose name is too long for it."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def path_of(given: Any) -> Path:
    """Return a path; raises DataError for what is none."""
    if not isinstance(given, str | os.PathLike):
        raise DataError(f"A path is expected, not {type(given).__name__}; give a str or a Path.")
    return Path(given)


def length_of(given: Any) -> int:
    """Return how many things there are; raises DataError for what has no length."""
    if not isinstance(given, Sized):
        raise DataError(f"A sequence is expected, not {type(given).__name__}; give a list.")
    return len(given)
