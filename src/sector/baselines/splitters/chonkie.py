"""Chonkie's SemanticChunker."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

from sector.baselines.splitters.align import begins
from sector.baselines.splitters.splitter import Split, Splitter
from sector.baselines.splitters.vectors import Embed

LONG = 100_000
"""A chunk may have this many tokens: only the topic decides."""


@dataclass
class Chonkie(Splitter):
    """Cuts where a sentence is too far from the group before it."""

    name: ClassVar[str] = "chonkie"
    citation: ClassVar[str] = "chonkie, SemanticChunker"
    packages: ClassVar[tuple[str, ...]] = ("chonkie",)
    module: ClassVar[str] = "chonkie.embeddings"
    parameter: ClassVar[str] = "threshold"
    grid: ClassVar[tuple[Any, ...]] = (0.05, 0.1, 0.2, 0.4, 0.8)

    value: float | None = None

    def splitting(self, value: Any, embed: Embed) -> Split:
        """Load the library."""
        library = import_module("chonkie")
        chunker = library.SemanticChunker(embedding_model=_embeddings(embed), threshold=value, chunk_size=LONG)
        return lambda document: begins(document.text, [chunk.text for chunk in chunker.chunk(document.text)])


def _embeddings(embed: Embed) -> Any:
    base: Any = import_module("chonkie.embeddings").BaseEmbeddings
    width = embed(["a"]).shape[1]

    class StaticEmbeddings(base):  # type: ignore[misc]
        """What chonkie asks of embeddings."""

        def embed(self, text: str) -> Any:
            return embed([text])[0]

        def embed_batch(self, texts: list[str]) -> Any:
            return list(embed(texts))

        @property
        def dimension(self) -> int:
            return int(width)

        def get_tokenizer(self) -> Any:
            return "character"

    return StaticEmbeddings()
