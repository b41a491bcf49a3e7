"""Which store a place is."""

from __future__ import annotations

import os
from pathlib import Path

from sector.errors import ConfigError
from sector.retrieval.postgres import PostgresStore
from sector.retrieval.postgres_session import PREFIXES
from sector.retrieval.sqlite import SqliteStore
from sector.retrieval.store import Store
from sector.visible import brief


def open_store(place: str | Path, *, create: bool) -> Store:
    """Return the store of a place: a file of SQLite, or a schema of PostgreSQL; raises ConfigError for others."""
    if not isinstance(place, str | os.PathLike):
        raise ConfigError(f"An index is at a path or an address, not at {brief(place)}.")
    if isinstance(place, str) and place.startswith(PREFIXES):
        return PostgresStore(place, create=create)
    if "://" in str(place):
        raise ConfigError(f"No index can be at {place}; name a file, or an address that begins with {PREFIXES[0]}")
    return SqliteStore(Path(place), create=create)
