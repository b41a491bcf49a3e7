"""Compressed files: unpacked as far as a document may be long."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable
from pathlib import PurePath
from typing import Any

from sector.errors import DataError

MOST_BYTES = 500_000_000
SUFFIXES = (".gz", ".bz2", ".xz", ".lzma")
OPENERS: tuple[tuple[bytes, str, Callable[[io.BytesIO], Any]], ...] = (
    (b"\x1f\x8b", "gzip", lambda packed: gzip.GzipFile(fileobj=packed)),
    (b"BZh", "bzip2", bz2.BZ2File),
    (b"\xfd7zXZ\x00", "xz", lzma.LZMAFile),
)
BROKEN = (EOFError, OSError, lzma.LZMAError, zlib.error, ValueError)


def unpack(content: bytes) -> bytes:
    """Return the bytes of a compressed file; those of another as they are."""
    for magic, name, opener in OPENERS:
        if content.startswith(magic):
            try:
                with opener(io.BytesIO(content)) as stream:
                    found: bytes = stream.read(MOST_BYTES + 1)
            except BROKEN as error:
                raise DataError(f"This {name} file is broken ({error}); fetch or pack it again.") from error
            if len(found) > MOST_BYTES:
                raise DataError(f"This {name} file unpacks to more than {MOST_BYTES:,} bytes; it is not read.")
            return found
    return content


def bare_name(name: str) -> str:
    """Return a file's name without an ending for compression."""
    path = PurePath(name)
    return str(path.with_suffix("")) if path.suffix.lower() in SUFFIXES else name
