"""Segment many documents on this machine: in this process, or in several of them side by side, in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from sector.blas import one_thread
from sector.corpus.languages import by_model
from sector.document import Document
from sector.errors import ConfigError
from sector.output.base import Format
from sector.processes import WorkerPool
from sector.text.language import detect_language

if TYPE_CHECKING:
    from sector.runtime import Model

BATCH = 32
"""Documents that a worker gets at once."""
Rendered = tuple[str, str]
"""A document's id and what is written of it."""


@dataclass(frozen=True, kw_only=True)
class SegmentOptions:
    """The options of ``Model.segment_all`` that can be sent to another process."""

    segmentation: str | None = None
    granularity: float | None = None
    sections: int | None = None
    labels: str | dict[str, str] | None = None
    merge: bool = False
    max_chars: int | None = None
    min_chars: int | None = None
    headings: str | None = None

    def options(self) -> dict[str, Any]:
        """Return the keyword arguments of ``Model.segment_all``."""
        return {field.name: getattr(self, field.name) for field in fields(SegmentOptions)}


@dataclass(frozen=True)
class Job(SegmentOptions):
    """What is done with each document; it can be sent to another process."""

    model: str | Path
    format: Format
    by_language: bool = False
    """Whether a document in another language than the model's gets the model of its language."""

    def load(self) -> Model:
        """Load the model and check the options."""
        from sector.runtime import load

        model = load(self.model)
        model.segment_all([], **self.options())
        return model

    def run(self, model: Model, documents: Iterable[Document]) -> Iterator[Rendered]:
        """Segment the documents and show them."""
        for chosen, group in by_model(documents, model, self.by_language):
            for document in chosen.segment_all(group, batch_size=BATCH, **self.options()):
                yield document.id, self.format.render(document)


class LocalEngine:
    """Runs a job with ``workers`` processes; with one, in this process. To be used in a ``with`` statement."""

    def __init__(self, job: Job, workers: int = 1) -> None:
        if workers < 1:
            raise ConfigError(f"'workers' is {workers}; it must be at least 1.")
        self._job, self._workers = job, workers
        self.model = job.load()
        self._pool: WorkerPool | None = None
        self.unknown: Counter[str] = Counter()
        """Documents in languages that no model at hand was trained on."""

    def __enter__(self) -> Self:
        if self._workers > 1:
            self._pool = WorkerPool(self._workers, _begin, (self._job,)).__enter__()
        return self

    def __exit__(self, failed: type[BaseException] | None, *rest: object) -> None:
        if self._pool is not None:
            self._pool.__exit__(failed, *rest)

    def run(self, documents: Iterable[Document]) -> Iterator[Rendered]:
        """Return what is written of each document, in order."""
        documents = map(self._with_language, documents)
        if self._pool is None:
            with one_thread():
                yield from self._job.run(self.model, documents)
            return
        for _, rendered in self._pool.map(_work, _batches(iter(documents))):
            yield from rendered

    def _with_language(self, document: Document) -> Document:
        """Find a document's language where that decides about its model, and count those without one."""
        from sector.runtime import is_supported

        language = document.language or detect_language(document.text)
        own = self.model.config.language
        known = is_supported(language) if self._job.by_language else language in ("", own) or not own
        self.unknown[language] += not known
        return replace(document, language=language) if self._job.by_language and not document.language else document


def _batches(documents: Iterator[Document]) -> Iterator[list[Document]]:
    while batch := list(islice(documents, BATCH)):
        yield batch


_job: Job
_model: Model


def _begin(job: Job) -> None:
    """Load the model once per process."""
    global _job, _model
    _job, _model = job, job.load()


def _work(documents: list[Document]) -> list[Rendered]:
    return list(_job.run(_model, documents))
