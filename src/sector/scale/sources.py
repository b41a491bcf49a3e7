"""The documents of a part, and a dead letter where there should have been one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from typing import Any, BinaryIO

from sector.compression import damage_explained, unpacked
from sector.corpus.base import Problem
from sector.corpus.records import MOST_LINE, Fields, document_in, record_in
from sector.document import Document
from sector.errors import DataError, MissingExtraError
from sector.files import read_stream
from sector.reading import document_of
from sector.reading.decoding import UTF8
from sector.scale.parquet import rows_of
from sector.scale.parts import CorpusPart
from sector.scale.storage import Storage, StoredFile

MOST_KEPT = 1_000_000
"""Characters of a text that a dead letter repeats."""


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A document that could not be read or segmented, and why; a file of them is a corpus that can be given again."""

    id: str
    place: str
    """The file and the position in it."""
    reason: str
    text: str = ""
    """Empty where there was none, or a very long one."""

    @staticmethod
    def of(document: Document, reason: str) -> DeadLetter:
        """Make the dead letter of a document that was read."""
        text = document.text if len(document.text) <= MOST_KEPT else ""
        return DeadLetter(document.id, document.metadata.get("place", document.id), reason, text)

    def to_dict(self) -> dict[str, str]:
        """Return the record of the dead-letter file."""
        return asdict(self)


@dataclass(frozen=True)
class PartReader:
    """Reads the documents of parts."""

    fields: Fields = field(default_factory=Fields)
    encoding: str | None = None
    options: dict[str, object] = field(default_factory=dict)
    """For fsspec."""

    def documents(self, part: CorpusPart) -> Iterator[Document | DeadLetter]:
        """Return the documents one by one; raises OSError where a file cannot be read now."""
        if part.kind == "documents":
            for file in part.files:
                yield self._document(file)
            return
        (file,) = part.files
        read = self._rows if part.kind == "parquet" else self._lines
        try:
            yield from read(file, part)
        except DataError as error:
            yield DeadLetter("", file.name, str(error).removeprefix(f"{file.address}: "))

    def _lines(self, file: StoredFile, part: CorpusPart) -> Iterator[Document | DeadLetter]:
        with closing(Storage(file.address, self.options).open()) as raw, damage_explained(file.address):
            stream = raw if part.begin else unpacked(raw)
            for begin, line in _owned(stream, part.begin, part.end):
                place = f"{file.name}#{begin}"
                if len(line) > MOST_LINE:
                    yield DeadLetter("", place, f"This line has more than {MOST_LINE:,} bytes.")
                elif line.strip():
                    record = record_in(line, place, self.encoding or UTF8)
                    yield _placed(record, self.fields, place)

    def _rows(self, file: StoredFile, part: CorpusPart) -> Iterator[Document | DeadLetter]:
        storage = Storage(file.address, self.options)
        for number, record in rows_of(storage, self.fields, part.begin, part.end or 0):
            place = f"{file.name}#{number}"
            yield _placed(record, self.fields, place)

    def _document(self, file: StoredFile) -> Document | DeadLetter:
        try:
            with closing(Storage(file.address, self.options).open()) as stream:
                content = read_stream(stream, file.name)
            found = document_of(content, file.name, encoding=self.encoding)
        except (DataError, MissingExtraError) as error:
            return DeadLetter(file.name, file.name, str(error).removeprefix(f"{file.name}: "))
        except RecursionError:
            return DeadLetter(file.name, file.name, "Its parts lie too deep inside of one another to be read.")
        return found


def _owned(stream: BinaryIO, begin: int, end: int | None) -> Iterator[tuple[int, bytes]]:
    """Return the lines that begin in a range of bytes, with their positions."""
    place = begin
    if begin:
        stream.seek(begin - 1)
        place = begin - 1 + _skipped(stream)
    while end is None or place < end:
        line = stream.readline(MOST_LINE + 1)
        if not line:
            return
        yield place, line
        place += len(line)
        if len(line) > MOST_LINE and not line.endswith(b"\n"):
            place += _skipped(stream)


def _skipped(stream: BinaryIO) -> int:
    """Pass over the rest of a line and return its length."""
    count = 0
    while piece := stream.readline(1 << 20):
        count += len(piece)
        if piece.endswith(b"\n"):
            break
    return count


def _placed(record: Mapping[str, Any] | Problem, fields: Fields, place: str) -> Document | DeadLetter:
    """Return the document of a record, or why there is none."""
    if isinstance(record, Problem):
        return DeadLetter("", place, record.message)
    found = document_in(record, fields, place)
    if isinstance(found, Problem):
        name = record.get(fields.id)
        return DeadLetter("" if name is None else str(name), place, found.message)
    return replace(found, metadata={**found.metadata, "place": place})
