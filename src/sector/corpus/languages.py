"""Each document to the model of its language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING

from sector.document import Document
from sector.text.language import detect_language

if TYPE_CHECKING:
    from sector.runtime import Model


def by_model(
    documents: Iterable[Document], model: Model, by_language: bool = True
) -> Iterator[tuple[Model, Iterator[Document]]]:
    """Return runs of documents, each with the model that reads them: that of their language, if there is one.

    Without ``by_language`` the model reads all. A run is to be read before the next.
    """
    found = (_with_language(document) if by_language else document for document in documents)
    for name, group in groupby(found, key=lambda document: _model_name(document, model, by_language)):
        yield (model if name == model.name else _loaded(name)), group


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
