"""Many documents to chunks, each with the model of its language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from sector.chunks import Chunk
from sector.corpus.languages import by_model
from sector.document import Document

if TYPE_CHECKING:
    from sector.runtime import Model


def chunk_documents(
    documents: Iterable[Document], model: Model, *, by_language: bool = False, **options: Any
) -> Iterator[tuple[Document, list[Chunk]]]:
    """Return each document with its chunks, in order.

    Args:
        documents: to be read one after the other.
        model: that reads them.
        by_language: whether a document in another language that there is a model for is read by that.
        options: those of ``Model.chunk_all``.
    """
    for chosen, group in by_model(documents, model, by_language):
        seen: list[Document] = []
        for chunks in chosen.chunk_all(_noted(group, seen), **options):
            yield seen.pop(0), chunks


def _noted(documents: Iterable[Document], seen: list[Document]) -> Iterator[Document]:
    for document in documents:
        seen.append(document)
        yield document
