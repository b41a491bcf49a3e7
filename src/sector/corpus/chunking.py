"""Many documents to chunks, each with the model of its language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

from sector.chunks import Chunk
from sector.document import Document
from sector.text.language import detect_language

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
    with_language = (_with_language(document) if by_language else document for document in documents)
    for name, group in groupby(with_language, key=lambda document: _model_name(document, model, by_language)):
        chosen = model if name == model.name else _loaded(name)
        seen: list[Document] = []
        for chunks in chosen.chunk_all(_noted(group, seen), **options):
            yield seen.pop(0), chunks


def _noted(documents: Iterable[Document], seen: list[Document]) -> Iterator[Document]:
    for document in documents:
        seen.append(document)
        yield document


def _with_language(document: Document) -> Document:
    return document if document.language else replace(document, language=detect_language(document.text))


def _model_name(document: Document, model: Model, by_language: bool) -> str:
    from sector.runtime import is_supported, model_for

    language = document.language
    if not by_language or not language or language == model.config.language:
        return model.name
    return model_for(language) if is_supported(language) else model.name


@cache
def _loaded(name: str) -> Model:
    from sector.runtime import load

    return load(name)
