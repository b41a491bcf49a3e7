"""Textsplit's greedy search; sentences are ours, for it has none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

from sector.baselines.splitters.splitter import Split, Splitter
from sector.baselines.splitters.vectors import Embed
from sector.document import Document


@dataclass
class TextSplit(Splitter):
    """Greedy splits that lengthen the sums of vectors (Alemi and Ginsparg 2015)."""

    name: ClassVar[str] = "textsplit"
    citation: ClassVar[str] = "Alemi and Ginsparg 2015, Text segmentation based on semantic word embeddings; textsplit"
    packages: ClassVar[tuple[str, ...]] = ("textsplit",)
    module: ClassVar[str] = "textsplit"
    parameter: ClassVar[str] = "penalty"
    grid: ClassVar[tuple[Any, ...]] = (0.8, 1.1, 1.4, 1.8, 2.3)

    value: float | None = None

    def splitting(self, value: Any, embed: Embed) -> Split:
        """Load the library."""
        algorithm = import_module("textsplit.algorithm")

        def split(document: Document) -> Sequence[int]:
            rows = embed(document.sentence_texts)
            if not len(rows):
                return [0]
            cuts = algorithm.split_greedy(rows, penalty=value).splits
            found: list[int] = document.spans.begin[[0, *cuts]].tolist()
            return found

        return split
