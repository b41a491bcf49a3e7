"""Batches of sentences, or of whole documents: pairs of the first sentence and the one after the last, in rows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray

from sector.baselines.neural.layers import Runs
from sector.training.prepared import SplitData

WINDOW = 300
"""Sentences of a document that a step of training looks at."""
READ_BATCH = 2048
"""Sentences that are read at once, if a single document has not more."""


def by_length(lengths: NDArray[np.int64], size: int, random: np.random.Generator) -> list[NDArray[np.int64]]:
    """Return batches of like length in random order; those without length are left out."""
    order = random.permutation(np.flatnonzero(lengths))
    order = order[np.argsort(lengths[order] + random.random(len(order)) * 8, kind="stable")]
    groups = [order[i : i + size] for i in range(0, len(order), size)]
    return [groups[index] for index in random.permutation(len(groups))]


def document_batches(split: SplitData, size: int, random: np.random.Generator) -> list[NDArray[np.int64]]:
    """Return every document once, those of like length together; a long one with a random window of it."""
    lengths = np.diff(split.document_offsets)
    first = split.document_offsets[:-1] + random.integers(0, np.maximum(lengths - WINDOW, 0) + 1)
    kept = np.minimum(lengths, WINDOW)
    spans = np.stack([first, first + kept], axis=1)
    return [spans[documents] for documents in by_length(kept, size, random)]


def reading_groups(split: SplitData) -> Iterator[NDArray[np.int64]]:
    """Return every document once and whole."""
    spans = np.stack([split.document_offsets[:-1], split.document_offsets[1:]], axis=1)
    spans = spans[spans[:, 1] > spans[:, 0]]
    spans = spans[np.argsort(spans[:, 1] - spans[:, 0], kind="stable")]
    begin = 0
    while begin < len(spans):
        sizes = np.cumsum(spans[begin:, 1] - spans[begin:, 0])
        count = max(1, int(np.searchsorted(sizes, READ_BATCH, side="right")))
        yield spans[begin : begin + count]
        begin += count


def numbers_of(spans: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the numbers of all sentences within the spans."""
    return np.concatenate([np.arange(begin, end) for begin, end in spans.tolist()])


def document_runs(spans: NDArray[np.int64], device: torch.device) -> Runs:
    """Lay out the documents of a batch whose sentences stand in rows one after the other."""
    lengths = spans[:, 1] - spans[:, 0]
    return Runs.of(np.cumsum(lengths) - lengths, lengths, int(lengths.sum()), device)
