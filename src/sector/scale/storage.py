"""Where a corpus lies and where results go: a local path, or an address of any file system that fsspec knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from io import BufferedReader
from pathlib import Path
from secrets import token_hex
from typing import Any, BinaryIO, cast

from sector.atomic import replacing
from sector.errors import ConfigError, MissingExtraError
from sector.files import open_file

BUFFER = 1 << 20
"""Bytes that are fetched at once."""
WHOLE = ("s3", "s3a", "gs", "gcs", "abfs", "az", "adl", "oss", "memory")
"""File systems in which a file appears as a whole or not at all; in others it is moved to its place."""
VERSIONS = ("ETag", "etag", "md5Hash", "mtime", "LastModified", "last_modified", "created", "modificationTime")
"""What file systems call that which changes with a file."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file as it was found."""

    address: str
    """By which any machine opens it, if it sees it."""
    size: int
    version: str = ""
    """Changes with the content."""
    name: str = ""
    """As the user would name it."""


@dataclass(frozen=True)
class Storage:
    """A folder or a file at an address. It can be sent to another machine, which opens it anew."""

    address: str
    options: Mapping[str, Any] = field(default_factory=dict)
    """For fsspec, e.g. ``{"endpoint_url": …}`` for S3."""

    def __getstate__(self) -> dict[str, Any]:
        return {"address": self.address, "options": dict(self.options)}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)

    @cached_property
    def _opened(self) -> tuple[Any, str]:
        try:
            from fsspec.core import url_to_fs
        except ImportError as error:
            raise MissingExtraError("fsspec", "ray") from error
        try:
            system, path = url_to_fs(self.address, **self.options)
        except ImportError as error:
            raise ConfigError(f"{self.address} cannot be reached: {error}.") from error
        except ValueError as error:
            raise ConfigError(f"{self.address} is no address that fsspec knows: {error}.") from error
        except Exception as error:  # of any package
            raise ConfigError(f"{self.address} cannot be reached: {_first_line(error)}.") from error
        return _Reached(system, self.address), str(path)

    @property
    def is_local(self) -> bool:
        """Whether it is on this machine's disks, as far as its address says."""
        return "file" in self._protocols

    @property
    def _protocols(self) -> tuple[str, ...]:
        known = self._opened[0].protocol
        return (known,) if isinstance(known, str) else tuple(known)

    @property
    def resolved(self) -> str:
        """The address as any machine opens it."""
        return self._full(self._opened[1])

    def is_folder(self) -> bool:
        """Whether it is one."""
        system, path = self._opened
        return bool(system.isdir(path))

    def exists(self, name: str = "") -> bool:
        """Whether a file is there."""
        return bool(self._opened[0].exists(self._path(name)))

    def found(self) -> StoredFile:
        """Return size and version of the file; raises FileNotFoundError where there is none."""
        system, path = self._opened
        return _stored(self._full(path), self.address, system.info(path))

    def files(self) -> list[StoredFile]:
        """Return all files in the folder and below, or those that a pattern with ``*`` fits, in the order of names.

        What begins with a dot or an underscore, or lies in such a folder, is hidden.
        """
        system, path = self._opened
        path = path.rstrip("/")
        found = system.glob(path, detail=True) if "*" in path else system.find(path, detail=True)
        base = path.partition("*")[0].rpartition("/")[0] if "*" in path else path
        typed = self.address.partition("*")[0].rpartition("/")[0] if "*" in path else self.address.rstrip("/")
        rest = {name: name[len(base) :].lstrip("/") for name in sorted(found) if found[name]["type"] == "file"}
        shown = {name: own for name, own in rest.items() if not any(part[:1] in "._" for part in own.split("/"))}
        return [
            _stored(self._full(name), f"{typed}/{own}" if typed else own, found[name]) for name, own in shown.items()
        ]

    def names(self, folder: str) -> set[str]:
        """Return the names of the files in a folder below; none where there is no such folder."""
        system = self._opened[0]
        with suppress(FileNotFoundError):
            system.invalidate_cache()
            return {name.rpartition("/")[2] for name in system.ls(self._path(folder), detail=False)}
        return set()

    def open(self) -> BinaryIO:
        """Open the file for reading."""
        system, path = self._opened
        if self.is_local:
            return open_file(Path(path))
        return cast("BinaryIO", BufferedReader(system.open(path, "rb", block_size=4 * BUFFER), BUFFER))

    def read(self, name: str) -> bytes:
        """Return the content of a file below; raises FileNotFoundError where there is none."""
        return cast("bytes", self._opened[0].cat_file(self._path(name)))

    def read_all(self, names: Sequence[str]) -> dict[str, bytes]:
        """Return the contents of files below, several of which are fetched at once; missing ones are left out."""
        if not names:
            return {}
        system = self._opened[0]
        found = system.cat([self._path(name) for name in names], on_error="omit")
        found = found if isinstance(found, dict) else {self._path(names[0]): found}
        return {name: found[self._path(name)] for name in names if self._path(name) in found}

    def write(self, name: str, content: bytes) -> None:
        """Write a file below, whole or not at all."""
        with self._draft(name) as (system, draft):
            system.pipe_file(draft, content)

    def put(self, name: str, source: Path) -> None:
        """Copy a local file below, whole or not at all."""
        with self._draft(name) as (system, draft):
            system.put_file(str(source), draft)

    def remove(self, name: str) -> None:
        """Remove a file below, if it is there."""
        with suppress(FileNotFoundError):
            self._opened[0].rm_file(self._path(name))

    def clear(self, names: Sequence[str]) -> None:
        """Remove files and folders below, as far as they are there."""
        system = self._opened[0]
        for name in names:
            with suppress(FileNotFoundError):
                system.rm(self._path(name), recursive=True)

    @contextmanager
    def _draft(self, name: str) -> Iterator[tuple[Any, str]]:
        system, target = self._opened[0], self._path(name)
        if set(self._protocols) & set(WHOLE):
            yield system, target
            return
        if self.is_local:
            Path(target).parent.mkdir(parents=True, exist_ok=True)
            with replacing(Path(target)) as local:
                yield system, str(local)
            return
        folder, _, last = target.rpartition("/")
        draft = f"{folder}/.{last}.{token_hex(4)}.part"
        try:
            system.makedirs(folder, exist_ok=True)
            yield system, draft
            with suppress(FileNotFoundError):
                system.rm_file(target)
            system.mv(draft, target)
        except BaseException:
            with suppress(Exception):
                system.rm_file(draft)
            raise

    def _path(self, name: str) -> str:
        path = self._opened[1].rstrip("/")
        return f"{path}/{name}" if name else path

    def _full(self, path: str) -> str:
        return path if self.is_local else str(self._opened[0].unstrip_protocol(path))


class _Reached:
    """A file system of any package; what its functions raise is an OSError that names the address."""

    def __init__(self, system: Any, address: str) -> None:
        self._system, self._address = system, address

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._system, name)
        return partial(self._called, found) if callable(found) else found

    def _called(self, function: Any, *given: Any, **options: Any) -> Any:
        try:
            return function(*given, **options)
        except (OSError, NotImplementedError):
            raise
        except Exception as error:
            raise OSError(f"{self._address} cannot be reached: {_first_line(error)}.") from error


def _first_line(error: BaseException) -> str:
    """Return what an error says, in one line."""
    lines = str(error).strip().splitlines()
    return (lines[0] if lines else type(error).__name__).rstrip(".")


def _stored(address: str, name: str, info: Mapping[str, Any]) -> StoredFile:
    version = next((str(info[key]) for key in VERSIONS if info.get(key)), "")
    return StoredFile(address, int(info.get("size") or 0), version.strip('"'), name)
