"""Parquet as a corpus: its groups of rows, and the rows of a part."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sector.errors import DataError, MissingExtraError
from sector.scale.storage import Storage

if TYPE_CHECKING:
    from sector.corpus.records import Fields

ROWS = 256
"""Rows that are read at once."""


def groups_of(storage: Storage, fields: Fields) -> list[tuple[int, int]]:
    """Return for each group of rows how many it has, and the bytes of its texts, unpacked."""
    with _opened(storage, fields) as (file, columns):
        names = [file.metadata.schema.column(number).path for number in range(file.metadata.num_columns)]
        texts = [number for number, name in enumerate(names) if name.partition(".")[0] in columns]
        groups = [file.metadata.row_group(number) for number in range(file.metadata.num_row_groups)]
        return [
            (group.num_rows, sum(group.column(number).total_uncompressed_size for number in texts)) for group in groups
        ]


def rows_of(storage: Storage, fields: Fields, begin: int, end: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Return the rows ``[begin, end)`` with their numbers, counted from 1."""
    with _opened(storage, fields) as (file, columns):
        first = 0
        for group in range(file.metadata.num_row_groups):
            count = file.metadata.row_group(group).num_rows
            if first < end and first + count > begin:
                number = first
                for batch in file.iter_batches(batch_size=ROWS, row_groups=[group], columns=columns):
                    if number < end and number + len(batch) > begin:
                        for place, record in enumerate(batch.to_pylist(), number):
                            if begin <= place < end:
                                yield place + 1, record
                    number += len(batch)
            first += count


@contextmanager
def _opened(storage: Storage, fields: Fields) -> Iterator[tuple[Any, list[str]]]:
    try:
        from pyarrow import ArrowInvalid, parquet
    except ImportError as error:
        raise MissingExtraError("pyarrow", "parquet") from error
    with storage.open() as stream:
        try:
            file = parquet.ParquetFile(stream)
        except ArrowInvalid as error:
            raise DataError(f"This is not a whole Parquet file ({error}).", file=storage.address) from error
        there = file.schema_arrow.names
        if fields.text not in there:
            raise DataError(
                f"There is no column '{fields.text}', only {', '.join(there)}; --text-field names another.",
                file=storage.address,
            )
        yield file, [name for name in (fields.text, fields.id, "title", "language") if name in there]
