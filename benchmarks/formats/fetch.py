"""Fetch the documents that `files.tsv` lists out of packages of Debian, PyPI and npm into a folder.

Debian's packages are those of the release that this machine runs (`apt-get download`); those of PyPI and npm have their
versions in the list (archives; nothing of them is installed or run). Files that are there already are not fetched
again.
"""

from __future__ import annotations

import csv
import gzip
import html
import io
import os
import re
import subprocess
import tarfile
import tempfile
import urllib.request
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin

from sector.atomic import replacing

LIST = Path(__file__).with_name("files.tsv")
INDEX = os.environ.get("PIP_INDEX_URL", "https://pypi.org/simple")
LINK = re.compile(r'href="([^"]+)"[^>]*>\s*([^<\s]+)\s*<')


@dataclass(frozen=True, slots=True)
class File:
    """A document, and where it comes from."""

    name: str
    format: str
    genre: str
    kind: str
    package: str
    path: str


def listed() -> list[File]:
    """Return all documents of the list."""
    with LIST.open(encoding="utf-8", newline="") as lines:
        return [File(**row) for row in csv.DictReader(lines, delimiter="\t")]


def fetch(folder: Path) -> list[tuple[File, Path]]:
    """Return all documents of the list with their places in a folder; those that are not there yet are fetched."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted: dict[tuple[str, str], list[File]] = defaultdict(list)
    for file in listed():
        if not (folder / file.name).exists():
            wanted[file.kind, file.package].append(file)
    for (kind, package), files in wanted.items():
        top, packed = ARCHIVES[kind](package)
        for file, content in _members(packed, top, files):
            with replacing(folder / file.name) as draft:
                draft.write_bytes(content)
    return [(file, folder / file.name) for file in listed()]


def _debian(package: str) -> tuple[str, bytes]:
    """Return the folder that a package's files lie in, and the archive of them."""
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(["apt-get", "download", "-qq", package], cwd=place, check=True, stderr=subprocess.DEVNULL)
        (archive,) = Path(place).glob("*.deb")
        packed = subprocess.run(["dpkg-deb", "--fsys-tarfile", archive], check=True, stdout=subprocess.PIPE).stdout
    return "./", packed


def _pypi(package: str) -> tuple[str, bytes]:
    name, _, version = package.partition("==")
    page = f"{INDEX.rstrip('/')}/{name}/"
    ending = f"-{version}.tar.gz"
    links = LINK.findall(_get(page).decode())
    address = next(urljoin(page, html.unescape(link)) for link, title in links if title.endswith(ending))
    return _unpacked(_get(address.partition("#")[0]))


def _npm(package: str) -> tuple[str, bytes]:
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(["npm", "pack", "--silent", package], cwd=place, check=True, stdout=subprocess.DEVNULL)
        (archive,) = Path(place).glob("*.tgz")
        return _unpacked(archive.read_bytes())


ARCHIVES = {"debian": _debian, "pypi": _pypi, "npm": _npm}


def _unpacked(archive: bytes) -> tuple[str, bytes]:
    packed = gzip.decompress(archive)
    with tarfile.open(fileobj=io.BytesIO(packed)) as found:
        return f"{found.getnames()[0].partition('/')[0]}/", packed


def _members(packed: bytes, top: str, files: Iterable[File]) -> Iterator[tuple[File, bytes]]:
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for file in files:
            stream = archive.extractfile(top + file.path)
            assert stream is not None, file.path
            content = stream.read()
            yield file, gzip.decompress(content) if file.path.endswith(".gz") else content


def _get(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=120) as answer:
        return bytes(answer.read())
