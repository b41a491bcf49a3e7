"""From documents to readings: sentences are prepared here, and the network runs in other threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any, TypeAlias

from sector import encoders
from sector.arrays import Floats2d
from sector.devices import own_cores
from sector.document import Document, as_document
from sector.encoders.base import Rows
from sector.encoders.structure import FLAGS, structure_flags
from sector.errors import DataError, ModelError
from sector.runtime.checksums import verify
from sector.runtime.companion import Companion, place_of, reason_against
from sector.runtime.folder import ModelFolder
from sector.runtime.network import NetworkSession
from sector.runtime.space import beside
from sector.runtime.structured import constrained, prose
from sector.segmentation import Reading

CHUNK_SENTENCES = 2**14
"""Texts with as many sentences make a chunk, however few they are: bounds memory for long documents."""
MOST_SENTENCES = 1_000_000
"""Of one document; a longer one raises a DataError. As many take about 5 GB with 30 labels and 10 GB with 2,341."""
MOST_CHARACTERS = 100 * MOST_SENTENCES
THREADS = 2
"""That run the network, each a chunk of its own: it leaves the interpreter free, and takes more time than all else."""
Prepared: TypeAlias = tuple[Document, Rows]
"""A document and what computes the network's input for its sentences."""
Pending: TypeAlias = Future[tuple[list[Prepared], list[Reading]]]
"""Documents that are being read."""


class Reader:
    """The encoder and the network of a model. Safe to use from several threads."""

    def __init__(self, folder: ModelFolder) -> None:
        self.config = folder.config()
        shared = [beside(self.config.space)] if self.config.space.get("folder") else []
        verify(folder.path, self.config.files, self.config.encoder, *shared)
        encoder = encoders.load(folder.path, self.config.encoder)
        width, expected = encoder.width + self.config.flags * len(FLAGS), self.config.network.inputs
        if width != expected:
            raise ModelError(
                f"{folder.path} is mixed up: its encoder gives {width} values, its network takes {expected}."
            )
        self._inputs = encoder.input_layer(folder.matrix(self.config.network))
        self._network = NetworkSession(folder.graph(), self.config.network, self._inputs.projected or expected)
        self._companion = self._load_companion(folder) if self.config.companion else None

    def _load_companion(self, folder: ModelFolder) -> Companion:
        place, share = place_of(folder.path.resolve(), self.config.companion)
        companion = ModelFolder(place)
        reason = reason_against(self.config, companion.config())  # before loading: two could name each other
        if reason:
            name = folder.path.resolve().name
            raise ModelError(f"{place.name} cannot be the companion of {name}: {reason}; name another.")
        return Companion.of(self.config, Reader(companion), share)

    def read(self, documents: Sequence[Document]) -> list[Reading]:
        """Return what the network says of every sentence of every document, and what their layout says."""
        return self._readings([self._prepared(document) for document in documents])

    def read_all(self, documents: Iterable[Document], size: int) -> Iterator[tuple[list[Document], list[Reading]]]:
        """Read ``size`` documents at a time, in order; the next ones are prepared meanwhile.

        An error comes in its place, after all that was before it.
        """
        threads = THREADS if own_cores() > 1 else 0
        pool = ThreadPoolExecutor(threads, thread_name_prefix="sector") if threads else SameThread()
        try:
            for chunk in _ahead(self._chunks(pool, documents, size), threads):
                prepared, readings = chunk.result()
                yield [document for document, _ in prepared], readings
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _chunks(self, pool: Executor, documents: Iterable[Document], size: int) -> Iterator[Pending]:
        chunk: list[Prepared] = []
        try:
            for text in documents:
                chunk.append(self._prepared(text))
                if len(chunk) == size or sum(len(document) for document, _ in chunk) >= CHUNK_SENTENCES:
                    full, chunk = chunk, []
                    yield pool.submit(self._read, full)
        except Exception as error:
            yield pool.submit(self._read, chunk)
            yield _failed(error)
        else:
            yield pool.submit(self._read, chunk)

    def _read(self, chunk: list[Prepared]) -> tuple[list[Prepared], list[Reading]]:
        return chunk, self._readings(chunk)

    def _readings(self, chunk: Sequence[Prepared]) -> list[Reading]:
        readings = self._network.read([rows() for _, rows in chunk])
        if self._companion:
            readings = self._companion.mixed([document for document, _ in chunk], readings)
        return [constrained(document, reading) for (document, _), reading in zip(chunk, readings, strict=True)]

    def _prepared(self, text: Document) -> Prepared:
        """Split a text and look its words up: what the network needs."""
        document = as_document(text, self.config.language)
        _check_length(document, len(document.text), MOST_CHARACTERS, "characters")
        _check_length(document, len(document), MOST_SENTENCES, "sentences")
        read = prose(document)
        return document, self._inputs.looked_up(read.sentence_texts, self._flags(read))

    def _flags(self, document: Document) -> Floats2d | None:
        return structure_flags(document) if self.config.flags else None


def _check_length(document: Document, found: int, most: int, unit: str) -> None:
    if found > most:
        name = f"The document '{document.id}'" if document.id else "The text"
        raise DataError(f"{name} has {found:,} {unit}; at most {most:,} are read at once. Split it into parts.")


def _ahead(chunks: Iterable[Pending], count: int) -> Iterator[Pending]:
    """Return the same chunks, each after ``count`` more have been started."""
    waiting: deque[Pending] = deque()
    for chunk in chunks:
        waiting.append(chunk)
        if len(waiting) > count:
            yield waiting.popleft()
    yield from waiting


class SameThread(Executor):
    """Does at once what it is given: threads would share the only core, and take turns with the interpreter."""

    def submit(self, work: Callable[..., Any], /, *given: Any, **options: Any) -> Future[Any]:
        """Return the future of a call that has ended."""
        future: Future[Any] = Future()
        try:
            future.set_result(work(*given, **options))
        except Exception as error:
            return _failed(error)
        return future


def _failed(error: Exception) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(error)
    return future
