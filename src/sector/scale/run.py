"""A run over a corpus: plan it, leave out what is done, work on the rest, keep the books."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sector import __version__
from sector.corpus.records import Fields
from sector.errors import ConfigError
from sector.scale.engines import PartEngine, by_size
from sector.scale.ledger import Ledger
from sector.scale.parts import CorpusPart, divide, found_files, part_size
from sector.scale.results import check_format
from sector.scale.sources import PartReader
from sector.scale.storage import Storage, StoredFile
from sector.scale.tasks import DocumentTask
from sector.scale.totals import PartResult, RunSummary
from sector.scale.worker import PartJob

EVERY = 30.0
"""Seconds between two manifests."""
PartCallback = Callable[[PartResult, RunSummary], None]
"""Is called after each part, with all that is done so far."""


@dataclass
class CorpusRun:
    """One task over one corpus, from one storage to another."""

    inputs: Sequence[str]
    output: str
    task: DocumentTask
    engine: PartEngine
    format: str = "jsonl"
    fields: Fields = field(default_factory=Fields)
    encoding: str | None = None
    overwrite: bool = False
    part_bytes: int | None = None
    """About how many bytes a part has; None: what suits the corpus."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """For fsspec."""

    def run(self, tell: PartCallback | None = None) -> RunSummary:
        """Work on all parts that are not done and return what was done.

        Raises: ConfigError where the output was begun with other settings or inputs; SectorError where workers cannot
        be had.
        """
        begin, told = time.perf_counter(), time.perf_counter()
        summary = RunSummary(self.task.unit)
        for result in self._results(summary):
            summary.add(result)
            summary.seconds = time.perf_counter() - begin
            if tell is not None:
                tell(result, summary)
            if time.perf_counter() - told > EVERY:
                self._write_manifest(summary)
                told = time.perf_counter()
        summary.seconds = time.perf_counter() - begin
        self._ledger.forget_finished(self._done)
        self._ledger.gather_failures(self._done.values())
        self._write_manifest(summary)
        return summary

    def _results(self, summary: RunSummary) -> Iterator[PartResult]:
        """Return the results of parts as they come, after all is checked."""
        self._begin()
        summary.parts = len(self._parts)
        for result in self._done.values():
            summary.add(result, before=True)
        self._write_manifest(summary)
        waiting = by_size([part for part in self._parts if part.name not in self._done])
        if not waiting:
            return
        output = Storage(self._ledger.storage.resolved, self.options)
        job = PartJob(self.task, self._reader(), output, self.format)
        for result in self.engine.run(job, waiting):
            if not result.problem:
                self._done[result.part] = result
            yield result

    def _begin(self) -> None:
        check_format(self.format)
        self._ledger = Ledger(Storage(self.output, self.options))
        self.task.prepare()
        self._settings = self._made_by()
        if self.overwrite:
            self._ledger.clear()
        self._ledger.check(self._settings)
        files = self._files()
        planned = self._ledger.plan()
        self._ledger.check_files(planned, files)
        self._parts = self._planned(planned, files)
        names = {part.name for part in self._parts}
        self._done = {name: result for name, result in self._ledger.done().items() if name in names}

    def _files(self) -> list[StoredFile]:
        files = found_files(self.inputs, dict(self.options))
        below = Storage(self.output, self.options).resolved.rstrip("/") + "/"
        kept = [file for file in files if not file.address.startswith(below)]
        if not kept:
            raise ConfigError("The inputs are the results themselves; choose another --output.")
        return kept

    def _planned(self, before: list[CorpusPart], files: Sequence[StoredFile]) -> list[CorpusPart]:
        """Return the parts of the plan, and new ones for files that it does not have."""
        known = {file.address for part in before for file in part.files}
        new = [file for file in files if file.address not in known]
        if new:
            size = self.part_bytes or part_size(sum(file.size for file in files))
            before = before + list(divide(new, size, self.fields, dict(self.options)))
            self._ledger.write_plan(before)
        return before

    def _made_by(self) -> dict[str, Any]:
        inputs = {"encoding": self.encoding or "detected", "text_field": self.fields.text, "id_field": self.fields.id}
        return {"version": __version__, "format": self.format} | self.task.settings() | inputs

    def _reader(self) -> PartReader:
        return PartReader(self.fields, self.encoding, dict(self.options))

    def _write_manifest(self, summary: RunSummary) -> None:
        self._ledger.write_manifest(self._settings, self._parts, set(self._done), summary)
