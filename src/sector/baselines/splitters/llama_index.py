"""LlamaIndex's SemanticSplitterNodeParser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

from sector.baselines.splitters.align import begins
from sector.baselines.splitters.splitter import PercentileSplitter, Split
from sector.baselines.splitters.vectors import Embed
from sector.document import Document


@dataclass
class LlamaIndex(PercentileSplitter):
    """Cuts at the largest distances of neighbouring groups of sentences."""

    name: ClassVar[str] = "llama-index"
    citation: ClassVar[str] = "LlamaIndex, SemanticSplitterNodeParser"
    packages: ClassVar[tuple[str, ...]] = ("llama-index-core",)
    module: ClassVar[str] = "llama_index.core.node_parser"

    value: int | None = None

    def splitting(self, value: Any, embed: Embed) -> Split:
        """Load the library."""
        library = import_module("llama_index.core")
        parsers = import_module("llama_index.core.node_parser")
        parser = parsers.SemanticSplitterNodeParser(
            embed_model=_embedding(embed), breakpoint_percentile_threshold=value, include_metadata=False
        )

        def split(document: Document) -> Sequence[int]:
            nodes: list[Any] = parser.get_nodes_from_documents([library.Document(text=document.text)])
            return begins(document.text, [node.text for node in nodes])

        return split


def _embedding(embed: Embed) -> Any:
    base: Any = import_module("llama_index.core.base.embeddings.base").BaseEmbedding

    class StaticEmbedding(base):  # type: ignore[misc]
        """What LlamaIndex asks of embeddings."""

        def _get_text_embedding(self, text: str) -> list[float]:
            return self._get_text_embeddings([text])[0]

        def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
            rows: list[list[float]] = embed(texts).tolist()
            return rows

        def _get_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

    return StaticEmbedding(embed_batch_size=2048)
