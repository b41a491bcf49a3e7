"""Haystack's EmbeddingBasedDocumentSplitter; its sentences need nltk's punkt, which LlamaIndex carries."""

from __future__ import annotations

import os
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from splitters import vectors
from splitters.align import begins
from splitters.peer import Peer, SplitAll, one_by_one

LONG = 1_000_000
"""A split may have this many characters: only the topic decides."""


def _embedder() -> Any:
    class StaticEmbedder:
        """What Haystack asks of an embedder of documents."""

        def run(self, documents: list[Any]) -> dict[str, list[Any]]:
            rows = vectors.embed([document.content for document in documents]).tolist()
            embedded = [replace(document, embedding=row) for document, row in zip(documents, rows, strict=True)]
            return {"documents": embedded}

    return StaticEmbedder()


def _find_punkt() -> None:
    found = find_spec("llama_index")
    for folder in found.submodule_search_locations or [] if found else []:
        os.environ.setdefault("NLTK_DATA", str(Path(folder) / "core" / "_static" / "nltk_cache"))


def _make(percentile: float) -> SplitAll:
    _find_punkt()
    library = import_module("haystack")
    preprocessors = import_module("haystack.components.preprocessors")
    vectors.model()
    splitter = preprocessors.EmbeddingBasedDocumentSplitter(
        document_embedder=_embedder(), percentile=percentile, min_length=50, max_length=LONG
    )
    splitter.warm_up()

    def split(text: str) -> list[int]:
        parts: list[Any] = splitter.run(documents=[library.Document(content=text)])["documents"]
        return begins(text, [part.content for part in parts])

    return one_by_one(split)


PEER = Peer(
    "Haystack EmbeddingBasedDocumentSplitter",
    ("haystack-ai", vectors.PACKAGE),
    "percentile",
    (0.6, 0.7, 0.8, 0.9, 0.95),
    _make,
)
