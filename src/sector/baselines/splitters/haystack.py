"""Haystack's EmbeddingBasedDocumentSplitter; its sentences need nltk's punkt, which LlamaIndex carries."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

from sector.baselines.splitters.align import begins
from sector.baselines.splitters.splitter import Split, Splitter
from sector.baselines.splitters.vectors import Embed
from sector.document import Document

LONG = 1_000_000
"""A split may have this many characters: only the topic decides."""


@dataclass
class Haystack(Splitter):
    """Cuts where neighbouring groups of sentences are farthest apart."""

    name: ClassVar[str] = "haystack"
    citation: ClassVar[str] = "Haystack, EmbeddingBasedDocumentSplitter"
    packages: ClassVar[tuple[str, ...]] = ("haystack-ai",)
    module: ClassVar[str] = "haystack.components.preprocessors"
    parameter: ClassVar[str] = "percentile"
    grid: ClassVar[tuple[Any, ...]] = (0.6, 0.7, 0.8, 0.9, 0.95)

    value: float | None = None

    def splitting(self, value: Any, embed: Embed) -> Split:
        """Load the library."""
        _find_punkt()
        library = import_module("haystack")
        preprocessors = import_module("haystack.components.preprocessors")
        splitter = preprocessors.EmbeddingBasedDocumentSplitter(
            document_embedder=_embedder(embed), percentile=value, min_length=50, max_length=LONG
        )
        splitter.warm_up()

        def split(document: Document) -> Sequence[int]:
            parts: list[Any] = splitter.run(documents=[library.Document(content=document.text)])["documents"]
            return begins(document.text, [part.content for part in parts])

        return split


def _embedder(embed: Embed) -> Any:
    class StaticEmbedder:
        """What Haystack asks of an embedder of documents."""

        def run(self, documents: list[Any]) -> dict[str, list[Any]]:
            rows = embed([document.content for document in documents]).tolist()
            embedded = [replace(document, embedding=row) for document, row in zip(documents, rows, strict=True)]
            return {"documents": embedded}

    return StaticEmbedder()


def _find_punkt() -> None:
    os.environ.setdefault("HAYSTACK_TELEMETRY_ENABLED", "False")
    found = find_spec("llama_index")
    for folder in found.submodule_search_locations or [] if found else []:
        os.environ.setdefault("NLTK_DATA", str(Path(folder) / "core" / "_static" / "nltk_cache"))
