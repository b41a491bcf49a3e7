"""Our models as rows of the table: ``sector.load(MODEL).segment_all(texts)``."""

from __future__ import annotations

from collections.abc import Sequence

import sector
from splitters.peer import Peer, SplitAll


def model_peer(name: str, segmentation: str | None = None) -> Peer:
    """Make the row of a model with its own segmentation, or another one; there is nothing to choose."""
    title = f"sector {name}" + (f", {segmentation}" if segmentation else "")
    return Peer(
        title, ("onnxruntime",), "segmentation", (segmentation or "default",), lambda _: _make(name, segmentation)
    )


def _make(name: str, segmentation: str | None) -> SplitAll:
    model = sector.load(name)

    def split_all(texts: Sequence[str]) -> list[list[int]]:
        documents = model.segment_all(texts, segmentation=segmentation)
        return [[section.begin for section in document.sections] for document in documents]

    return split_all
