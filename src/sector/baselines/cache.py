"""What was trained is used again, if it was trained on the same documents with the same options: its key says so."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sector import __version__
from sector.atomic import write_text
from sector.baselines.base import Material, Task
from sector.digests import fingerprint
from sector.errors import DataError

KEY = "key.txt"


def training_key(material: Material, task: Task, options: Mapping[str, Any]) -> str:
    """Return a name that changes with the documents, the task, the options and the version."""
    vectors = [task.vectors] if task.vectors else []
    described = [task.name, task.language, task.min_count, task.seed, material.limit, sorted(options.items())]
    return digest([__version__, stamps([*material.files, *vectors]), described])


def digest(described: Any) -> str:
    """Return a short name of anything that JSON can hold."""
    return fingerprint(json.dumps(described, default=str))


def stamps(paths: Iterable[Path]) -> list[tuple[str, int]]:
    """Return the names and sizes of files, or of every file in a folder; places and times may differ by machine."""
    found = []
    for path in paths:
        if not path.exists():
            raise DataError("There is no such file or folder; check the path.", file=path)
        files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())
        found += [(file.name, file.stat().st_size) for file in files]
    return found


def is_cached(folder: Path, key: str) -> bool:
    """Whether the folder holds what was trained under this key."""
    file = folder / KEY
    return file.is_file() and file.read_text(encoding="utf-8").strip() == key


def mark_cached(folder: Path, key: str) -> None:
    """Write the key of what the folder now holds."""
    write_text(folder / KEY, key + "\n")


def invalidate(folder: Path) -> None:
    """Remove the key, so that the contents are not reused; make the folder if it does not exist."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / KEY).unlink(missing_ok=True)
