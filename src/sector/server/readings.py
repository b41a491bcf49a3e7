"""Models at work: texts in, documents with sections out; and a cache of readings for clients that move a slider.

Reading a document takes most of the time, decoding it little. A client that asks to keep a document gets other
granularities of it without another reading. What is kept lies in memory alone, by the hash of the text, and goes as
soon as newer documents need its place.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sector.document import Document
from sector.runtime import Model
from sector.segmentation import Reading
from sector.server.metrics import Metrics

Kept = tuple[Document, Reading]


@dataclass(frozen=True, slots=True)
class Task:
    """A document of a request and how it is to be segmented."""

    document: Document
    options: Mapping[str, Any] = field(default_factory=dict)
    """Those of `Model.decode`."""
    keep: bool = False
    """Whether the reading may be kept in memory."""
    details: bool = False
    """Whether the answer says more than the command does."""


class ReadingCache:
    """The readings used last, by model and content, up to a number of bytes. Safe to use from several threads."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._bytes = 0
        self._entries: OrderedDict[bytes, Kept] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: bytes) -> Kept | None:
        """Return what is kept, if it still is."""
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
            return self._entries.get(key)

    def put(self, key: bytes, kept: Kept) -> None:
        """Keep a reading; the ones that were used longest ago make room for it."""
        size = _size(kept)
        with self._lock:
            if key in self._entries or size > self._most:
                return
            self._entries[key] = kept
            self._bytes += size
            while self._bytes > self._most:
                self._bytes -= _size(self._entries.popitem(last=False)[1])


class Readers:
    """The configured models and the cache that they share."""

    def __init__(self, models: Mapping[str, Model], cache: ReadingCache, metrics: Metrics) -> None:
        self.models = models
        self.cache = cache
        self._metrics = metrics

    def segment(self, model: str, tasks: Sequence[Task]) -> list[Document]:
        """Return the documents with sections; those whose readings are not kept are read together."""
        chosen = self.models[model]
        tasks = [_in_language(task, chosen.config.language) for task in tasks]
        kept = [self._looked_up(model, task) for task in tasks]
        missing = [task for task, found in zip(tasks, kept, strict=True) if found is None]
        fresh = iter(chosen.read([task.document for task in missing]) if missing else ())
        results = []
        for task, found in zip(tasks, kept, strict=True):
            document, reading = found or (task.document, next(fresh))
            if task.keep and found is None:
                self.cache.put(_key(model, document), (document, reading))
            results.append(chosen.decode(document, reading, **task.options))
        return results

    def _looked_up(self, model: str, task: Task) -> Kept | None:
        if not task.keep:
            return None
        found = self.cache.get(_key(model, task.document))
        self._metrics.looked_up(found is not None)
        return found


def _in_language(task: Task, language: str) -> Task:
    """Return a task whose document is split once for both reading and decoding."""
    document = task.document
    return task if document.language else replace(task, document=replace(document, language=language))


def _key(model: str, document: Document) -> bytes:
    parts = (model, document.language, document.id, document.title, document.text)
    digest = hashlib.sha256()
    for part in parts:
        content = part.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "big") + content)
    return digest.digest()


def _size(kept: Kept) -> int:
    document, reading = kept
    arrays = (reading.probabilities, reading.forward, reading.backward, reading.boundary, reading.paragraph_end)
    return 4 * len(document.text) + sum(array.nbytes for array in arrays if array is not None)
