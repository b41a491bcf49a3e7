"""From documents to the chunks that are indexed: their sections as drawn, or chunks within a number of tokens."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from sector.chunks import AnyTokenizer, Chunk, Packer, chunks_of
from sector.corpus.languages import by_model
from sector.digests import fingerprint
from sector.document import Document
from sector.errors import ConfigError
from sector.retrieval.store import storable

if TYPE_CHECKING:
    from sector.runtime import Model


def chunked(
    documents: Iterable[Document],
    model: Model,
    *,
    max_tokens: int | None = None,
    tokenizer: AnyTokenizer = None,
    headings: str = "use",
    by_language: bool = False,
) -> Iterator[tuple[Document, list[Chunk], bool]]:
    """Return each document with its chunks, and whether the model itself read it and not that of another language."""
    packer = Packer(max_tokens or 1, tokenizer)
    for chosen, group in by_model(documents, model, by_language):
        if max_tokens is None:
            found = chosen.segment_all(group, headings=headings)
        else:
            found = chosen.cut_all(group, packer, headings=headings)
        for document in found:
            yield document, chunks_of(document, packer), chosen is model


def digest(document: Document) -> str:
    """Return the fingerprint of all that a document's chunks depend on."""
    blocks = [str(block) for block in document.blocks]
    return fingerprint([document.text, document.title, document.language, document.format, blocks])


def named(document: Document) -> Document:
    """Return a document with an id that a store can hold, and with the words of its file's name where it has no title.

    Raises ConfigError for what is no document or has no id.
    """
    if not isinstance(document, Document) or not document.id:
        raise ConfigError(
            "Documents of an index need ids, by which they are replaced: give {id: text}, or documents with ids."
        )
    return replace(document, id=storable(document.id), title=document.title or _file_title(document))


def _file_title(document: Document) -> str:
    """Return the words of a file's name, which often say what no sentence of it does."""
    path = PurePath(document.id)
    return re.sub(r"[\s_-]+", " ", path.stem).strip() if path.suffix and document.format else ""
