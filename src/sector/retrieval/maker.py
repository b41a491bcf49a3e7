"""What an index is made and searched with: its settings, its model, how chunks and queries are embedded."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sector.arrays import Floats1d
from sector.chunks import AnyTokenizer, Chunk
from sector.chunks.names import tokenizer_named
from sector.chunks.tokens import token_counter
from sector.document import Document
from sector.errors import ConfigError
from sector.retrieval.embedding import Embedder, EmbeddingFunction, FunctionEmbedder, SpaceEmbedder
from sector.retrieval.reading import chunked
from sector.retrieval.settings import OWN, IndexSettings
from sector.retrieval.store import IndexedDocument, Store
from sector.structure import check_headings
from sector.values import is_whole
from sector.visible import brief

if TYPE_CHECKING:
    from sector.runtime import Model

FUNCTION, SPACE = "function", "space"


@dataclass(frozen=True)
class Maker:
    """The model is loaded when it is first needed: a search by words needs none."""

    settings: IndexSettings
    place: str
    given_model: Model | None = None
    given_tokenizer: AnyTokenizer = None
    embed: EmbeddingFunction | None = None

    @cached_property
    def model(self) -> Model:
        """Load the model; raises ConfigError where it is another one by now."""
        from sector.runtime import load
        from sector.runtime.fingerprint import model_fingerprint

        model = self.given_model or load(self.settings.model)
        if model_fingerprint(model.folder) != self.settings.fingerprint:
            raise ConfigError(
                f"The index {self.place} was made with another version of the model {self.settings.model}; make it "
                "again with --overwrite, or search it by words alone (mode bm25)."
            )
        return model

    @cached_property
    def embedder(self) -> Embedder | None:
        """Return what embeds chunks and queries; None where nothing does."""
        if self.settings.embedding == SPACE:
            return SpaceEmbedder(self.model)
        return FunctionEmbedder(self.embed) if self.embed else None

    def vectors(self, chunks: Sequence[Chunk]) -> Sequence[Floats1d | None]:
        """Return the vectors of chunks; None without."""
        return self.embedder.chunk_vectors(chunks) if self.embedder else [None] * len(chunks)

    def indexed(self, documents: Iterable[tuple[Document, str]]) -> Iterator[IndexedDocument]:
        """Return documents, given with their digests, as a store keeps them; what another model read has no vectors."""
        digests = deque[str]()

        def noted() -> Iterator[Document]:
            for document, own in documents:
                digests.append(own)
                yield document

        for document, chunks, is_own in chunked(noted(), self.model, **self.reading_options()):
            vectors = self.vectors(chunks) if is_own else [None] * len(chunks)
            kept = [replace(chunk, embedding=vector) for chunk, vector in zip(chunks, vectors, strict=True)]
            yield IndexedDocument(document.id, digests.popleft(), kept)

    def reading_options(self) -> dict[str, Any]:
        """Return the keyword arguments of ``chunked``; raises ConfigError where something is to be given again."""
        settings = self.settings
        if settings.embedding == FUNCTION and self.embed is None:
            raise ConfigError(f"The index {self.place} has the embeddings of a function; give it again as 'embed'.")
        if settings.tokenizer == OWN and self.given_tokenizer is None:
            raise ConfigError(f"The index {self.place} was made with a tokenizer of your own; give it again.")
        tokenizer = self.given_tokenizer if settings.tokenizer == OWN else tokenizer_named(settings.tokenizer)
        return {
            "max_tokens": settings.max_tokens,
            "tokenizer": tokenizer,
            "headings": settings.headings,
            "by_language": settings.by_language,
        }


def opened(
    store: Store,
    model: str | Path | Model | None,
    tokenizer: AnyTokenizer,
    embed: EmbeddingFunction | None,
    options: Mapping[str, Any],
    overwrite: bool,
) -> Maker:
    """Return what the index in a store is made with, after writing it into a new one.

    Raises ConfigError for options that cannot be, or that are not those of the index.
    """
    if not (model is None or isinstance(model, str | os.PathLike) or hasattr(model, "segment_all")):
        raise ConfigError(f"The model is {brief(model)}; give a name, a folder, or what sector.load returns.")
    if embed is not None and not callable(embed):
        raise ConfigError(f"'embed' is {brief(embed)}; give a function from a list of texts to an array.")
    given = {**options, "tokenizer": _tokenizer_name(tokenizer)}
    if is_whole(given["max_tokens"], 1):
        given["max_tokens"] = int(given["max_tokens"])  # of numpy, too
    record = {} if overwrite else store.settings()
    if not record:
        maker = _new(store.name, model, tokenizer, embed, given)
        store.begin(maker.settings.to_dict(), overwrite=overwrite)
        record = store.settings()  # another process may have been faster
        if record == maker.settings.to_dict():
            return maker
    settings = IndexSettings.from_dict(record, store.name)
    loaded = _check_model(settings, model, store.name)
    settings.check({**given, "embedding": FUNCTION if embed else None}, store.name)
    return Maker(settings, store.name, loaded, tokenizer, embed)


def _new(
    place: str,
    model: str | Path | Model | None,
    tokenizer: AnyTokenizer,
    embed: EmbeddingFunction | None,
    given: Mapping[str, Any],
) -> Maker:
    from sector.chunks import Packer
    from sector.runtime import load, models
    from sector.runtime.fingerprint import model_fingerprint

    loaded = load(model) if model is None or isinstance(model, str | Path) else model
    settings = IndexSettings(
        loaded.name if loaded.name in models() else str(loaded.folder.path.resolve()),
        model_fingerprint(loaded.folder),
        loaded.config.language,
        by_language=model is None,
        embedding=FUNCTION if embed else SPACE if loaded.space else "",
        **{name: value for name, value in given.items() if value is not None},
    )
    check_headings(settings.headings)
    if settings.max_tokens is not None:
        Packer(settings.max_tokens, tokenizer_named(tokenizer) if isinstance(tokenizer, str) else tokenizer)
    return Maker(settings, place, loaded, tokenizer, embed)


def _check_model(settings: IndexSettings, model: str | Path | Model | None, place: str) -> Model | None:
    """Raise ConfigError for another model than that of the index; return it where it is loaded."""
    from sector.runtime import find
    from sector.runtime.fingerprint import model_fingerprint

    if model is None:
        return None
    loaded = None if isinstance(model, str | Path) else model
    folder = find(model) if isinstance(model, str | Path) else model.folder
    if model_fingerprint(folder) != settings.fingerprint:
        settings.check({"model": str(folder.path.resolve().name)}, place)
        settings.check({"fingerprint": model_fingerprint(folder)}, place)
    return loaded


def _tokenizer_name(tokenizer: AnyTokenizer) -> str | None:
    """Return the name of a tokenizer, after a check that it is one."""
    if tokenizer is None:
        return None
    if isinstance(tokenizer, str):
        tokenizer_named(tokenizer)
        return tokenizer
    token_counter(tokenizer)
    return OWN
