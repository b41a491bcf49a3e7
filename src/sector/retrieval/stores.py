"""Which store a place is."""

from __future__ import annotations

from pathlib import Path

from sector.retrieval.sqlite import SqliteStore
from sector.retrieval.store import Store


def open_store(place: str | Path, *, create: bool) -> Store:
    """Return the store of a place: a file of SQLite."""
    return SqliteStore(Path(place), create=create)
