"""Documents of any format: files, the files of a folder, standard input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from sector.corpus.base import Problem
from sector.document import Document
from sector.errors import DataError, MissingExtraError
from sector.files import read_stdin
from sector.reading import document_of, file_bytes

UNREADABLE = (DataError, MissingExtraError)


@dataclass(frozen=True, slots=True)
class DocumentFiles:
    """Files with one document each."""

    name: str
    files: dict[Path, str]
    """Each file's path and what its results are called."""
    encoding: str | None = None
    is_single: bool = False
    is_corpus: bool = field(default=False, init=False)
    skipped: Mapping[str, int] = field(default_factory=dict)
    """How many files of a folder were left out, by the reason."""

    @property
    def total(self) -> int:
        """As many documents as files."""
        return len(self.files)

    def documents(self) -> Iterator[Document | Problem]:
        """Read one file after the other."""
        for path in self.files:
            try:
                yield document_of(file_bytes(path), str(path), encoding=self.encoding)
            except UNREADABLE as error:
                yield Problem(str(path), str(error).removeprefix(f"{path}: "))
            except RecursionError:
                yield Problem(str(path), "Its parts lie too deep inside of one another to be read.")

    def names(self) -> Iterator[str]:
        """Return the files' paths."""
        return map(str, self.files)

    def target(self, document_id: str) -> str:
        """Keep a file's place in its folder."""
        return self.files[Path(document_id)]


@dataclass(frozen=True, slots=True)
class StandardInput:
    """The document that is piped in."""

    encoding: str | None = None
    name: str = field(default="stdin", init=False)
    is_corpus: bool = field(default=False, init=False)
    is_single: bool = field(default=True, init=False)
    total: int = field(default=1, init=False)

    def documents(self) -> Iterator[Document | Problem]:
        """Read to the end."""
        try:
            content = read_stdin()
            yield replace(document_of(content, encoding=self.encoding), id=self.name)
        except UNREADABLE as error:
            yield Problem(self.name, str(error).removeprefix(f"{self.name}: "))

    def names(self) -> Iterator[str]:
        """Return the one name."""
        yield self.name

    def target(self, document_id: str) -> str:
        """Call the results as the document."""
        return document_id


def named_files(paths: list[Path], encoding: str | None) -> DocumentFiles:
    """Make a source of files that were named; a file that is named twice is read once."""
    files = {path: path.name for path in paths}
    return DocumentFiles("documents", files, encoding, is_single=len(files) == 1)


def folder_files(folder: Path, paths: Iterable[Path], encoding: str | None) -> DocumentFiles:
    """Make a source of documents that were found in a folder and below."""
    found = {path: path.relative_to(folder).as_posix() for path in paths}
    return DocumentFiles(folder.resolve().name or "documents", found, encoding)
