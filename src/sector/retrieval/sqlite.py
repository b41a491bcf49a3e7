"""The embedded store: one SQLite file with an FTS5 index and float16 vectors, readable without anything but Python.

Vectors are compared in memory by numpy. Extensions of SQLite that do so cannot be loaded into many builds of Python.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np

from sector.arrays import Floats1d
from sector.chunks import Chunk
from sector.errors import ConfigError, DataError
from sector.retrieval.columns import COLUMNS, chunk_of, row_of
from sector.retrieval.hit import CLOSE, OPEN, Snippet, marked
from sector.retrieval.sqlite_schema import APPLICATION, TABLES, WEIGHTS
from sector.retrieval.store import IndexedDocument, Ranked, label_condition, storable
from sector.retrieval.vectors import VectorTable, packed
from sector.values import is_there

WAIT = 30.0
"""Seconds that one run waits for another to finish writing."""
TOGETHER = 500
"""Values of a statement."""
SNIPPET = 24
"""Words."""


class SqliteStore:
    """A file. Safe to use from several threads; several processes take turns in writing."""

    def __init__(self, path: Path, *, create: bool) -> None:
        """Open a file; raises DataError for one that is no index, ConfigError for one that is not there."""
        self._path, self.name, self._lock = path, str(path), RLock()
        self._table: tuple[object, VectorTable] | None = None
        if not create and not is_there(path):
            raise ConfigError(f"There is no index {path}; make one: sector index DOCUMENTS --output {path}")
        if is_there(path) and not path.is_file():
            raise DataError(f"{path} is no file; choose another place for the index.")
        path.parent.mkdir(parents=True, exist_ok=True)
        with self._told():
            self._base = sqlite3.connect(path, timeout=WAIT, isolation_level=None, check_same_thread=False)
            self._check()

    def _check(self) -> None:
        (application,) = self._base.execute("PRAGMA application_id").fetchone()
        (tables,) = self._base.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables and application != APPLICATION:
            self._base.close()
            raise DataError(f"{self._path} is a database of something else; choose another file for the index.")

    def settings(self) -> dict[str, Any]:
        """Return how the index was made; nothing in a new one."""
        with self._read() as base:
            return _settings(base)

    def begin(self, settings: Mapping[str, Any], *, overwrite: bool) -> None:
        """Make an empty index, unless there is one that is not to be overwritten."""
        with self._write() as base:
            if not overwrite and _settings(base):
                return
            for name in ("words", "chunks", "vectors", "documents", "settings"):
                base.execute(f"DROP TABLE IF EXISTS {name}")
            for statement in TABLES:
                base.execute(statement.replace("TOKENIZER", str(settings["words"])))
            rows = [(name, json.dumps(value)) for name, value in settings.items()]
            base.executemany("INSERT INTO settings VALUES (?, ?)", rows)

    def digests(self, ids: Sequence[str]) -> dict[str, str]:
        """Return the digests of the documents that are there."""
        found: dict[str, str] = {}
        with self._read() as base:
            for some in _parts([storable(name) for name in ids]):
                statement = f"SELECT id, digest FROM documents WHERE id IN ({_marks(some)})"
                found.update(base.execute(statement, some))
        return found

    def ids(self) -> Iterator[str]:
        """Return the ids of all documents."""
        with self._read() as base:
            rows = base.execute("SELECT id FROM documents ORDER BY number").fetchall()
        return (name for (name,) in rows)

    def replace(self, documents: Sequence[IndexedDocument]) -> None:
        """Write documents; all chunks of an older version of them are removed."""
        with self._write() as base:
            _remove(base, [storable(document.id) for document in documents])
            for document in documents:
                row = (storable(document.id), document.digest)
                found = base.execute("INSERT INTO documents(id, digest) VALUES (?, ?)", row)
                _insert(base, int(found.lastrowid or 0), document.chunks)

    def remove(self, ids: Iterable[str]) -> int:
        """Remove documents and return how many were there."""
        with self._write() as base:
            return sum(_remove(base, some) for some in _parts([storable(name) for name in ids]))

    def by_words(self, words: Sequence[str], labels: Sequence[str], limit: int) -> Ranked:
        """Return the chunks that have any of these words by BM25, within the labels."""
        condition, patterns = label_condition(labels, "?")
        statement = (
            f"SELECT chunks.number, -bm25(words, {WEIGHTS}) AS score FROM words JOIN chunks ON number = words.rowid "
            f"WHERE words MATCH ? AND {condition} ORDER BY score DESC, number LIMIT ?"
        )
        with self._read() as base:
            return base.execute(statement, (_match(words), *patterns, limit)).fetchall() if words else []

    def by_vector(self, vector: Floats1d, labels: Sequence[str], limit: int) -> Ranked:
        """Return the chunks whose vectors are nearest, within the labels."""
        allowed = None
        if labels:
            condition, patterns = label_condition(labels, "?")
            with self._read() as base:
                rows = base.execute(f"SELECT number FROM chunks WHERE {condition}", patterns).fetchall()
            allowed = np.array(rows, np.int64).reshape(-1)
        return self._vectors(len(vector)).nearest(vector, allowed, limit)

    def chunks(self, numbers: Sequence[int]) -> dict[int, Chunk]:
        """Return chunks by number, as far as they are still there."""
        found: dict[int, Chunk] = {}
        with self._read() as base:
            for some in _parts(numbers):
                names = ", ".join(f'chunks."{name}"' for name in COLUMNS)
                statement = (
                    f"SELECT chunks.number, documents.id, {names} FROM chunks "
                    f"JOIN documents ON documents.number = document WHERE chunks.number IN ({_marks(some)})"
                )
                for number, document, *values in base.execute(statement, some):
                    found[number] = chunk_of(values, document)
        return found

    def snippets(self, words: Sequence[str], numbers: Sequence[int]) -> dict[int, Snippet]:
        """Return of each of the chunks that have any of the words the piece that shows it best."""
        statement = (
            f"SELECT rowid, snippet(words, 3, '{OPEN}', '{CLOSE}', '…', {SNIPPET}) FROM words "
            f"WHERE words MATCH ? AND rowid IN ({_marks(numbers)})"
        )
        with self._read() as base:
            rows = base.execute(statement, (_match(words), *numbers)).fetchall() if words else []
        return {number: marked(text) for number, text in rows}

    def labels(self) -> list[tuple[str, int]]:
        """Return all labels and how many chunks have them, the most frequent first."""
        with self._read() as base:
            statement = "SELECT label, count(*) FROM chunks GROUP BY label ORDER BY count(*) DESC, label"
            return base.execute(statement).fetchall()

    def count(self) -> tuple[int, int]:
        """Return the number of documents and of chunks."""
        with self._read() as base:
            (documents,) = base.execute("SELECT count(*) FROM documents").fetchone()
            (chunks,) = base.execute("SELECT count(*) FROM chunks").fetchone()
        return documents, chunks

    def close(self) -> None:
        """Close the file; remove it if nothing was written to it."""
        self._base.close()
        if self._path.exists() and not self._path.stat().st_size:
            self._path.unlink()

    def _vectors(self, dimensions: int) -> VectorTable:
        """Return all vectors, read again where the file has changed."""
        with self._read() as base:
            version = (base.execute("PRAGMA data_version").fetchone(), base.total_changes)
            if self._table is None or self._table[0] != version:
                rows = base.execute("SELECT number, vector FROM vectors ORDER BY number")
                self._table = (version, VectorTable.of(rows, dimensions))
            return self._table[1]

    @contextmanager
    def _read(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._told():
            yield self._base

    @contextmanager
    def _write(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._told():
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield self._base
                self._base.execute("COMMIT")
            except BaseException:
                if self._base.in_transaction:
                    self._base.execute("ROLLBACK")
                raise

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn errors of SQLite into one sentence."""
        try:
            yield
        except sqlite3.OperationalError as error:
            why = "Another run is writing to it; try again later." if "locked" in str(error) else f"{error}."
            raise ConfigError(f"The index {self._path} cannot be used: {why}") from error
        except (sqlite3.DatabaseError, ValueError) as error:
            raise DataError(f"{self._path} is no whole index ({error}); remove it, or choose another file.") from error


def _settings(base: sqlite3.Connection) -> dict[str, Any]:
    if not base.execute("SELECT 1 FROM sqlite_master WHERE name = 'settings'").fetchone():
        return {}
    return {name: json.loads(value) for name, value in base.execute("SELECT name, value FROM settings")}


def _insert(base: sqlite3.Connection, document: int, chunks: Sequence[Chunk]) -> None:
    marks = _marks(range(len(COLUMNS) + 2))
    for chunk in chunks:
        found = base.execute(f"INSERT INTO chunks VALUES (NULL, {marks})", (document, *row_of(chunk)))
        if chunk.embedding is not None:
            base.execute("INSERT INTO vectors VALUES (?, ?)", (found.lastrowid, packed(chunk.embedding)))


def _remove(base: sqlite3.Connection, ids: Sequence[str]) -> int:
    some = f"SELECT number FROM documents WHERE id IN ({_marks(ids)})"
    base.execute(f"DELETE FROM vectors WHERE number IN (SELECT number FROM chunks WHERE document IN ({some}))", ids)
    base.execute(f"DELETE FROM chunks WHERE document IN ({some})", ids)
    return base.execute(f"DELETE FROM documents WHERE id IN ({_marks(ids)})", ids).rowcount


def _match(words: Sequence[str]) -> str:
    return " OR ".join('"' + word.replace('"', "") + '"' for word in words)


def _marks(values: Sequence[Any]) -> str:
    return ", ".join("?" * len(values))


def _parts(values: Sequence[Any]) -> Iterator[list[Any]]:
    edges = [*range(0, len(values), TOGETHER), len(values)]
    return (list(values[begin:end]) for begin, end in pairwise(edges))
