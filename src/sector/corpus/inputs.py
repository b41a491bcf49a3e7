"""From what a user names to sources: files, folders, corpora, standard input."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

from sector.corpus.base import Problem, Source
from sector.corpus.documents import DocumentFiles, StandardInput, folder_files, named_files
from sector.corpus.records import LINES, PARQUET, Fields, Records, suffix
from sector.corpus.walking import Walk
from sector.errors import ConfigError
from sector.reading import SUFFIXES
from sector.reading.decoding import UTF8, check_encoding

STDIN = "-"


@dataclass(frozen=True, slots=True)
class InputOptions:
    """How inputs are read."""

    encoding: str | None = None
    """None: it is found for each."""
    fields: Fields = field(default_factory=Fields)
    output: Path | None = None
    """Where results go, so that they are not read as documents."""
    corpora: bool = False
    """Whether corpora in folders are read, record by record."""


def find_sources(names: Sequence[str], options: InputOptions) -> list[Source | Problem]:
    """Return a source for each run of files, each folder and each corpus, in order; what is not there is a problem."""
    encoding = None if options.encoding is None else check_encoding(options.encoding)
    found: list[Source | Problem] = []
    for kind, group in groupby(names, key=_kind):
        if kind == "file":
            found.append(named_files([Path(name) for name in group], encoding))
        elif kind == "missing":
            found += [Problem(name, "There is no such file or folder; check the path.") for name in group]
        elif kind == "json":
            found += [Problem(name, "A JSON file is no text; `sector data convert` makes it .jsonl.") for name in group]
        else:
            found += _each(kind, group, encoding, options)
    return found


def _kind(name: str) -> str:
    path = Path(name)
    if name == STDIN:
        return "stdin"
    if path.is_dir():
        return "folder"
    if not path.exists():
        return "missing"
    if suffix(path) in (*LINES, *PARQUET):
        return "corpus"
    return "json" if suffix(path) == ".json" else "file"


def _each(kind: str, names: Iterator[str], encoding: str | None, options: InputOptions) -> Iterator[Source | Problem]:
    for name in names:
        if kind == "stdin":
            yield StandardInput(encoding)
        elif kind == "corpus":
            yield Records(Path(name), options.fields, encoding or UTF8)
        else:
            yield from _folder(Path(name), encoding, options)


def _folder(folder: Path, encoding: str | None, options: InputOptions) -> Iterator[Source | Problem]:
    """Return the documents in a folder and below, then its corpora, each in the order of their paths."""
    without = options.output.resolve() if options.output is not None else None
    if without == folder.resolve():
        raise ConfigError(f"The results would lie among the documents of {folder}; choose another --output.")
    more = (*LINES, *PARQUET) if options.corpora else ()
    walk = Walk(folder, without, more)
    paths = sorted(walk.files())
    corpora = [path for path in paths if suffix(path) in more]
    found: list[DocumentFiles | Records] = []
    if len(corpora) < len(paths):
        found.append(folder_files(folder, (path for path in paths if suffix(path) not in more), encoding))
    found += [Records(path, options.fields, encoding or UTF8, folder) for path in corpora]
    if not found:
        known = ", ".join([*SUFFIXES, *more])
        yield Problem(str(folder), f"There is no document in this folder: no file ends in {known}.")
        return
    yield replace(found[0], skipped=+walk.skipped)
    yield from found[1:]
