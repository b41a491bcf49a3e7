"""LangChain's SemanticChunker (langchain-experimental)."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

from sector.baselines.splitters.align import begins
from sector.baselines.splitters.splitter import PercentileSplitter, Split
from sector.baselines.splitters.vectors import Embed


@dataclass
class LangChain(PercentileSplitter):
    """Cuts at the largest distances of neighbouring groups of sentences."""

    name: ClassVar[str] = "langchain"
    citation: ClassVar[str] = "LangChain, SemanticChunker"
    packages: ClassVar[tuple[str, ...]] = ("langchain-experimental",)
    module: ClassVar[str] = "langchain_experimental.text_splitter"

    value: int | None = None

    def splitting(self, value: Any, embed: Embed) -> Split:
        """Load the library."""
        library = import_module("langchain_experimental.text_splitter")
        chunker = library.SemanticChunker(StaticEmbeddings(embed), breakpoint_threshold_amount=value)
        return lambda document: begins(document.text, chunker.split_text(document.text))


class StaticEmbeddings:
    """The two methods that LangChain asks of embeddings."""

    def __init__(self, embed: Embed) -> None:
        self._embed = embed

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return a vector per text."""
        rows: list[list[float]] = self._embed(texts).tolist()
        return rows

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of one text."""
        return self.embed_documents([text])[0]
