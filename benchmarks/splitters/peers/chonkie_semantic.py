"""chonkie's SemanticChunker."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from splitters import vectors
from splitters.align import begins
from splitters.peer import Peer, SplitAll, one_by_one

LONG = 100_000
"""A chunk may have this many tokens: only the topic decides."""


def _embeddings() -> Any:
    base: Any = import_module("chonkie.embeddings").BaseEmbeddings

    class StaticEmbeddings(base):  # type: ignore[misc]
        """What chonkie asks of embeddings."""

        def embed(self, text: str) -> Any:
            return vectors.embed([text])[0]

        def embed_batch(self, texts: list[str]) -> Any:
            return list(vectors.embed(texts))

        @property
        def dimension(self) -> int:
            return 256

        def get_tokenizer(self) -> Any:
            return "character"

    return StaticEmbeddings()


def _make(threshold: float) -> SplitAll:
    library = import_module("chonkie")
    vectors.model()
    chunker = library.SemanticChunker(embedding_model=_embeddings(), threshold=threshold, chunk_size=LONG)
    return one_by_one(lambda text: begins(text, [chunk.text for chunk in chunker.chunk(text)]))


PEER = Peer("chonkie SemanticChunker", ("chonkie", vectors.PACKAGE), "threshold", (0.05, 0.1, 0.2, 0.4, 0.8), _make)
