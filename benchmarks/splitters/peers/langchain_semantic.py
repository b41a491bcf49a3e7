"""LangChain's SemanticChunker (langchain-experimental)."""

from __future__ import annotations

from importlib import import_module

from splitters import vectors
from splitters.align import begins
from splitters.peer import Peer, SplitAll, one_by_one


class StaticEmbeddings:
    """The two methods that LangChain asks of embeddings."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Give a vector per text."""
        rows: list[list[float]] = vectors.embed(texts).tolist()
        return rows

    def embed_query(self, text: str) -> list[float]:
        """Give the vector of one text."""
        return self.embed_documents([text])[0]


def _make(percentile: float) -> SplitAll:
    library = import_module("langchain_experimental.text_splitter")
    vectors.model()
    chunker = library.SemanticChunker(StaticEmbeddings(), breakpoint_threshold_amount=percentile)
    return one_by_one(lambda text: begins(text, chunker.split_text(text)))


PEER = Peer(
    "LangChain SemanticChunker",
    ("langchain-experimental", vectors.PACKAGE),
    "percentile",
    (90, 95, 97, 98, 99),
    _make,
)
