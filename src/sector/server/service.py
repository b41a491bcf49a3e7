"""What one worker process holds: its models, its queue, its figures."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from sector.chunks import Packer
from sector.chunks.names import tokenizer_named
from sector.document import Document
from sector.runtime import Model, load
from sector.server.answers import json_bytes
from sector.server.batching import Batcher, Timing
from sector.server.errors import UnknownModelError
from sector.server.metrics import Metrics
from sector.server.own_labels import as_labels
from sector.server.readings import Readers, ReadingTask
from sector.server.rendering import chunk_record, record
from sector.server.requests import Asked
from sector.server.schemas import ChunkOptions, Options
from sector.server.settings import Settings, model_names
from sector.server.sources import Uploads

PROBE = "The harbour froze in winter. Ferries could not sail. Doctors treat the fever with rest."
HEALTHY_FOR = 1.0
"""Seconds for which an answer of the health check holds, so that nobody can keep the models busy with it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes back to a client."""

    records: list[bytes]
    """A JSON object for each document."""
    timing: Timing
    model: str
    """The name of the one that answered."""


class Service:
    """Loads every configured model at once, so that no request ever opens a file."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.models: dict[str, Model] = {name: load(place) for name, place in model_names(settings).items()}
        self.default = next(iter(self.models))
        self.readers = Readers(self.models, settings.cache_bytes, self.metrics)
        self.uploads = Uploads(settings)
        self.batcher: Batcher[ReadingTask, bytes] = Batcher(self._records, settings, self.metrics)
        self.draining = False
        self._health = _Health(self.models[self.default])

    def model(self, name: str | None) -> Model:
        """Return a configured model; raises UnknownModelError for any other."""
        if name is None:
            return self.models[self.default]
        if name not in self.models:
            raise UnknownModelError(f"There is no model of this name here; choose one of: {', '.join(self.models)}.")
        return self.models[name]

    async def segment(self, asked: Asked[Options]) -> Answer:
        """Return the JSON objects of a request's documents."""
        options = asked.options
        task = partial(
            ReadingTask,
            options=options.decoding(),
            headings=options.headings,
            keep=options.keep,
            details=options.details,
        )
        return await self._answer(asked, task, options)

    async def chunk(self, asked: Asked[ChunkOptions]) -> Answer:
        """Return the JSON objects of a request's documents with their chunks."""
        options = asked.options
        packer = Packer(options.max_tokens, tokenizer_named(options.tokenizer), options.overlap, options.fill)
        task = partial(ReadingTask, headings=options.headings, keep=options.keep, packer=packer)
        return await self._answer(asked, task, options)

    async def _answer(
        self, asked: Asked[Any], task: Callable[..., ReadingTask], options: Options | ChunkOptions
    ) -> Answer:
        self.model(options.model)
        labels = as_labels(options.labels)
        name = self.readers.labelled.name(options.model or self.default, labels)
        tasks = [task(source, labels=labels) for source in asked.documents]
        characters = asked.characters + sum(len(label) + len(text) for label, text in labels)
        return Answer(*await self.batcher.submit(name, tasks, characters), name)

    async def check(self) -> float:
        """Run the default model; return the seconds that it took."""
        return await asyncio.to_thread(self._health.check)

    def close(self) -> None:
        """Finish what was accepted and end the threads."""
        self.draining = True
        self.uploads.close()
        self.batcher.close()

    def _records(self, model: str, tasks: list[ReadingTask]) -> list[bytes]:
        documents = self.readers.segment(model, tasks)
        return [json_bytes(_record(document, task)) for document, task in zip(documents, tasks, strict=True)]


def _record(document: Document, task: ReadingTask) -> dict[str, Any]:
    return record(document, task.details) if task.packer is None else chunk_record(document, task.packer)


@dataclass
class _Health:
    model: Model
    lock: threading.Lock = field(default_factory=threading.Lock)
    at: float = -HEALTHY_FOR
    took: float = 0.0

    def check(self) -> float:
        with self.lock:
            begun = time.monotonic()
            if begun - self.at >= HEALTHY_FOR:
                found = self.model.segment(Document(PROBE))
                assert found.is_covered()
                self.took, self.at = time.monotonic() - begun, begun
            return self.took
