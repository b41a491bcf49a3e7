"""Our models as rows of the table: ``sector.load(MODEL).segment_all(texts)``."""

from __future__ import annotations

from collections.abc import Sequence

import sector
from sector.document import Document
from splitters.peer import Peer, SplitAll

LABELS = "begins where the label changes"


def model_peer(name: str, segmentation: str | None = None) -> Peer:
    """Make the row of a model with its own segmentation, or another one; there is nothing to choose.

    With ``LABELS`` neighbours of one label count as one section, as the protocol counts those of the gold standard.
    """
    title = f"sector {name}" + (f", {segmentation}" if segmentation else "")
    return Peer(
        title, ("onnxruntime",), "segmentation", (segmentation or "default",), lambda _: _make(name, segmentation)
    )


def _make(name: str, segmentation: str | None) -> SplitAll:
    model = sector.load(name)
    method = None if segmentation == LABELS else segmentation

    def split_all(texts: Sequence[str]) -> list[list[int]]:
        documents = model.segment_all(texts, segmentation=method)
        return [_begins(document, segmentation == LABELS) for document in documents]

    return split_all


def _begins(document: Document, merged: bool) -> list[int]:
    labels = [None, *(section.label for section in document.sections)]
    changes = zip(document.sections, labels, strict=False)
    return [section.begin for section, before in changes if not merged or section.label != before]
