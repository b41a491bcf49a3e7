"""A run over sources that leaves its results in a folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from sector import __version__
from sector.corpus.base import Problem, Source
from sector.corpus.engine import Job, LocalEngine
from sector.corpus.results import ResultsFile, write_whole
from sector.errors import ConfigError
from sector.runtime.fingerprint import model_fingerprint

Found = TypeVar("Found")
LINES = ".jsonl"


def readable(found: Iterable[Found | Problem], problems: list[Problem]) -> Iterator[Found]:
    """Yield what can be read and collect the problems."""
    for item in found:
        if isinstance(item, Problem):
            problems.append(item)
        else:
            yield item


@dataclass
class FolderRun:
    """Writes the results of sources into a folder: a file per document, or for lines one file per source."""

    engine: LocalEngine
    job: Job
    folder: Path
    overwrite: bool = False
    inputs: Mapping[str, Any] = field(default_factory=dict)
    """How the documents are read, as far as their texts depend on it."""
    problems: list[Problem] = field(default_factory=list)
    continued: dict[Path, int] = field(default_factory=dict)
    """Files that were there, and how many documents were in them."""

    def check(self, sources: Sequence[Source]) -> None:
        """Refuse results that cannot be written, or that would get the same name, before anything is done."""
        taken: dict[Path, str] = {}
        for source in sources:
            for target, origin in self._targets(source):
                if target in taken:
                    both = f"{taken[target]} and {origin}"
                    raise ConfigError(f"{both} would both be written to {target}; run them with folders of their own.")
                taken[target] = origin

    def write(self, source: Source) -> Iterator[Path]:
        """Return for each document, once it is written, the file that it is in."""
        return self._lines(source) if self.job.format.suffix == LINES else self._files(source)

    def _targets(self, source: Source) -> Iterator[tuple[Path, str]]:
        if self.job.format.suffix == LINES:
            yield self._lines_path(source), source.name
        elif source.is_corpus:
            raise ConfigError(f"The results of a corpus ({source.name}) are lines; leave --format out or use jsonl.")
        else:
            for origin in source.names():
                yield self._file_path(source, origin), origin

    def _lines_path(self, source: Source) -> Path:
        return self.folder / f"{source.name}{LINES}"

    def _file_path(self, source: Source, document_id: str) -> Path:
        return self.folder / f"{source.target(document_id)}{self.job.format.suffix}"

    def _files(self, source: Source) -> Iterator[Path]:
        frame = self.job.format.frame(False)
        for document_id, text in self.engine.run(readable(source.documents(), self.problems)):
            path = self._file_path(source, document_id)
            write_whole(path, frame.before + text + frame.after)
            yield path

    def _lines(self, source: Source) -> Iterator[Path]:
        path = self._lines_path(source)
        with ResultsFile(path, self._options(), overwrite=self.overwrite) as results:
            remaining = results.remaining(source.documents())
            for _, line in self.engine.run(readable(remaining, self.problems)):
                results.append(line)
                yield path
        if results.found:
            self.continued[path] = results.found

    def _options(self) -> dict[str, Any]:
        """Return what the results depend on beside the documents."""
        model = self.engine.model
        made_by = {"version": __version__, "model": model.name, "fingerprint": model_fingerprint(model.folder)}
        return made_by | self.job.options() | dict(self.inputs)
