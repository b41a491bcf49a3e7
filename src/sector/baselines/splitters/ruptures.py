"""Ruptures' KernelCPD with its cosine kernel; sentences are ours, for it has none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

from sector.baselines.splitters.splitter import Split, Splitter
from sector.baselines.splitters.vectors import Embed
from sector.document import Document


@dataclass
class Ruptures(Splitter):
    """Optimal partitioning by a kernel (Truong et al. 2020)."""

    name: ClassVar[str] = "ruptures"
    citation: ClassVar[str] = "Truong et al. 2020, Selective review of offline change point detection methods; ruptures"
    packages: ClassVar[tuple[str, ...]] = ("ruptures",)
    module: ClassVar[str] = "ruptures"
    parameter: ClassVar[str] = "penalty"
    grid: ClassVar[tuple[Any, ...]] = (1.2, 1.4, 1.6, 1.8, 2.2)

    value: float | None = None

    def splitting(self, value: Any, embed: Embed) -> Split:
        """Load the library."""
        detection = import_module("ruptures")

        def split(document: Document) -> Sequence[int]:
            rows = embed(document.sentence_texts)
            if len(rows) < 4 or not rows.any():
                return [0]
            ends = detection.KernelCPD(kernel="cosine", min_size=2).fit(rows).predict(pen=value)
            found: list[int] = document.spans.begin[[0, *ends[:-1]]].tolist()
            return found

        return split
