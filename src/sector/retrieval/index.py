"""An index: documents in, hits out. The Python side of `sector index` and `sector search`."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from sector.chunks import AnyTokenizer
from sector.document import Document
from sector.documents import many
from sector.errors import ConfigError
from sector.reading import read_text
from sector.retrieval.embedding import EmbeddingFunction
from sector.retrieval.fusion import fused
from sector.retrieval.hit import Hit, Snippet
from sector.retrieval.maker import Maker, opened
from sector.retrieval.reading import digest, named
from sector.retrieval.store import IndexedDocument, Store, storable
from sector.retrieval.stores import open_store
from sector.retrieval.words import query_words
from sector.values import is_whole
from sector.visible import brief

if TYPE_CHECKING:
    from sector.runtime import Model

BATCH = 64
"""Documents that are written together; an interrupted run loses no more."""
KNOWN = 500
"""Documents whose digests are fetched together."""
DEPTH = 100
"""Places of each ranking that count, at least."""
MOST = 1 << 31
"""Places, more than any store has."""
MODES = ("hybrid", "bm25", "embedding")


@dataclass(slots=True)
class Update:
    """What an update did."""

    added: int = 0
    replaced: int = 0
    unchanged: int = 0
    chunks: int = 0
    """Written."""
    repeated: list[str] = field(default_factory=list)
    """Ids that came more than once; the first document of each counts."""
    seen: set[str] = field(default_factory=set, repr=False)
    """The ids of all documents that came."""


class Index:
    """Chunks of documents with labels, words and vectors in one store. Close it, or use a ``with`` statement."""

    def __init__(
        self,
        place: str | Path,
        model: str | Path | Model | None = None,
        *,
        max_tokens: int | None = None,
        tokenizer: AnyTokenizer = None,
        headings: str | None = None,
        embed: EmbeddingFunction | None = None,
        create: bool = True,
        overwrite: bool = False,
    ) -> None:
        """Open an index, or make an empty one.

        Args:
            place: a file, or the address of a database: ``postgresql://…``.
            model: reads the documents; by default what the index was made with, in a new one the default model.
            max_tokens: no chunk has more, as in `Model.chunk`; None: chunks are sections as the model draws them.
            tokenizer: what counts them: the name of one, or what `Model.chunk` takes.
            headings: the author's: "use" (the default), "only" or "ignore".
            embed: a function from a list of texts to an array [texts, d] for chunks and queries; None: the space of the
                model, if it has one.
            create: make an index where there is none.
            overwrite: empty an index that is there.

        Raises: ConfigError for options that cannot be, or that are not those of the index; DataError for a file that is
        none; ModelError where the model is missing.
        """
        self._store: Store = open_store(place, create=create)
        try:
            given = {
                "max_tokens": int(max_tokens) if max_tokens is not None and is_whole(max_tokens, 1) else max_tokens,
                "headings": headings,
            }
            self._maker: Maker = opened(self._store, model, tokenizer, embed, given, overwrite)
        except BaseException:
            self._store.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store."""
        self._store.close()

    def __len__(self) -> int:
        """Return the number of chunks."""
        return self._store.count()[1]

    @property
    def name(self) -> str:
        """What the index is called in messages: its file, or its address without a password."""
        return self._store.name

    @property
    def documents(self) -> int:
        """How many there are."""
        return self._store.count()[0]

    def labels(self) -> dict[str, int]:
        """Return all labels and how many chunks have them, the most frequent first."""
        return dict(self._store.labels())

    @property
    def has_embeddings(self) -> bool:
        """Whether queries can be compared with chunks by meaning."""
        return self._maker.embedder is not None

    def add(self, documents: Iterable[Document] | Mapping[str, str]) -> Update:
        """Write documents; one with the id of an older one takes its place, one that has not changed is not read again.

        Args:
            documents: documents with ids, e.g. of `sector.read`, or texts by id.

        Returns: what was done. They are written in batches: an interrupted call, made again, goes on.
        """
        update = Update()
        new = self._changed(_documents(documents), update)
        indexed = self._maker.indexed(new)
        while batch := list(islice(indexed, BATCH)):
            self._write(batch, update)
        return update

    def add_indexed(self, documents: Iterable[IndexedDocument], update: Update) -> None:
        """Write documents that were read elsewhere with the settings of this index, and count them."""
        stream = iter(documents)
        while batch := list(islice(stream, BATCH)):
            known = self._store.digests([document.id for document in batch])
            self._write([each for each in batch if _is_new(each.id, each.digest, known, update)], update)

    @property
    def maker(self) -> Maker:
        """Return what reads the documents of this index; it can be sent to another process."""
        return self._maker

    def known(self) -> Iterator[tuple[str, str]]:
        """Return the ids of all documents with their digests."""
        ids = iter(list(self._store.ids()))
        while batch := list(islice(ids, KNOWN)):
            yield from self._store.digests(batch).items()

    def _write(self, documents: Sequence[IndexedDocument], update: Update) -> None:
        self._store.replace(documents)
        update.chunks += sum(len(document.chunks) for document in documents)

    def remove(self, ids: Iterable[str]) -> int:
        """Remove documents and return how many of them were there."""
        return self._store.remove(_texts(ids, "id"))

    def prune(self, kept: Container[str]) -> int:
        """Remove all documents but those with these ids, e.g. ``index.prune(index.add(documents).seen)``."""
        if not isinstance(kept, Container):
            raise ConfigError(f"The ids to be kept are {brief(kept)}; give a set of ids.")
        return self._store.remove([name for name in self._store.ids() if name not in kept])

    def search(
        self, query: str, *, limit: int = 10, labels: str | Sequence[str] = (), mode: str = "hybrid"
    ) -> list[Hit]:
        """Return the chunks that fit a query, best first.

        Args:
            query: words or a question.
            limit: how many, at most.
            labels: one or more of these, where they are given. "treatment" is in "disease.treatment"; ``*`` stands for
                anything; small and capital letters are the same.
            mode: "hybrid": by BM25 and by embedding, fused by their ranks, as far as the index has embeddings;
                "bm25" or "embedding": by one of them.

        Raises: ConfigError for options that cannot be, or embeddings that are not there.
        """
        self._check(query, limit, mode)
        labels = _texts(labels, "label")
        words = query_words(query, self._maker.settings.language)
        depth = min(max(DEPTH, limit), MOST)
        rankings: dict[str, list[int]] = {}
        if mode != "embedding":
            rankings["bm25"] = [number for number, _ in self._store.by_words(words, labels, depth)]
        if mode != "bm25" and (vector := self._query_vector(query)) is not None:
            rankings["embedding"] = [number for number, _ in self._store.by_vector(vector, labels, depth)]
        return self._hits(fused(rankings)[:limit], words)

    def _query_vector(self, query: str) -> np.ndarray[Any, np.dtype[np.float32]] | None:
        embedder = self._maker.embedder
        if embedder is None or not query.strip():
            return None
        vector = embedder.query_vector(query)
        return vector if vector.any() else None

    def _check(self, query: str, limit: int, mode: str) -> None:
        if not isinstance(query, str):
            raise ConfigError(f"The query is {brief(query)}; give a text.")
        if not isinstance(mode, str) or mode not in MODES:
            raise ConfigError(f"There is no mode {brief(mode)}; choose one of: {', '.join(MODES)}.")
        if not is_whole(limit, 1):
            raise ConfigError(f"'limit' is {brief(limit)}; it must be a whole number of at least 1.")
        if mode == "embedding" and not self.has_embeddings:
            raise ConfigError(
                "This index cannot be searched by embedding: its model has no space for queries, and no function "
                "'embed' was given."
            )

    def _hits(self, found: Sequence[tuple[int, float, dict[str, int]]], words: Sequence[str]) -> list[Hit]:
        numbers = [number for number, _, _ in found]
        snippets = self._store.snippets(words, numbers)
        chunks = self._store.chunks(numbers)
        return [
            Hit(chunks[number], score, ranks, snippets.get(number) or Snippet(_line(chunks[number].text)))
            for number, score, ranks in found
            if number in chunks
        ]

    def _changed(self, documents: Iterable[Document], update: Update) -> Iterator[tuple[Document, str]]:
        """Return the documents to be read, with their digests, and count all."""
        stream = iter(documents)
        while batch := list(islice(stream, BATCH)):
            known = self._store.digests([document.id for document in batch])
            for document in batch:
                own = digest(document)
                if _is_new(document.id, own, known, update):
                    yield document, own


def _is_new(name: str, own: str, known: Mapping[str, str], update: Update) -> bool:
    """Count a document and say whether it is to be written."""
    if name in update.seen:
        update.repeated.append(name)
        return False
    update.seen.add(name)
    if known.get(name) == own:
        update.unchanged += 1
        return False
    update.replaced += name in known
    update.added += name not in known
    return True


def _documents(given: Iterable[Document] | Mapping[str, str]) -> Iterator[Document]:
    if isinstance(given, Mapping):
        yield from (_named_text(name, text) for name, text in given.items())
        return
    yield from map(named, many(given, "documents"))


def _named_text(name: str, text: str) -> Document:
    if not isinstance(name, str) or not isinstance(text, str):
        raise ConfigError(f"The document {brief(name)} is {brief(text, 40)}; give {{id: text}}, both of them texts.")
    return replace(read_text(text), id=storable(name))


def _texts(given: str | Iterable[str], noun: str) -> list[str]:
    """Return texts, of which one alone is a list, too; raises ConfigError for what is none."""
    found = [given] if isinstance(given, str) else list(given) if isinstance(given, Iterable) else [given]
    if not all(isinstance(text, str) for text in found):
        raise ConfigError(f"The {noun}s are {brief(given)}; each must be a text.")
    return found


def _line(text: str, length: int = 200) -> str:
    line = " ".join(text[: 4 * length].split())
    return line if len(line) <= length else f"{line[: length - 1].rstrip()}…"
