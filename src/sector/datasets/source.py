"""Where a data set lies: a file, a folder or an archive, compressed or not, seen as one run of entries.

Nothing is unpacked to disk: members of a `.tar.*` are read where they are. Folders are read in the order of
their paths, archives in their own order, one member at a time.
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from sector.compression import bare_name, damage_explained, unpacked
from sector.errors import DataError
from sector.files import open_file
from sector.values import is_there

LARGEST = 1 << 28
"""Bytes of an archive's member and characters of a line that are read at once; no document is longer."""
_ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".txz")


@dataclass(frozen=True)
class DatasetFile:
    """One file of a data set."""

    name: str
    """Its path inside the source, with ``/``."""
    place: str
    """What an error message calls it."""
    open: Callable[[], BinaryIO]

    @property
    def stem(self) -> str:
        """The name without endings for compression."""
        return bare_name(self.name)

    def lines(self) -> Iterator[str]:
        """Return the lines without their line ends, decoded from UTF-8."""
        with self.text() as stream:
            while line := stream.readline(LARGEST):
                if len(line) == LARGEST:
                    raise DataError(f"A line has more than {LARGEST:,} characters; break it.", file=self.place)
                yield line.rstrip("\r\n")

    @contextmanager
    def text(self) -> Iterator[io.TextIOWrapper]:
        """Open the entry as text; bytes that are not UTF-8 and broken compression raise a `DataError`."""
        with explained(self.place), self.open() as raw:
            yield io.TextIOWrapper(unpacked(raw), encoding="utf-8-sig")

    def first_lines(self, limit: int = 50) -> list[str]:
        """Return some lines from the beginning, to see what the entry is."""
        return [line for line, _ in zip(self.lines(), range(limit), strict=False)]


@dataclass(frozen=True)
class DatasetPath:
    """A data set's path and the entries that lie there."""

    path: Path

    def __post_init__(self) -> None:
        if not is_there(self.path):
            raise DataError("There is no such file or folder; check the path.", file=self.path)
        if self.path.is_file() and self.path.stat().st_size == 0:
            raise DataError("The file is empty.", file=self.path)

    @property
    def is_archive(self) -> bool:
        """Whether the path is a `.tar.*` file."""
        return self.path.is_file() and self.path.name.lower().endswith(_ARCHIVES)

    def entries(self) -> Iterator[DatasetFile]:
        """Return every file but the hidden ones."""
        if self.path.is_dir():
            yield from self._folder_entries()
        elif self.is_archive:
            yield from self._archive_entries()
        else:
            yield DatasetFile(self.path.name, str(self.path), partial(open_file, self.path))

    def first(self) -> DatasetFile | None:
        """Return an entry that tells what the source is."""
        return next(self.entries(), None)

    def only(self) -> DatasetFile:
        """Return the one entry of a format that is a single file."""
        names = [entry.name for entry, _ in zip(self.entries(), range(3), strict=False)]
        if len(names) != 1:
            some = ", ".join(names) or "nothing"
            raise DataError(f"One file is expected, but there is {some}; name one file.", file=self.path)
        return next(self.entries())

    def _folder_entries(self) -> Iterator[DatasetFile]:
        for path in self._paths:
            yield DatasetFile(path.relative_to(self.path).as_posix(), str(path), partial(open_file, path))

    @cached_property
    def _paths(self) -> list[Path]:
        names = [(path.relative_to(self.path).as_posix(), path) for path in self.path.rglob("*")]
        return [path for name, path in sorted(names) if not _is_hidden(name) and path.is_file()]

    def _archive_entries(self) -> Iterator[DatasetFile]:
        with explained(self.path), tarfile.open(self.path) as archive:
            for member in archive:
                if member.isfile() and not _is_hidden(member.name):
                    place = f"{self.path}/{member.name}"
                    if member.size > LARGEST:
                        raise DataError(
                            f"It has {member.size:,} bytes; a document has at most {LARGEST:,}.", file=place
                        )
                    content = cast("BinaryIO", archive.extractfile(member)).read()
                    yield DatasetFile(member.name.removeprefix("./"), place, partial(io.BytesIO, content))


def _is_hidden(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return any(part.startswith((".", "__MACOSX")) and part not in (".", "..") for part in parts)


@contextmanager
def explained(place: object) -> Iterator[None]:
    """Turn what Python raises for broken files into a `DataError` that names the file."""
    try:
        with damage_explained(place):
            yield
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise DataError(f"The file is not UTF-8 (byte 0x{byte:02x}); convert it first.", file=place) from error
    except tarfile.TarError as error:
        raise DataError(f"The archive is truncated or damaged ({error}); fetch it again.", file=place) from error
