"""Plain texts: files, the files of a folder, standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from sector.corpus.base import Problem
from sector.document import Document
from sector.errors import DataError
from sector.reading.decoding import UTF8, decode

SUFFIXES = (".txt", ".text", ".md", ".markdown", ".rst")
"""The files of a folder that are read; a file that is named is read whatever it is called."""


@dataclass(frozen=True, slots=True)
class TextFiles:
    """Files with one document each."""

    name: str
    files: dict[Path, str]
    """Each file's path and what its results are called."""
    encoding: str = UTF8
    is_single: bool = False
    is_corpus: bool = field(default=False, init=False)

    @property
    def total(self) -> int:
        """As many documents as files."""
        return len(self.files)

    def documents(self) -> Iterator[Document | Problem]:
        """Read one file after the other."""
        for path in self.files:
            try:
                yield Document(decode(path.read_bytes(), self.encoding), id=str(path))
            except DataError as error:
                yield Problem(str(path), str(error))
            except OSError as error:
                yield Problem(str(path), f"{error.strerror or error}.")

    def names(self) -> Iterator[str]:
        """Return the files' paths."""
        return map(str, self.files)

    def target(self, document_id: str) -> str:
        """Keep a file's place in its folder."""
        return self.files[Path(document_id)]


@dataclass(frozen=True, slots=True)
class StandardInput:
    """The text that is piped in."""

    encoding: str = UTF8
    name: str = field(default="stdin", init=False)
    is_corpus: bool = field(default=False, init=False)
    is_single: bool = field(default=True, init=False)
    total: int = field(default=1, init=False)

    def documents(self) -> Iterator[Document | Problem]:
        """Read to the end."""
        try:
            yield Document(decode(sys.stdin.buffer.read(), self.encoding), id=self.name)
        except DataError as error:
            yield Problem(self.name, str(error))

    def names(self) -> Iterator[str]:
        """Return the one name."""
        yield self.name

    def target(self, document_id: str) -> str:
        """Call the results as the document."""
        return document_id


def named_files(paths: list[Path], encoding: str) -> TextFiles:
    """Make a source of files that were named; a file that is named twice is read once."""
    files = {path: path.name for path in paths}
    return TextFiles("documents", files, encoding, is_single=len(files) == 1)


def folder_files(folder: Path, encoding: str, without: Path | None = None) -> TextFiles:
    """Make a source of all texts in a folder and below, in the order of their paths; hidden ones are left out."""
    found = {path: path.relative_to(folder).as_posix() for path in sorted(_texts(folder, without))}
    return TextFiles(folder.resolve().name or "documents", found, encoding)


def _texts(folder: Path, without: Path | None) -> Iterator[Path]:
    for root, folders, files in os.walk(folder):
        place = Path(root)
        folders[:] = [name for name in folders if not name.startswith(".") and (place / name).resolve() != without]
        for name in files:
            if not name.startswith(".") and name.lower().endswith(SUFFIXES):
                yield place / name
