"""The store in an engine: a schema of a PostgreSQL database with pgvector, which many machines write and search."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sector.arrays import Floats1d
from sector.chunks import Chunk
from sector.errors import ConfigError, DataError
from sector.retrieval import postgres_schema as sql
from sector.retrieval.columns import chunk_of, row_of
from sector.retrieval.hit import CLOSE, OPEN, Snippet, marked
from sector.retrieval.postgres_session import PostgresSession
from sector.retrieval.settings import STEMMED
from sector.retrieval.store import IndexedDocument, Ranked, label_condition, storable

if TYPE_CHECKING:
    import psycopg

WORD = re.compile(r"[^\W_]+")
MOST_BYTES = 500_000
"""Of a chunk's words: a tsvector holds no more than a megabyte."""
EXPLORED = 200
"""Neighbours that an approximate search looks at, at least."""


class PostgresStore:
    """A schema, named after ``#`` in the address. Safe to use from several threads and by several processes at once."""

    def __init__(self, place: str, *, create: bool) -> None:
        """Connect; raises ConfigError where there is no server, or no index and none is to be made."""
        self._session = PostgresSession(place)
        self.name = self._session.name
        if not create and not self.settings():
            self.close()
            raise ConfigError(f"There is no index {self.name}; make one: sector index DOCUMENTS --output '{self.name}'")

    def settings(self) -> dict[str, Any]:
        """Return how the index was made; nothing in a new one."""
        with self._session.transaction() as base:
            return self._settings(base)

    def begin(self, settings: Mapping[str, Any], *, overwrite: bool) -> None:
        """Make an empty index, unless there is one that is not to be overwritten."""
        with self._session.transaction() as base:
            _wait(base, self._session.schema)
            if not overwrite and self._settings(base):
                return
            self._make(base)
            for statement in (*sql.DROPPED, *sql.TABLES, sql.WORDS):
                base.execute(statement)
            for statement in sql.STEMS if settings["words"] == STEMMED else ():
                base.execute(statement)
            rows = [(name, json.dumps(value)) for name, value in settings.items()]
            base.cursor().executemany(f"INSERT INTO {sql.SETTINGS} VALUES (%s, %s)", rows)

    def digests(self, ids: Sequence[str]) -> dict[str, str]:
        """Return the digests of the documents that are there."""
        with self._session.transaction() as base:
            found = base.execute(
                "SELECT id, digest FROM documents WHERE key = ANY(%s)", ([_key(name) for name in ids],)
            )
            return dict(found.fetchall())

    def ids(self) -> Iterator[str]:
        """Return the ids of all documents."""
        with self._session.transaction() as base:
            rows = base.execute("SELECT id FROM documents ORDER BY number").fetchall()
        return (name for (name,) in rows)

    def replace(self, documents: Sequence[IndexedDocument]) -> None:
        """Write documents; all chunks of an older version of them are removed."""
        vectors = [chunk.embedding for document in documents for chunk in document.chunks]
        self._prepare(next((len(vector) for vector in vectors if vector is not None), 0))
        with self._session.transaction() as base:
            numbers = _numbers_of(base, documents)
            base.execute(sql.FORGOTTEN, (list(numbers.values()),))
            _insert(base, [(numbers[_key(each.id)], chunk) for each in documents for chunk in each.chunks])

    def remove(self, ids: Iterable[str]) -> int:
        """Remove documents and return how many were there."""
        statement = "SELECT number FROM documents WHERE key = ANY(%s) ORDER BY key FOR UPDATE"
        with self._session.transaction() as base:
            numbers = [number for (number,) in base.execute(statement, ([_key(name) for name in ids],))]
            base.execute(sql.FORGOTTEN, (numbers,))
            return base.execute("DELETE FROM documents WHERE number = ANY(%s)", (numbers,)).rowcount

    def by_words(self, words: Sequence[str], labels: Sequence[str], limit: int) -> Ranked:
        """Return the chunks that have any of these words by BM25, within the labels."""
        condition, patterns = label_condition(labels, "%s")
        with self._session.transaction() as base:
            rows = base.execute(sql.BM25.format(condition=condition), (plain_words(words)[0], *patterns, limit))
            return [(number, float(score)) for number, score in rows]

    def by_vector(self, vector: Floats1d, labels: Sequence[str], limit: int) -> Ranked:
        """Return the chunks whose vectors are nearest, within the labels; without labels by an approximate search."""
        condition, patterns = label_condition(labels, "%s")
        kind, source = sql.SOME if labels else sql.EVERY
        statement = sql.NEAREST.format(kind=kind, source=source.format(condition=condition))
        with self._session.transaction() as base:
            if not _there(base, "vectors"):
                return []
            base.execute("SET LOCAL hnsw.iterative_scan = strict_order")
            base.execute(f"SET LOCAL hnsw.ef_search = {min(1000, max(EXPLORED, limit))}")
            rows = base.execute(statement, (*patterns, _literal(vector), _literal(vector), limit)).fetchall()
        return sorted(rows, key=lambda row: (-row[1], row[0]))

    def chunks(self, numbers: Sequence[int]) -> dict[int, Chunk]:
        """Return chunks by number, as far as they are still there."""
        names = sql.NAMES.replace('"id"', "chunks.id")
        statement = f"""SELECT chunks.number, documents.id, {names} FROM chunks
            JOIN documents ON documents.number = document WHERE chunks.number = ANY(%s)"""
        with self._session.transaction() as base:
            rows = base.execute(statement, (list(numbers),)).fetchall()
        return {number: chunk_of(values, document) for number, document, *values in rows}

    def snippets(self, words: Sequence[str], numbers: Sequence[int]) -> dict[int, Snippet]:
        """Return of each of the chunks that have any of the words the piece that shows it best."""
        statement = sql.SNIPPETS.format(open=OPEN, close=CLOSE)
        with self._session.transaction() as base:
            rows = base.execute(statement, (plain_words(words)[0], list(numbers))).fetchall()
        return {number: marked(text) for number, text in rows}

    def labels(self) -> list[tuple[str, int]]:
        """Return all labels and how many chunks have them, the most frequent first."""
        with self._session.transaction() as base:
            rows = base.execute("SELECT label, count(*) FROM chunks GROUP BY label").fetchall()
        return sorted(rows, key=lambda row: (-row[1], row[0]))

    def count(self) -> tuple[int, int]:
        """Return the number of documents and of chunks."""
        with self._session.transaction() as base:
            statement = "SELECT (SELECT count(*) FROM documents), coalesce((SELECT sum(chunks) FROM sizes), 0)"
            documents, chunks = base.execute(statement).fetchall()[0]
        return int(documents), int(chunks)

    def close(self) -> None:
        """Close the connection."""
        self._session.close()

    def _settings(self, base: psycopg.Connection[Any]) -> dict[str, Any]:
        if not _there(base, f'"{self._session.schema}".{sql.SETTINGS}'):
            return {}
        rows = base.execute(f"SELECT name, value FROM {sql.SETTINGS}").fetchall()
        return {name: json.loads(value) for name, value in rows}

    def _make(self, base: psycopg.Connection[Any]) -> None:
        """Make the schema; raise DataError for one that holds tables of something else."""
        if not base.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", (self._session.schema,)).fetchone():
            base.execute(f'CREATE SCHEMA "{self._session.schema}"')
        tables = base.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = %s", (self._session.schema,)
        ).fetchall()
        if tables and (sql.SETTINGS,) not in tables:
            raise DataError(
                f"The schema '{self._session.schema}' has tables of something else; name another one for the index, "
                f"e.g. {self.name.partition('#')[0]}#notes"
            )

    def _prepare(self, dimensions: int) -> None:
        """Make the table of vectors once, before any lock is held: the first vectors say how long they are."""
        with self._session.transaction() as base:
            if not dimensions or _there(base, "vectors"):
                return
            _wait(base, self._session.schema)
            for statement in sql.VECTORS:
                base.execute(statement.format(dimensions=dimensions))
            if dimensions <= sql.MOST_DIMENSIONS:
                base.execute(sql.NEIGHBOURS)


def plain_words(texts: Iterable[str]) -> tuple[str, int]:
    """Return the words of texts without case and diacritics, and their number.

    PostgreSQL's own parser would keep "docs/search.md" as one word.
    """
    letters = unicodedata.normalize("NFKD", " ".join(texts).casefold())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    words = WORD.findall(plain.encode("utf-8", "replace")[:MOST_BYTES].decode("utf-8", "ignore"))
    return " ".join(words), len(words)


def _numbers_of(base: psycopg.Connection[Any], documents: Sequence[IndexedDocument]) -> dict[str, int]:
    """Write documents without their chunks, in an order that all writers keep; return their numbers by key."""
    rows = {_key(document.id): (storable(document.id), document.digest) for document in documents}
    columns = zip(*((key, *rows[key]) for key in sorted(rows)), strict=True)
    statement = """INSERT INTO documents (key, id, digest) SELECT * FROM unnest(%s::text[], %s::text[], %s::text[])
        ON CONFLICT (key) DO UPDATE SET digest = excluded.digest RETURNING key, number"""
    return dict(base.execute(statement, [list(column) for column in columns]).fetchall())


def _insert(base: psycopg.Connection[Any], chunks: Sequence[tuple[int, Chunk]]) -> None:
    reserved = "SELECT nextval(pg_get_serial_sequence('chunks', 'number')) FROM generate_series(1, %s)"
    numbers = [number for (number,) in base.execute(reserved, (len(chunks),))]
    rows, total = [], 0
    for number, (document, chunk) in zip(numbers, chunks, strict=True):
        words, length = plain_words((chunk.title, chunk.heading, chunk.label, chunk.text))
        rows.append((number, document, *row_of(chunk), words, length))
        total += length
    vectors = zip(numbers, (chunk.embedding for _, chunk in chunks), strict=True)
    cursor = base.cursor()
    cursor.executemany(sql.INSERTED, rows)
    cursor.executemany(
        "INSERT INTO vectors VALUES (%s, %s::halfvec)",
        [(number, _literal(vector)) for number, vector in vectors if vector is not None],
    )
    base.execute("INSERT INTO sizes VALUES (%s, %s)", (len(rows), total))


def _there(base: psycopg.Connection[Any], table: str) -> bool:
    return base.execute("SELECT to_regclass(%s)", (table,)).fetchall()[0][0] is not None


def _wait(base: psycopg.Connection[Any], schema: str) -> None:
    """Serialize the creation of tables between processes."""
    base.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", (f"sector index {schema}",))


def _key(name: str) -> str:
    """Return what a document is known by: a B-tree takes no id of any length."""
    return hashlib.sha256(storable(name).encode()).hexdigest()


def _literal(vector: Floats1d) -> str:
    return f"[{','.join(map(str, vector.tolist()))}]"
