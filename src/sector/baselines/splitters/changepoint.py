"""Our own search for change points, without any trained model, on the same vectors as the external splitters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from sector.baselines.splitters.splitter import Split, Splitter
from sector.baselines.splitters.vectors import Embed
from sector.document import Document
from sector.segmentation import Reading, make


@dataclass
class ChangePoints(Splitter):
    """The segmentation ``changepoint``."""

    name: ClassVar[str] = "changepoint"
    citation: ClassVar[str] = "docs/segmentation.md; the search is that of Killick et al. 2012"
    packages: ClassVar[tuple[str, ...]] = ("numpy",)
    module: ClassVar[str] = "numpy"
    parameter: ClassVar[str] = "granularity"
    grid: ClassVar[tuple[Any, ...]] = (0.85, 1.0, 1.15, 1.3, 1.5)

    value: float | None = None

    def splitting(self, value: Any, embed: Embed) -> Split:
        """Make the segmentation."""
        method = make("changepoint", granularity=value)

        def split(document: Document) -> Sequence[int]:
            reading = Reading.of_vectors(embed(document.sentence_texts), document.spans.paragraph_end)
            found: list[int] = document.spans.begin[method.starts(reading)].tolist()
            return found

        return split
