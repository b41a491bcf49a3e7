"""The results of a part: a file of rows and a file of dead letters, written beside each other, then put in place."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

from sector.errors import ConfigError, MissingExtraError
from sector.visible import escaped

ROWS = 256
"""Rows that are written to Parquet together."""


class RowWriter(ABC):
    """Writes rows to a local file; to be used in a ``with`` statement."""

    suffix: ClassVar[str]

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0
        """Rows so far."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @abstractmethod
    def write(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Add rows."""

    @abstractmethod
    def close(self) -> None:
        """Write what is left."""


class LineWriter(RowWriter):
    """JSON Lines."""

    suffix = ".jsonl"

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._file = path.open("wb")

    def write(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Add a line for each row."""
        for row in rows:
            self._file.write(line_of(row))
        self.count += len(rows)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class ParquetWriter(RowWriter):
    """Parquet, with a schema that does not depend on the rows."""

    suffix = ".parquet"

    def __init__(self, path: Path, unit: str) -> None:
        super().__init__(path)
        try:
            from pyarrow import parquet
        except ImportError as error:
            raise MissingExtraError("pyarrow", "parquet") from error
        self._schema = schema_of(unit)
        self._file = parquet.ParquetWriter(path, self._schema, compression="zstd")
        self._rows: list[Mapping[str, Any]] = []

    def write(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Add rows, which are written when there are enough of them."""
        self._rows += map(_storable, rows)
        self.count += len(rows)
        if len(self._rows) >= ROWS:
            self._flush()

    def close(self) -> None:
        """Write the last rows and the footer."""
        self._flush()
        self._file.close()

    def _flush(self) -> None:
        from pyarrow import Table

        if self._rows:
            self._file.write_table(Table.from_pylist(self._rows, schema=self._schema))
        self._rows = []


FORMATS = (LineWriter.suffix[1:], ParquetWriter.suffix[1:])


def row_writer(format: str, path: Path, unit: str) -> RowWriter:
    """Return what writes rows of sections or chunks to a file in a format."""
    return ParquetWriter(path, unit) if format == "parquet" else LineWriter(path)


def check_format(format: str) -> None:
    """Raise ConfigError for a format that parts cannot have."""
    if format not in FORMATS:
        raise ConfigError(f"There is no format '{format}' for corpora; choose one of: {', '.join(FORMATS)}.")


def line_of(row: Mapping[str, Any]) -> bytes:
    """Return the line of a row, the same as `sector segment` and `sector chunk` print."""
    return (escaped(json.dumps(row, ensure_ascii=False)) + "\n").encode("utf-8", "replace")


def schema_of(unit: str) -> Any:
    """Return the Arrow schema of a document with sections, or of a chunk."""
    import pyarrow as arrow

    text, whole, real = arrow.string(), arrow.int64(), arrow.float64()
    if unit == "chunks":
        named = {"id": text, "document": text, "title": text, "begin": whole, "end": whole, "tokens": whole}
        rest = {"label": text, "confidence": real, "heading": text, "page": whole, "previous": text, "next": text}
        return arrow.schema([*(named | rest | {"text": text}).items()])
    section = {"begin": whole, "end": whole, "level": whole, "label": text, "heading": text, "page": whole}
    said = {"label_source": text, "confidence": real, "in_domain": real, "scores": arrow.map_(text, real), "text": text}
    sections = arrow.list_(arrow.struct([*(section | said).items()]))
    named = {"id": text, "model": text, "length": whole, "title": text, "language": text}
    return arrow.schema([*named.items(), ("sections", sections)])


def _storable(value: Any) -> Any:
    """Return a value without lone surrogates, which UTF-8 cannot hold; maps of scores as pairs."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_storable(each) for each in value]
    if isinstance(value, Mapping):
        kept = {name: _storable(each) for name, each in value.items()}
        return kept | {"scores": list(kept["scores"].items())} if "scores" in kept else kept
    return value
