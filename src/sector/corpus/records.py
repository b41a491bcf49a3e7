"""Corpora: one file with many documents, JSON Lines or Parquet, read record by record."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sector.compression import bare_name, open_unpacked
from sector.corpus.base import Problem
from sector.document import Document
from sector.errors import DataError, MissingExtraError
from sector.files import bounded_lines, open_file
from sector.reading import read_text
from sector.reading.decoding import UTF8, decode

LINES = (".jsonl", ".ndjson")
PARQUET = (".parquet",)
MOST_LINE = 500_000_000
"""Bytes of a record."""
ROWS = 256
"""Rows of a Parquet file that are read at once."""


@dataclass(frozen=True, slots=True)
class Fields:
    """What the fields of a record are called."""

    text: str = "text"
    id: str = "id"


def suffix(path: Path) -> str:
    """Return the ending that says the format, without one for compression."""
    return Path(bare_name(path.name)).suffix.lower()


@dataclass(frozen=True, slots=True)
class Records:
    """A corpus file."""

    path: Path
    fields: Fields = Fields()
    encoding: str = UTF8
    folder: Path | None = None
    """Where it was found, if it was not named."""
    skipped: Mapping[str, int] = field(default_factory=dict)
    """How many files of the folder were left out, by the reason."""
    is_corpus: bool = field(default=True, init=False)
    is_single: bool = field(default=False, init=False)
    total: None = field(default=None, init=False)

    @property
    def name(self) -> str:
        """The file's name without its endings, with its place in the folder where it was found."""
        path = Path(self.path.name) if self.folder is None else self.path.relative_to(self.folder)
        return path.with_name(Path(bare_name(path.name)).stem).as_posix()

    def documents(self) -> Iterator[Document | Problem]:
        """Read record by record; one that is broken is a problem of its own."""
        read = _parquet if suffix(self.path) in PARQUET else _lines
        try:
            for number, record in read(self.path, self.fields, self.encoding):
                place = f"{self.path}, record {number}"
                found = record if isinstance(record, Problem) else document_in(record, self.fields, str(number))
                yield found if isinstance(found, Document) else Problem(place, found.message)
        except OSError as error:
            yield Problem(str(self.path), f"{error.strerror or error}.")
        except DataError as error:
            yield Problem(str(self.path), str(error).removeprefix(f"{self.path}: "))

    def names(self) -> Iterator[str]:
        """Return nothing: the records are not read for this."""
        return iter(())

    def target(self, document_id: str) -> str:
        """Call the results as the document."""
        return document_id


def document_in(record: Mapping[str, Any], fields: Fields, place: str) -> Document | Problem:
    """Return the document of a record; ``place`` is its id if it has none."""
    text, name = record.get(fields.text), record.get(fields.id)
    if not isinstance(text, str):
        kind = "missing" if text is None else f"of type {type(text).__name__}, not a string"
        return Problem(place, f"The field '{fields.text}' is {kind}; --text-field names another.")
    title, language = (str(record.get(key) or "") for key in ("title", "language"))
    return replace(read_text(text, language), id=str(place if name is None else name), title=title)


def _lines(path: Path, fields: Fields, encoding: str) -> Iterator[tuple[int, dict[str, Any] | Problem]]:
    with open_unpacked(path) as stream:
        for number, line in enumerate(bounded_lines(stream, MOST_LINE), 1):
            if len(line) > MOST_LINE:
                yield number, Problem(f"{path}, record {number}", f"It has more than {MOST_LINE:,} bytes.")
            elif line.strip():
                yield number, record_in(line, f"{path}, record {number}", encoding)


def record_in(line: bytes, place: str, encoding: str = UTF8) -> dict[str, Any] | Problem:
    """Return the JSON object of a line."""
    try:
        record = json.loads(decode(line, encoding))
    except DataError as error:
        return Problem(place, str(error))
    except (ValueError, RecursionError) as error:
        return Problem(place, f"This is not JSON: {error}.")
    return record if isinstance(record, dict) else Problem(place, "A JSON object is expected.")


def _parquet(path: Path, fields: Fields, encoding: str) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        from pyarrow import ArrowInvalid, parquet
    except ImportError as error:
        raise MissingExtraError("pyarrow", "parquet") from error
    try:
        file = parquet.ParquetFile(open_file(path))
    except ArrowInvalid as error:
        raise DataError(f"This is not a whole Parquet file ({error}).") from error
    there = file.schema_arrow.names
    if fields.text not in there:
        raise DataError(f"There is no column '{fields.text}', only {', '.join(there)}; --text-field names another.")
    columns = [name for name in (fields.text, fields.id, "title", "language") if name in there]
    number = 0
    for batch in file.iter_batches(batch_size=ROWS, columns=columns):
        for record in batch.to_pylist():
            number += 1
            yield number, record
