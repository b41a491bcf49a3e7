"""Several documents or texts, as callers give them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from sector.document import Document
from sector.errors import DataError
from sector.visible import brief


def many(given: Any, noun: str) -> Iterable[Any]:
    """Return what several things are taken from; raises DataError for what is no such collection, as one text."""
    if isinstance(given, str | bytes | bytearray | Document) or not isinstance(given, Iterable):
        raise DataError(f"A list of {noun} is expected, not {type(given).__name__}; give [{noun.rstrip('s')}].")
    return given


def documents_among(given: Any) -> Iterator[Document]:
    """Return documents as they come; raises DataError for what is none."""
    for document in many(given, "documents"):
        if not isinstance(document, Document):
            raise DataError(f"A Document is expected, not {type(document).__name__} ({brief(document, 40)}).")
        yield document
