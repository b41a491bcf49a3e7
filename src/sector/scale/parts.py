"""A corpus in parts: each is read, segmented and written on its own, and always has the same documents."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from sector.compression import SUFFIXES as PACKED
from sector.compression import bare_name
from sector.corpus.records import LINES, PARQUET
from sector.digests import fingerprint
from sector.errors import ConfigError, DataError
from sector.scale.storage import Storage, StoredFile

if TYPE_CHECKING:
    from sector.corpus.records import Fields

LEAST, MOST = 1 << 20, 64 << 20
"""Bytes of a part: the largest take minutes, so that little is lost with a worker."""
PARTS = 2048
"""How many a corpus has at least, as long as they are not smaller than `LEAST`: several for each worker of a cluster,
so that few workers wait for the last ones (`benchmarks/scale/plan.py`)."""
MOST_FILES = 1000
"""Files of one document each in a part."""


@dataclass(frozen=True, slots=True)
class CorpusPart:
    """Some of the documents of a corpus."""

    name: str
    """What its results are called."""
    kind: str
    """``lines``, ``parquet`` or ``documents``."""
    files: tuple[StoredFile, ...]
    """One, or for ``documents`` several."""
    begin: int = 0
    """First byte of lines, first row of Parquet."""
    end: int | None = None
    size: int = 0
    """About how many bytes it has."""

    def to_json(self) -> str:
        """Return the part as a line of the plan."""
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(line: bytes | str) -> CorpusPart:
        """Read a line of the plan."""
        record = json.loads(line)
        return CorpusPart(**record | {"files": tuple(StoredFile(**file) for file in record["files"])})


def kind_of(address: str) -> str:
    """Return how the documents of a file are found in it."""
    suffix = PurePosixPath(bare_name(address)).suffix.lower()
    return "lines" if suffix in LINES else "parquet" if suffix in PARQUET else "documents"


def part_size(corpus: int) -> int:
    """Return the bytes of a part that suit a corpus of so many bytes."""
    return min(MOST, max(LEAST, corpus // PARTS))


def divide(files: Sequence[StoredFile], size: int, fields: Fields, options: Any = None) -> Iterator[CorpusPart]:
    """Return the parts of files, each of about ``size`` bytes, in order.

    Raises ConfigError for a file that is no corpus; DataError for one that cannot be read.
    """
    for file in files:
        if PurePosixPath(bare_name(file.address)).suffix.lower() == ".json":
            raise ConfigError(f"{file.address} is one JSON value; `sector data convert` makes it .jsonl.")
    documents = [file for file in files if kind_of(file.address) == "documents"]
    for file in files:
        kind = kind_of(file.address)
        if kind == "lines":
            yield from _of_lines(file, size, options)
        elif kind == "parquet":
            yield from _of_rows(file, size, fields, options)
    yield from _of_documents(documents, size)


def _of_lines(file: StoredFile, size: int, options: Any) -> Iterator[CorpusPart]:
    if file.size <= size or _is_packed(file, options):
        yield CorpusPart(_name(file, 0), "lines", (file,), 0, None, file.size)
        return
    count = ceil(file.size / size)
    edges = [file.size * number // count for number in range(count + 1)]
    for number in range(count):
        begin, end = edges[number], edges[number + 1]
        yield CorpusPart(_name(file, number), "lines", (file,), begin, end, end - begin)


def _is_packed(file: StoredFile, options: Any) -> bool:
    """Whether a file can only be read from its beginning."""
    from sector.compression import is_packed

    if file.address.lower().endswith(PACKED):
        return True
    with Storage(file.address, options or {}).open() as stream:
        return is_packed(stream)


def _of_rows(file: StoredFile, size: int, fields: Fields, options: Any) -> Iterator[CorpusPart]:
    from sector.scale.parquet import groups_of

    number = row = 0
    for rows, weight in groups_of(Storage(file.address, options or {}), fields):
        count = max(1, min(rows, ceil(weight / size)))
        for piece in range(count):
            begin, end = row + rows * piece // count, row + rows * (piece + 1) // count
            yield CorpusPart(_name(file, number), "parquet", (file,), begin, end, weight // count)
            number += 1
        row += rows


def _of_documents(files: Sequence[StoredFile], size: int) -> Iterator[CorpusPart]:
    group: list[StoredFile] = []
    for file in files:
        group.append(file)
        if len(group) == MOST_FILES or sum(each.size for each in group) >= size:
            yield _group(group)
            group = []
    if group:
        yield _group(group)


def _group(files: Sequence[StoredFile]) -> CorpusPart:
    name = f"documents-{fingerprint([file.address for file in files])[:12]}"
    return CorpusPart(name, "documents", tuple(files), size=sum(file.size for file in files))


def _name(file: StoredFile, number: int) -> str:
    stem = PurePosixPath(bare_name(file.address)).stem
    return f"{stem}-{fingerprint(file.address)[:6]}-{number:05d}"


def found_files(inputs: Sequence[str], options: Any = None) -> list[StoredFile]:
    """Return the files of a corpus: files, folders and patterns; in folders those of known formats alone.

    Raises ConfigError for what is not there.
    """
    found: dict[str, StoredFile] = {}
    for address in inputs:
        storage = Storage(address, options or {})
        several = "*" in address or storage.is_folder()
        if not several and not storage.exists():
            raise ConfigError(f"There is no {address}; check the path or the address.")
        files = [file for file in storage.files() if _is_known(file.address)] if several else [storage.found()]
        if not files:
            raise DataError("There is no document here that can be read.", file=address)
        found |= {file.address: file for file in files}
    return list(found.values())


def _is_known(address: str) -> bool:
    from sector.reading import SUFFIXES

    suffix = PurePosixPath(bare_name(address)).suffix.lower()
    return suffix in (*LINES, *PARQUET, *SUFFIXES)
