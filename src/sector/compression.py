"""gzip, bz2 and xz: told apart by the first bytes when reading, by the name when writing."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from sector.errors import DataError
from sector.files import open_file

SUFFIXES = (".gz", ".bz2", ".xz")
DAMAGE = (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile)
"""What Python raises for damaged data; bz2 raises an OSError without a number."""
_OPENERS: dict[bytes, Callable[[BinaryIO], Any]] = {
    b"\x1f\x8b": lambda raw: gzip.GzipFile(fileobj=raw),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
}


def bare_name(name: str) -> str:
    """Return a file's name without the ending that says its compression."""
    return name[: -len(Path(name).suffix)] if name.lower().endswith(SUFFIXES) else name


def is_packed(raw: BinaryIO) -> bool:
    """Whether a file that is at its beginning is compressed in a way that is read here."""
    return _opener(raw) is not None


def unpacked(raw: BinaryIO) -> BinaryIO:
    """Return a file that is at its beginning as its unpacked bytes; one that is not compressed as it is."""
    opener = _opener(raw)
    return raw if opener is None else cast("BinaryIO", opener(raw))


def packed(raw: BinaryIO, name: str) -> BinaryIO:
    """Return what compresses into an open file as the name's ending says; equal content gives equal bytes."""
    match Path(name).suffix.lower():
        case ".gz":
            return cast("BinaryIO", gzip.GzipFile("", "wb", fileobj=raw, mtime=0))
        case ".bz2":
            return cast("BinaryIO", bz2.BZ2File(raw, "wb"))
        case ".xz":
            return cast("BinaryIO", lzma.LZMAFile(raw, "wb"))
        case _:
            return raw


@contextmanager
def open_unpacked(path: Path) -> Iterator[BinaryIO]:
    """Open a regular file as its unpacked bytes; damage raises DataError with the file's name."""
    with damage_explained(path), open_file(path) as raw:
        yield unpacked(raw)


@contextmanager
def damage_explained(place: object) -> Iterator[None]:
    """Turn what Python raises for damaged compression into a DataError that names the file."""
    try:
        yield
    except DAMAGE as error:
        raise DataError(f"The file is truncated or damaged ({error}); fetch it again.", file=place) from error
    except OSError as error:
        if error.errno is not None:
            raise
        raise DataError(f"The file is damaged ({error}); fetch it again.", file=place) from error


def _opener(raw: BinaryIO) -> Callable[[BinaryIO], Any] | None:
    head = raw.read(6)
    raw.seek(0)
    return next((opener for magic, opener in _OPENERS.items() if head.startswith(magic)), None)
