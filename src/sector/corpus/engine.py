"""Segment many documents on this machine: in this process, or in several of them side by side, in order."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from sector.document import Document
from sector.errors import ConfigError, SectorError
from sector.output.base import Format

if TYPE_CHECKING:
    from sector.runtime import Model

BATCH = 32
"""Documents that a worker gets at once."""
AHEAD = 2
"""Batches per worker that wait, so that none is idle and memory stays bounded."""
Rendered = tuple[str, str]
"""A document's id and what is written of it."""


@dataclass(frozen=True, slots=True)
class Job:
    """What is done with each document; it can be sent to another process."""

    model: str | Path
    format: Format
    segmentation: str | None = None
    granularity: float | None = None
    merge: bool = False
    max_chars: int | None = None
    min_chars: int | None = None

    def load(self) -> Model:
        """Load the model and check the options."""
        from sector.runtime import load

        model = load(self.model)
        model.segment_all([], **self.options())
        return model

    def options(self) -> dict[str, Any]:
        """Return the keyword arguments of ``Model.segment_all``."""
        names = ("segmentation", "granularity", "merge", "max_chars", "min_chars")
        return {name: getattr(self, name) for name in names}

    def run(self, model: Model, documents: Iterable[Document]) -> Iterator[Rendered]:
        """Segment the documents and show them."""
        for document in model.segment_all(documents, batch_size=BATCH, **self.options()):
            yield document.id, self.format.render(document)


class LocalEngine:
    """Runs a job with ``workers`` processes; with one, in this process. To be used in a ``with`` statement."""

    def __init__(self, job: Job, workers: int = 1) -> None:
        if workers < 1:
            raise ConfigError(f"'workers' is {workers}; it must be at least 1.")
        self._job, self._workers = job, workers
        self.model = job.load()
        self._pool: ProcessPoolExecutor | None = None
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        if self._workers > 1:
            context = get_context("spawn")
            self._pool = ProcessPoolExecutor(self._workers, context, initializer=_start, initargs=(self._job,))
            self._stack.callback(self._pool.shutdown, cancel_futures=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def run(self, documents: Iterable[Document]) -> Iterator[Rendered]:
        """Return what is written of each document, in order."""
        if self._pool is None:
            return self._job.run(self.model, documents)
        return self._side_by_side(self._pool, iter(documents))

    def _side_by_side(self, pool: ProcessPoolExecutor, documents: Iterator[Document]) -> Iterator[Rendered]:
        waiting: deque[Future[list[Rendered]]] = deque()
        try:
            while True:
                while len(waiting) < AHEAD * self._workers and (batch := list(islice(documents, BATCH))):
                    waiting.append(pool.submit(_work, batch))
                if not waiting:
                    return
                yield from waiting.popleft().result()
        except BrokenProcessPool as error:
            raise SectorError("A worker process was ended, perhaps for want of memory; use fewer --workers.") from error


_job: Job
_model: Model


def _start(job: Job) -> None:
    """Load the model once per process; Ctrl-C is the main process's to handle."""
    global _job, _model
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _job, _model = job, job.load()


def _work(documents: list[Document]) -> list[Rendered]:
    return list(_job.run(_model, documents))
