"""A dump as a run of pieces of whole pages: each can be converted alone, and reading can begin at any of them.

Where a piece ends depends on where it begins and on nothing else, so that an interrupted run cuts the same
pieces as one that was not. In a file that can be entered anywhere (plain XML, multistream bz2) finished
pieces are jumped over; elsewhere they are unpacked again, which is quick beside converting them. Streams of
a multistream file are left packed: whoever converts them unpacks them, several at once.
"""

from __future__ import annotations

import bz2
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sector.errors import DataError
from sector.wikipedia.page import PAGE, PAGE_END
from sector.wikipedia.site import Site, read_site
from sector.wikipedia.unpacking import STREAM, ByteSource, check_magic, open_source

PIECE = 4 << 20
"""Bytes of XML that are cut at once."""
PACKED_PIECE = 1 << 20
"""Least bytes of a multistream file that are taken at once."""
LONGEST = 64 << 20
"""A longer page is left out: no revision of an article is as long, and memory has an end."""
_HEADER = 1 << 20


@dataclass(frozen=True, slots=True)
class Piece:
    """Some pages of a dump file."""

    file: int
    """Which of the files."""
    begin: int
    end: int
    data: bytes = field(repr=False)
    is_packed: bool
    read: int
    """Bytes of the file that were read so far, as they lie on the disk."""


@dataclass
class DumpFile:
    """One file of a dump."""

    path: Path
    number: int = 0
    warnings: list[str] = field(default_factory=list)
    """What is wrong with the file; filled while it is read."""

    def __post_init__(self) -> None:
        if not self.path.is_file():
            raise DataError("There is no such file; check the path.", file=self.path)
        check_magic(self.path)
        self.size = self.path.stat().st_size
        with open_source(self.path) as source:
            header = source.read(_HEADER)
        before = header.partition(PAGE)[0]
        self.site: Site = read_site(before, self.path)
        self.is_multistream = self._begins_with_header_stream()

    def _begins_with_header_stream(self) -> bool:
        """Whether the first bz2 stream ends before the first page and another one follows."""
        with self.path.open("rb") as raw:
            head = raw.read(_HEADER)
        if not re.match(STREAM, head):
            return False
        unpacker = bz2.BZ2Decompressor()
        try:
            text = unpacker.decompress(head, _HEADER)
        except OSError:
            return False
        follows = re.match(STREAM, unpacker.unused_data) if unpacker.eof else None
        return follows is not None and PAGE not in text

    def pieces(self, finished: Mapping[int, int]) -> Iterator[Piece]:
        """Return the pieces in order but for the finished ones, known by where they begin and end."""
        return self._streams(finished) if self.is_multistream else self._cuts(finished)

    def _cuts(self, finished: Mapping[int, int]) -> Iterator[Piece]:
        with open_source(self.path) as source:
            at, held = 0, b""
            while True:
                if at in finished:
                    length = finished[at] - at
                    source.skip(max(0, length - len(held)))
                    at, held = at + length, held[length:]
                    continue
                held += source.read(PIECE - len(held))
                end, held = self._cut(held, source)
                if not end:
                    break
                yield Piece(self.number, at, at + end, held[:end], False, source.place())
                at, held = at + end, held[end:]
            self._check_rest(held, source, at)

    def _cut(self, held: bytes, source: ByteSource) -> tuple[int, bytes]:
        """Return where the last whole page ends, reading on until there is one, and what is held now; 0 at the end."""
        while True:
            end = held.rfind(PAGE_END)
            if end >= 0:
                return end + len(PAGE_END), held
            if len(held) > LONGEST:
                self.warnings.append(f"{self.path.name} has a page of more than {LONGEST:,} bytes, which is left out.")
                return len(held) - len(PAGE_END), held
            fresh = source.read(PIECE)
            if not fresh:
                return 0, held
            held += fresh

    def _check_rest(self, rest: bytes, source: ByteSource, at: int) -> None:
        if source.failure:
            self.warnings.append(
                f"{self.path.name} is damaged or truncated: {source.failure}. All pages before are kept."
            )
        elif not rest.strip().startswith(b"</mediawiki>"):
            what = "in the middle of a page" if PAGE in rest else "without </mediawiki>"
            message = f"{self.path.name} ends {what}, at byte {at + len(rest):,} of its XML; it is truncated"
            self.warnings.append(f"{message}. All {'whole ' if PAGE in rest else ''}pages are kept.")

    def _streams(self, finished: Mapping[int, int]) -> Iterator[Piece]:
        at = 0
        while at < self.size:
            if at in finished:
                at = finished[at]
                continue
            data = self._stream_run(at)
            yield Piece(self.number, at, at + len(data), data, True, at + len(data))
            at += len(data)

    def _stream_run(self, begin: int) -> bytes:
        """Read whole streams of some length together; the next piece begins where a stream does."""
        with self.path.open("rb") as raw:
            raw.seek(begin)
            data = raw.read(PACKED_PIECE)
            searched = len(data)
            while len(data) < LONGEST:
                found = re.compile(STREAM).search(data, max(1, searched - 10))
                if found and found.start() >= min(PACKED_PIECE - 10, searched):
                    return data[: found.start()]
                searched = len(data)
                fresh = raw.read(PACKED_PIECE)
                if not fresh:
                    return data
                data += fresh
        return data
