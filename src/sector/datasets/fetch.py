"""Fetch a public data set by name: download, check, unpack."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from sector.atomic import write_text
from sector.datasets.download import MOST, DownloadProgress, download
from sector.datasets.registry import PUBLIC_DATA, PublicData
from sector.datasets.source import explained
from sector.datasets.targets import replacing
from sector.digests import file_digest
from sector.errors import ConfigError, DownloadError


def fetch(
    name: str,
    output: Path,
    *,
    base_url: str = "",
    sha256: str = "",
    progress: DownloadProgress = lambda done, total: None,
    tries: int = 5,
    wait: float = 1.0,
) -> Path:
    """Download and unpack a data set into ``output/<name>`` and return that folder; files that exist are only verified.

    The archive stays beside the folder with its checksum in ``<archive>.sha256``, which the next call checks.
    """
    if name not in PUBLIC_DATA:
        raise ConfigError(f"There is no data set '{name}' to fetch; choose one of {', '.join(PUBLIC_DATA)}.")
    data = PUBLIC_DATA[name]
    output.mkdir(parents=True, exist_ok=True)
    archive, folder = output / data.file, output / name
    expected = sha256 or _recorded(archive) or data.sha256
    if archive.exists():
        _check(archive, expected)
    else:
        url = f"{base_url.rstrip('/')}/{data.file}" if base_url else data.url
        found = download(url, archive, expected, progress=progress, tries=tries, wait=wait)
        write_text(_record(archive), f"{found}  {archive.name}\n")
    if not folder.exists():
        _unpack(archive, folder, data)
    return folder


def _record(archive: Path) -> Path:
    return archive.with_name(f"{archive.name}.sha256")


def _recorded(archive: Path) -> str:
    record = _record(archive)
    words = record.read_text(encoding="utf-8", errors="replace").split() if record.exists() else []
    return words[0] if archive.exists() and words else ""


def _check(archive: Path, expected: str) -> None:
    found = file_digest(archive)
    if expected and found != expected.lower():
        message = f"{archive} has the SHA-256 {found}, but {expected} is expected"
        raise DownloadError(f"{message}; remove it and fetch it again.")
    write_text(_record(archive), f"{found}  {archive.name}\n")


def _unpack(archive: Path, folder: Path, data: PublicData) -> None:
    with replacing(folder) as draft, explained(archive), tarfile.open(archive) as packed:
        draft.mkdir()
        packed.extractall(draft, members=_members(packed, data.folder), filter="data")
        if not any(draft.iterdir()):
            wanted = data.folder or "any file"
            raise DownloadError(f"{archive} does not hold {wanted}; its publisher has changed it.")


def _members(packed: tarfile.TarFile, folder: str) -> Iterator[tarfile.TarInfo]:
    """Return the members under a folder of the archive, named from there on."""
    wanted = PurePosixPath(folder).parts if folder else ()
    size = 0
    for member in packed:
        size += member.size
        if size > MOST:
            raise DownloadError(f"The archive unpacks to more than {MOST:,} bytes, like a bomb; it is not unpacked.")
        parts = PurePosixPath(member.name).parts
        # An archive of a repository has one folder around everything, named after a commit.
        inner = parts[1:] if wanted else parts
        if inner[: len(wanted)] == wanted and inner[len(wanted) :]:
            yield member.replace(name="/".join(inner[len(wanted) :]), deep=False)
