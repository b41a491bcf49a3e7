"""Models at work: documents in, documents with sections out; and a cache of readings for clients that move a slider.

Reading a document takes most of the time, decoding it little. A client that asks to keep a document gets other
granularities of it without another reading.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from sector.chunks import Packer
from sector.document import Document
from sector.runtime import Model
from sector.segmentation import Reading
from sector.server.cache import ByteCache
from sector.server.metrics import Metrics
from sector.server.own_labels import LabelledModels, LabelPairs
from sector.server.sources import RequestDocument, digest

Kept = tuple[Document, Reading]


@dataclass(frozen=True, slots=True)
class ReadingTask:
    """A document of a request and how it is to be segmented."""

    source: RequestDocument
    options: Mapping[str, Any] = field(default_factory=dict)
    """Those of `Model.decode`."""
    labels: LabelPairs = ()
    """Labels of the client's own."""
    headings: str = "use"
    """What the author's headings do."""
    keep: bool = False
    """Whether the reading may be kept in memory."""
    details: bool = False
    """Whether the answer says more than the command does."""
    packer: Packer | None = None
    """What chooses chunks; None: sections are asked for."""


class Readers:
    """The configured models and the cache that they share."""

    def __init__(self, models: Mapping[str, Model], cache_bytes: int, metrics: Metrics) -> None:
        self.models = models
        self.labelled = LabelledModels(models)
        self.cache: ByteCache[Kept] = ByteCache(cache_bytes, _size)
        self._metrics = metrics

    def segment(self, model: str, tasks: Sequence[ReadingTask]) -> list[Document]:
        """Return the documents with sections; those whose readings are not kept are read together."""
        chosen = self.models[model]
        found = [self._looked_up(model, task) or _loaded(task, chosen.config.language) for task in tasks]
        fresh = iter(chosen.read([entry for entry in found if isinstance(entry, Document)]))
        results = []
        for task, entry in zip(tasks, found, strict=True):
            document, reading = (entry, next(fresh)) if isinstance(entry, Document) else entry
            if task.keep:
                self.cache.put(_key(model, task), (document, reading))
            results.append(_decoded(self.labelled.model(model, task.labels), document, reading, task))
        return results

    def _looked_up(self, model: str, task: ReadingTask) -> Kept | None:
        if not task.keep:
            return None
        found = self.cache.get(_key(model, task))
        self._metrics.looked_up(found is not None)
        return found


def _decoded(model: Model, document: Document, reading: Reading, task: ReadingTask) -> Document:
    if task.packer is not None:
        return model.cut(document, reading, task.packer)
    return model.decode(document, reading, **task.options)


def _loaded(task: ReadingTask, language: str) -> Document:
    """Return the document; in the model's language if it says none, so that it is split once."""
    document = task.source.load()
    return replace(document, language=document.language or language, headings=task.headings)


def _key(model: str, task: ReadingTask) -> bytes:
    return digest(model, task.headings, task.source.key)


def _size(kept: Kept) -> int:
    document, reading = kept
    values = (getattr(reading, part.name) for part in fields(reading))
    texts = 4 * len(document.text) + 200 * len(document.blocks)
    return texts + sum(value.nbytes for value in values if isinstance(value, np.ndarray))
