"""Small prepared data made by rule: each word belongs to one label, so that a network can learn it by heart."""

from __future__ import annotations

import numpy as np

from sector.encoders.features import WordFeatures
from sector.tasks import TaskName
from sector.training.prepared import PreparedData, SplitData

LABELS = ("cause", "symptom", "treatment")
WORDS = 30
WIDTH = 32


def features(seed: int = 0) -> WordFeatures:
    random = np.random.default_rng(seed)
    indices = np.concatenate([random.choice(WIDTH, 2, replace=False) for _ in range(WORDS)]).astype(np.int32)
    return WordFeatures(
        pooling="sum",
        width=WIDTH,
        indices=indices,
        values=np.ones(2 * WORDS, np.float32),
        offsets=np.arange(WORDS + 1, dtype=np.int64) * 2,
    )


def split(documents: int, seed: int = 0, labelled: bool = True) -> SplitData:
    """Documents of 1 to 12 sentences in runs of one label; each sentence has 1 to 4 words of its label."""
    random = np.random.default_rng(seed)
    lengths = random.integers(1, 13, documents)
    labels = [np.sort(random.integers(0, len(LABELS), n)) for n in lengths]
    sections: list[np.ndarray[tuple[int], np.dtype[np.int64]]] = []
    section_labels: list[int] = []
    for row in labels:
        change = np.concatenate([[True], row[1:] != row[:-1]])
        sections.append(np.cumsum(change) - 1 + len(section_labels))
        section_labels += row[change].tolist()
    words = [
        random.integers(0, WORDS // len(LABELS), random.integers(1, 5)) + label * WORDS // len(LABELS)
        for row in labels
        for label in row
    ]
    return SplitData(
        words=np.concatenate(words).astype(np.uint32),
        word_offsets=offsets([len(w) for w in words]),
        document_offsets=offsets(lengths.tolist()),
        sections=np.concatenate(sections).astype(np.int64),
        labels=np.array(section_labels if labelled else [], np.int64),
        label_offsets=offsets([int(labelled)] * len(section_labels)),
        flags=np.zeros((int(lengths.sum()), 0), np.uint8),
    )


def offsets(lengths: list[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def prepared(task: TaskName = "topics", documents: int = 12) -> PreparedData:
    splits = {"train": split(documents), "validation": split(5, seed=9)}
    return PreparedData(task, LABELS, features(), splits, {"fingerprint": "synthetic"})
