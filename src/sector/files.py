"""Opening what users name: regular files, read to a bound, so that a pipe or a device never holds a run up."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from sector.errors import ConfigError, DataError

MOST = 1 << 30
"""Bytes that are read as one document; a longer file is no text that anybody wrote."""
MOST_OPTIONS = 1 << 28
PIECE = 1 << 20
_GIVEN = ("/dev/fd/", "/proc/self/fd/", "/dev/stdin")
"""What a shell hands over as a file, as ``<(command)`` does: it has a writer, so that reading comes to an end."""
_STREAMS = (*_GIVEN, "/dev/stdout", "/dev/stderr")
_KINDS = {stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}


def is_readable(path: Path) -> bool:
    """Whether a path is a regular file, or one that the shell opened."""
    return path.is_file() or (str(path).startswith(_GIVEN) and path.exists() and not path.is_dir())


def special(path: Path) -> str | None:
    """Return what a path is that is there and neither a file nor a folder; stdout goes by its name in ``/dev`` too."""
    if str(path).startswith(_STREAMS):
        return "a stream"
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return None
    return None if stat.S_ISREG(mode) or stat.S_ISDIR(mode) else _KINDS.get(stat.S_IFMT(mode), "no file")


def open_file(path: Path) -> BinaryIO:
    """Open a file for reading; raises DataError for pipes, sockets and devices, OSError for what is not there."""
    if not is_readable(path):
        kind = _KINDS.get(stat.S_IFMT(path.stat().st_mode))
        if kind is not None:
            raise DataError(f"This is {kind}, not a file; pipe its content in (-).", file=path)
    return path.open("rb")


def read_file(path: Path, most: int = MOST) -> bytes:
    """Return the bytes of a file; raises DataError where there are more than ``most``."""
    with open_file(path) as stream:
        return read_stream(stream, path, most)


def read_stdin() -> bytes:
    """Return what is piped in; raises DataError where standard input is closed, or longer than a document."""
    if sys.stdin is None:
        raise DataError("Standard input is closed; pipe a document in, or name a file.", file="stdin")
    return read_stream(sys.stdin.buffer, "stdin")


def read_options(path: Path) -> str:
    """Return the UTF-8 text of a small file that an option names; raises ConfigError for one that cannot be read."""
    try:
        return read_file(path, MOST_OPTIONS).decode("utf-8-sig")
    except (OSError, DataError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error


def bounded_lines(stream: BinaryIO, most: int) -> Iterator[bytes]:
    """Return the lines of a stream; of one that is longer than ``most`` bytes, that many and one more."""
    while line := stream.readline(most + 1):
        yield line
        if len(line) > most:
            while not line.endswith(b"\n") and (line := stream.readline(PIECE)):
                pass


def read_stream(stream: BinaryIO, place: object, most: int = MOST) -> bytes:
    """Return what is left in a stream; raises DataError where that is more than ``most`` bytes."""
    known = os.fstat(stream.fileno()).st_size if _has_number(stream) else 0
    content = stream.read(most + 1) if known <= most else b""
    if max(known, len(content)) > most:
        raise DataError(f"There are more than {most:,} bytes; split it into several documents.", file=place)
    return content


def _has_number(stream: BinaryIO) -> bool:
    try:
        stream.fileno()
    except (OSError, AttributeError):
        return False
    return True
