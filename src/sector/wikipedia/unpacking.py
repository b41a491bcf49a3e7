"""Bytes of a file, unpacked: read forward in small steps, so that damage costs no more than what follows it."""

from __future__ import annotations

import bz2
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from sector.compression import DAMAGE, is_packed, unpacked
from sector.errors import DataError
from sector.files import open_file

STREAM = rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"
"""How each stream of a bz2 file begins; the second form is an empty one."""
_STEP = 1 << 16
_MOST = 1 << 28
"""A stream that unpacks to more is no piece of a dump."""
_REFUSED = {b"7z\xbc\xaf\x27\x1c": "7z", b"\x28\xb5\x2f\xfd": "zstd", b"PK\x03\x04": "zip"}


class ByteSource:
    """A file's bytes as they unpack; damage ends them, and the reason is kept in ``failure``."""

    def __init__(self, raw: BinaryIO) -> None:
        self.raw, self.failure = raw, ""
        self.stream: Any = unpacked(raw) if is_packed(raw) else None

    def read(self, length: int) -> bytes:
        """Return so many bytes, fewer at the end only."""
        if self.stream is None:
            return self.raw.read(max(0, length))
        parts = []
        while length > 0 and (part := self._step(min(length, _STEP))):
            parts.append(part)
            length -= len(part)
        return b"".join(parts)

    def _step(self, length: int) -> bytes:
        assert self.stream is not None
        try:
            part = self.stream.read1(length)
        except (OSError, *DAMAGE) as error:
            self.failure = str(error) or type(error).__name__
            return b""
        assert isinstance(part, bytes)
        return part

    def skip(self, length: int) -> None:
        """Skip this many bytes."""
        if self.stream is None:
            self.raw.seek(length, 1)
            return
        while length > 0 and (part := self._step(min(length, _STEP))):
            length -= len(part)

    def place(self) -> int:
        """Return how many bytes of the file itself were read."""
        return self.raw.tell()


@contextmanager
def open_source(path: Path) -> Iterator[ByteSource]:
    """Open a file as its unpacked bytes."""
    with open_file(path) as raw:
        yield ByteSource(raw)


def check_magic(path: Path) -> None:
    """Raise where a file is empty or packed in a way that is not read here."""
    with open_file(path) as raw:
        head = raw.read(8)
    if not head:
        raise DataError("The file is empty.", file=path)
    for magic, name in _REFUSED.items():
        if head.startswith(magic):
            raise DataError(f"The file is packed with {name}; unpack it first, or take the .bz2 file.", file=path)


def unpack_streams(data: bytes) -> tuple[bytes, list[str]]:
    """Unpack bz2 streams in a row and say what is wrong with those that are damaged; they are left out."""
    begins = [found.start() for found in re.finditer(STREAM, data)]
    parts, failures = [], []
    for begin, end in zip(begins, [*begins[1:], len(data)], strict=True):
        unpacker = bz2.BZ2Decompressor()
        try:
            parts.append(unpacker.decompress(data[begin:end], _MOST))
        except OSError as error:
            failures.append(str(error))
        else:
            if not unpacker.eof:
                failures.append("the stream is truncated")
    return b"".join(parts), failures
