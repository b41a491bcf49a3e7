"""LlamaIndex's SemanticSplitterNodeParser."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from splitters import vectors
from splitters.align import begins
from splitters.peer import Peer, SplitAll, one_by_one


def _embedding() -> Any:
    base: Any = import_module("llama_index.core.base.embeddings.base").BaseEmbedding

    class StaticEmbedding(base):  # type: ignore[misc]
        """What LlamaIndex asks of embeddings."""

        def _get_text_embedding(self, text: str) -> list[float]:
            return self._get_text_embeddings([text])[0]

        def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
            rows: list[list[float]] = vectors.embed(texts).tolist()
            return rows

        def _get_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

    return StaticEmbedding(embed_batch_size=2048)


def _make(percentile: int) -> SplitAll:
    library = import_module("llama_index.core")
    parsers = import_module("llama_index.core.node_parser")
    vectors.model()
    parser = parsers.SemanticSplitterNodeParser(
        embed_model=_embedding(), breakpoint_percentile_threshold=percentile, include_metadata=False
    )

    def split(text: str) -> list[int]:
        nodes: list[Any] = parser.get_nodes_from_documents([library.Document(text=text)])
        return begins(text, [node.text for node in nodes])

    return one_by_one(split)


PEER = Peer(
    "LlamaIndex SemanticSplitter", ("llama-index-core", vectors.PACKAGE), "percentile", (90, 95, 97, 98, 99), _make
)
