"""A chunk as the columns of a table, in any database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sector.chunks import Chunk
from sector.retrieval.store import label_key, storable

COLUMNS = (
    "id",
    "begin",
    "end",
    "tokens",
    "label",
    "confidence",
    "heading",
    "page",
    "previous_id",
    "next_id",
    "title",
    "text",
)
"""Of a chunk, as the class calls them."""


def row_of(chunk: Chunk) -> tuple[Any, ...]:
    """Return a chunk's columns and the key of its label."""
    values = (getattr(chunk, name) for name in COLUMNS)
    stored = tuple(storable(value) if isinstance(value, str) else value for value in values)
    return (*stored, label_key(storable(chunk.label)))


def chunk_of(values: Sequence[Any], document_id: str) -> Chunk:
    """Return the chunk of the columns."""
    return Chunk(**dict(zip(COLUMNS, values, strict=True)), document_id=document_id)
