"""Fingerprints: short names of contents, by which caches and continued runs notice that something changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sector.files import open_file

PIECE = 1 << 20
LENGTH = 16
"""Hexadecimal digits of a fingerprint; enough to notice a change, and short in a file."""


def fingerprint(value: Any) -> str:
    """Return the fingerprint of a text, or of a value as JSON; what JSON does not know counts as its string."""
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:LENGTH]


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, as ``sha256sum`` prints it; raises DataError for pipes and devices."""
    found = hashlib.sha256()
    with open_file(path) as stream:
        while piece := stream.read(PIECE):
            found.update(piece)
    return found.hexdigest()


def files_fingerprint(files: Iterable[Path]) -> str:
    """Return the fingerprint of the names and the bytes of files; their order and their folders do not count."""
    return fingerprint(sorted((path.name, file_digest(path)) for path in files))
