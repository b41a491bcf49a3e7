"""What callers give a model, made ready: texts with their layout, and readings that belong to a document."""

from __future__ import annotations

from dataclasses import replace

from sector.document import Document, as_document
from sector.errors import ConfigError
from sector.reading import read_text
from sector.runtime.reader import MOST_CHARACTERS
from sector.segmentation import Reading
from sector.structure import check_headings


def laid_out(text: str | Document, language: str, headings: str | None = None) -> Document:
    """Return a document, of a string with the blocks that its layout shows, and how its headings are used."""
    if isinstance(text, str) and len(text) <= MOST_CHARACTERS:
        text = read_text(text)
    document = as_document(text, language)
    if headings is not None:
        check_headings(headings)
        return document if headings == document.headings else replace(document, headings=headings)
    return document


def fitting(reading: Reading, document: Document) -> Reading:
    """Return the reading; raises ConfigError where it is none of this document."""
    if not isinstance(reading, Reading):
        raise ConfigError(f"A reading of the document is expected, not {type(reading).__name__}; see Model.read.")
    read = len(document) if document.constraints is None else int(document.constraints.read.sum())
    if len(reading) != read:
        raise ConfigError(f"The reading has {len(reading)} sentences and the document {read}; read this document.")
    return reading
