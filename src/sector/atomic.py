"""All or nothing: a file or folder is written beside its place under another name, then moved there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Return a path to write a file or a folder to; it takes the target's place unless something is raised."""
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        yield draft
        _move(draft, target)
    finally:
        _remove(draft)


def _move(draft: Path, target: Path) -> None:
    if not (target.is_dir() and draft.is_dir()):
        draft.replace(target)  # a file never takes the place of a folder: the system refuses
        return
    old = target.with_name(f"{draft.name}.old")
    target.rename(old)
    draft.replace(target)
    shutil.rmtree(old)


def _remove(draft: Path) -> None:
    if draft.is_dir():
        shutil.rmtree(draft)
    draft.unlink(missing_ok=True)
