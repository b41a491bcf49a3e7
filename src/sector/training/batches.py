"""Batches: documents of like length together, long ones cut to a random window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sector.training.prepared import SplitData

POOL = 32
"""Batches whose documents are sorted by length together: large enough to save steps, small enough to mix the order."""

SHORTEST = 10
"""Sentences that a document is cut to at least."""


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Runs of sentences, one after the other, and how they are laid out by step and document."""

    sentences: NDArray[np.int64]
    """[rows] sentence numbers"""
    layout: tuple[NDArray[np.int64], ...]
    """forward, backward, forward_place and backward_place of a `Layout`"""
    documents: int

    def __len__(self) -> int:
        return self.documents


def lay_out(begins: NDArray[np.int64], lengths: NDArray[np.int64]) -> Batch:
    """Put runs of sentences, each given by its begin and its length, side by side."""
    rows, documents = int(lengths.sum()), len(lengths)
    step = np.arange(lengths.max())[:, None]
    first = np.cumsum(lengths) - lengths
    alive = step < lengths
    forward = np.where(alive, first + step, rows)
    backward = np.where(alive, first + lengths - 1 - step, rows)
    document = np.repeat(np.arange(documents), lengths)
    within = np.arange(rows) - first[document]
    return Batch(
        sentences=begins[document] + within,
        layout=(
            forward.ravel(),
            backward.ravel(),
            within * documents + document,
            (lengths[document] - 1 - within) * documents + document,
        ),
        documents=documents,
    )


def training_batches(
    split: SplitData, size: int, window: int, random: np.random.Generator, crop: float = 0.0
) -> Iterator[Batch]:
    """Return one epoch: every document once, in an order and with windows that ``random`` decides.

    A share ``crop`` of the documents is cut to a part of any length.
    """
    begins, lengths = _windows(split, window, random, crop)
    shuffled = random.permutation(np.flatnonzero(lengths))
    groups = [
        part
        for pool in range(0, len(shuffled), size * POOL)
        for part in _by_length(shuffled[pool : pool + size * POOL], lengths, size)
    ]
    for index in random.permutation(len(groups)):
        documents = groups[index]
        yield lay_out(begins[documents], lengths[documents])


def reading_batches(split: SplitData, size: int) -> Iterator[Batch]:
    """Return every document once and whole, for prediction."""
    lengths = np.diff(split.document_offsets)
    for documents in _by_length(np.flatnonzero(lengths), lengths, size):
        yield lay_out(split.document_offsets[:-1][documents], lengths[documents])


def _windows(
    split: SplitData, window: int, random: np.random.Generator, crop: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    lengths = np.diff(split.document_offsets)
    kept = np.minimum(lengths, window)
    if crop:
        cut = random.random(len(lengths)) < crop
        kept = np.where(cut, random.integers(np.minimum(kept, SHORTEST), kept + 1), kept)
    shift = random.integers(0, lengths - kept + 1)
    return split.document_offsets[:-1] + shift, kept


def _by_length(documents: NDArray[np.int64], lengths: NDArray[np.int64], size: int) -> list[NDArray[np.int64]]:
    documents = documents[np.argsort(lengths[documents], kind="stable")]
    return [documents[i : i + size] for i in range(0, len(documents), size)]
