"""The formats by name, and which of them a path has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

from sector.datasets.base import DatasetReader
from sector.datasets.chen import ChenReader
from sector.datasets.jsonl import JsonlReader
from sector.datasets.multiseg import MultisegReader
from sector.datasets.ref import RefReader
from sector.datasets.source import DatasetPath
from sector.datasets.wiki727 import Wiki727Reader
from sector.datasets.wikisection import WikiSectionReader
from sector.document import Document
from sector.errors import ConfigError, DataError
from sector.values import path_of
from sector.visible import brief

_READERS: tuple[DatasetReader, ...] = (
    WikiSectionReader(),
    JsonlReader(),
    Wiki727Reader(),
    ChenReader(),
    RefReader(),
    MultisegReader(),
)
READERS: dict[str, DatasetReader] = {reader.name: reader for reader in _READERS}
"""Every reader by its name, in the order in which they are asked whether a path is theirs."""


def read(path: str | Path, format: str | DatasetReader | None = None, *, language: str = "") -> Iterator[Document]:
    """Return the documents of a data set one by one.

    Args:
        path: a file, a folder or an archive.
        format: a name of `READERS`, or a reader with options, e.g. ``Wiki727Reader(levels=0)``; None finds it from the
            path and the first bytes.
        language: of documents that do not say theirs.

    Raises:
        DataError: the data set is missing, malformed or empty, or its format is not known.
    """
    source = DatasetPath(path_of(path))
    reader = _reader(source, format)
    if not isinstance(language, str):
        raise ConfigError(f"The language is {brief(language)}; give its code, e.g. 'en'.")
    return _documents(reader, source, language)


def load(path: str | Path, format: str | DatasetReader | None = None, *, language: str = "") -> list[Document]:
    """Return all documents of a data set as a list; see `read`."""
    return list(read(path, format, language=language))


def detect(path: str | Path) -> DatasetReader:
    """Find the reader for a path; a `DataError` names the formats if there is none."""
    source = DatasetPath(path_of(path))
    for reader in _READERS:
        if reader.recognises(source):
            return reader
    kind = "folder" if source.path.is_dir() else "file"
    names = ", ".join(READERS)
    raise DataError(f"This {kind} has none of the known formats ({names}).", file=source.path)


def _reader(source: DatasetPath, format: str | DatasetReader | None) -> DatasetReader:
    if format is None:
        return detect(source.path)
    if callable(getattr(format, "recognises", None)):
        return cast("DatasetReader", format)
    if not isinstance(format, str) or format not in READERS:
        raise ConfigError(f"There is no format {brief(format)}; choose one of {', '.join(READERS)}.")
    return READERS[format]


def _documents(reader: DatasetReader, source: DatasetPath, language: str) -> Iterator[Document]:
    is_empty = True
    for document in reader.read(source):
        is_empty = False
        yield replace(document, language=language) if language and not document.language else document
    if is_empty:
        raise DataError("There is no document in it.", file=source.path)
