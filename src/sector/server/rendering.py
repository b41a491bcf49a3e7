"""Segmented documents as JSON: what the command prints, and the details that the page draws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sector.arrays import Floats2d
from sector.chunks import Packer, chunks_of
from sector.document import Document

COLUMNS = 1000
"""Most columns of a heat map; in a longer document a column stands for several sentences."""
ROWS = 12
"""Most labels of a heat map: those of the sections first, then the most probable ones."""
DIGITS = 4


def record(document: Document, details: bool) -> dict[str, Any]:
    """Return the JSON object of a document."""
    return document.to_dict() | (_details(document) if details else {})


def chunk_record(document: Document, packer: Packer) -> dict[str, Any]:
    """Return the JSON object of a document that was cut into chunks."""
    chunks = [chunk.to_dict() for chunk in chunks_of(document, packer)]
    return {"id": document.id, "model": document.model, "length": len(document.text), "chunks": chunks}


def _details(document: Document) -> dict[str, Any]:
    deviation = document.deviation if document.deviation is not None else np.zeros(len(document), np.float32)
    return {
        "sentences": list(zip(document.spans.begin.tolist(), document.spans.end.tolist(), strict=True)),
        "deviation": np.nan_to_num(deviation).astype(np.float64).round(DIGITS).tolist(),
        "heatmap": _heatmap(document),
    }


def _heatmap(document: Document) -> dict[str, Any]:
    if document.probabilities is None or not len(document.probabilities):
        return {"columns": 0, "labels": {}}
    places = {label: number for number, label in enumerate(document.labels)}
    names = _best_labels(document, document.probabilities)
    shown = _pooled(document.probabilities[:, [places[name] for name in names]]).astype(np.float64).round(DIGITS)
    return {"columns": len(shown), "labels": dict(zip(names, shown.T.tolist(), strict=True))}


def _best_labels(document: Document, probabilities: Floats2d) -> Sequence[str]:
    best = [label for section in document.sections if section.distribution for label in section.distribution.ranked(1)]
    means = probabilities.mean(axis=0, dtype=np.float32)
    best += [document.labels[i] for i in np.argsort(-means, kind="stable")[:ROWS]]
    known = set(document.labels)
    return [name for name in dict.fromkeys(best) if name in known][:ROWS]


def _pooled(rows: Floats2d) -> Floats2d:
    """Return at most ``COLUMNS`` rows, [columns, labels], each the mean of its neighbours."""
    if len(rows) <= COLUMNS:
        return rows
    begins = np.linspace(0, len(rows), COLUMNS, endpoint=False).astype(int)
    counts = np.diff(begins, append=len(rows))
    return (np.add.reduceat(rows, begins, axis=0, dtype=np.float32) / counts[:, None]).astype(np.float32)
