"""The document to draw: a file of any format, standard input, or one document of a data set with its gold sections."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from sector import datasets
from sector.compression import bare_name
from sector.document import Document
from sector.errors import DataError
from sector.files import read_stdin
from sector.reading import document_of, read

DATA = (".json", ".jsonl", ".ndjson", ".ref")
"""Endings of data sets; folders are data sets too."""


def find_document(name: str, wanted: str = "") -> tuple[Document, str]:
    """Return a document and, where it is one of several, a line that says which.

    Args:
        name: a file, a data set, or ``-`` for standard input.
        wanted: of a data set the id or title, or the number from 1; by default the first.

    Raises: DataError for what cannot be read, and where no document is called so.
    """
    if name == "-":
        return document_of(read_stdin()), ""
    path = Path(name)
    if path.is_dir() or Path(bare_name(name)).suffix.lower() in DATA:
        return _of_data(path, wanted)
    if wanted:
        raise DataError("This is one document, of which none can be chosen; leave --document out.", file=path)
    return read(path), ""


def _of_data(path: Path, wanted: str) -> tuple[Document, str]:
    documents = datasets.read(path)
    if not wanted:
        first, *others = islice(documents, 2)
        more = "; --document with a number, an id or a title chooses another" if others else ""
        return first, f"document 1, '{first.title or first.id}'{more}" if more else ""
    for number, document in enumerate(documents, start=1):
        if wanted in (document.id, document.title, str(number)):
            return document, ""
    raise DataError(f"There is no document '{wanted}'; give an id, a title, or a number from 1.", file=path)
