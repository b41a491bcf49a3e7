"""A corpus into an index: workers read, segment and embed; one process writes.

Rows of documents wait in a folder on the way, so that a run can be continued. The index knows what it has by digests:
a document that comes again, in this run or in a later one, is written once.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sector.chunks import Chunk
from sector.corpus.records import Fields
from sector.document import Document
from sector.retrieval import Index, Update
from sector.retrieval.maker import Maker
from sector.retrieval.reading import digest, named
from sector.retrieval.store import IndexedDocument
from sector.scale.engines import PartEngine
from sector.scale.ledger import MANIFEST, Ledger, LedgerError
from sector.scale.run import CorpusRun, PartCallback
from sector.scale.storage import Storage
from sector.scale.tasks import Finished
from sector.scale.totals import PartResult, RunSummary

PART = 8 << 20
"""Bytes of a part at most: its chunks and vectors are in memory once."""


@dataclass(frozen=True)
class IndexTask:
    """Chunks and vectors of documents that an index does not have yet: a row per document."""

    maker: Maker
    known: NDArray[np.uint64] = field(repr=False)
    """What the index has: a number for each document and its digest, in rising order."""

    @staticmethod
    def of(index: Index) -> IndexTask:
        """Return the task for an index as it is now."""
        numbers = np.fromiter((_number(*pair) for pair in index.known()), np.uint64)
        return IndexTask(replace(index.maker, given_model=None), np.sort(numbers))

    def __getstate__(self) -> dict[str, Any]:
        """Leave the model behind, which is loaded where it is used."""
        return {"maker": replace(self.maker), "known": self.known}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    @property
    def unit(self) -> str:
        """Chunks."""
        return "chunks"

    def settings(self) -> dict[str, Any]:
        """Return what the rows depend on beside the documents."""
        return {"task": "index"} | asdict(self.maker.settings)

    def prepare(self) -> None:
        """Load the model and check the options."""
        list(self.maker.indexed([]))

    def finish(self, documents: Sequence[Document]) -> list[Finished]:
        """Return the row of each document, in order; of one that the index has, its id alone."""
        own = [(document, digest(document)) for document in map(named, documents)]
        is_known = [self._has(document.id, found) for document, found in own]
        new = self.maker.indexed(each for each, has in zip(own, is_known, strict=True) if not has)
        return [
            _finished(IndexedDocument(document.id, found, ()) if has else next(new))
            for (document, found), has in zip(own, is_known, strict=True)
        ]

    def _has(self, name: str, own: str) -> bool:
        number = np.uint64(_number(name, own))
        place = int(np.searchsorted(self.known, number))
        return place < len(self.known) and self.known[place] == number


@dataclass
class IndexRun:
    """A corpus on its way into an index."""

    index: Index
    corpus: CorpusRun
    """Its task is that of the index, its output the folder for rows on the way."""

    def run(self, tell: PartCallback | None = None) -> tuple[RunSummary, Update]:
        """Read what is new, write it, and return what was done; the same run goes on after an interruption.

        Rows on the way that are of other inputs or settings are removed: what was written of them is in the index.
        """
        update, taken = Update(), set[str]()

        def take(result: PartResult, summary: RunSummary) -> None:
            if not result.problem:
                self._take(result, update)
                taken.add(result.part)
            if tell is not None:
                tell(result, summary)

        try:
            summary = self.corpus.run(take)
        except LedgerError:
            summary = replace(self.corpus, overwrite=True).run(take)
        for name, result in self._ledger.done().items():
            if name not in taken:
                self._take(result, update)
        if summary.is_done:
            self._clear()
        return summary, update

    @property
    def _ledger(self) -> Ledger:
        return Ledger(Storage(self.corpus.output, self.corpus.options))

    def _take(self, result: PartResult, update: Update) -> None:
        if result.file:
            self.index.add_indexed(_documents(self._ledger.storage.read(result.file)), update)

    def _clear(self) -> None:
        """Remove the rows and the books; the file of dead letters stays."""
        files = [result.file for result in self._ledger.done().values() if result.file]
        self._ledger.storage.clear([*files, MANIFEST, "_sector"])


def index_run(
    index: Index,
    inputs: Sequence[str],
    staging: str,
    engine: PartEngine,
    fields: Fields | None = None,
    encoding: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> IndexRun:
    """Return the run that puts a corpus into an index.

    Args:
        index: it is written by this process alone.
        inputs: files, folders, patterns, addresses.
        staging: a folder or an address that all workers see, for rows on their way.
        engine: what works on the parts.
        fields: names of the fields of records.
        encoding: of texts; by default it is detected.
        options: for fsspec.
    """
    corpus = CorpusRun(inputs, staging, IndexTask.of(index), engine, part_bytes=PART, options=options or {})
    return IndexRun(index, replace(corpus, fields=fields or Fields(), encoding=encoding))


def _number(name: str, own: str) -> int:
    """Return 64 bits that stand for a document as it is."""
    return int.from_bytes(blake2b(f"{own}{name}".encode(), digest_size=8).digest(), "little")


def _finished(document: IndexedDocument) -> Finished:
    chunks = [chunk.to_dict() | {"embedding": _packed(chunk)} for chunk in document.chunks]
    row = {"id": document.id, "digest": document.digest, "chunks": chunks}
    return Finished(document.id, [row], [chunk.label for chunk in document.chunks])


def _packed(chunk: Chunk) -> str | None:
    return None if chunk.embedding is None else b64encode(chunk.embedding.astype("<f4").tobytes()).decode()


def _documents(content: bytes) -> Iterator[IndexedDocument]:
    for line in content.splitlines():
        row = json.loads(line)
        yield IndexedDocument(row["id"], row["digest"], [_chunk(record) for record in row["chunks"]])


def _chunk(record: dict[str, Any]) -> Chunk:
    packed = record.pop("embedding")
    return Chunk.from_dict(record, None if packed is None else np.frombuffer(b64decode(packed), "<f4"))
