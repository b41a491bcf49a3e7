"""Batches: every document once per epoch, packed without padding, long ones in windows."""

from __future__ import annotations

import numpy as np
from synthetic import split

from sector.training.batches import pack, reading_batches, training_batches


def test_pack_interleaves_longest_first() -> None:
    batch = pack(np.array([0, 2, 3]), np.array([2, 1, 3]))
    assert batch.sentences.tolist() == [3, 0, 2, 4, 1, 5]
    assert batch.sizes.tolist() == [3, 2, 1]


def test_an_epoch_has_every_sentence_once() -> None:
    data = split(20)
    batches = list(training_batches(data, 4, 100, np.random.default_rng(0)))
    assert sorted(np.concatenate([b.sentences for b in batches]).tolist()) == list(range(data.sentences))
    assert max(b.sizes[0] for b in batches) == 4


def test_epochs_differ_and_seeds_repeat() -> None:
    data = split(20)
    random, again = np.random.default_rng(5), np.random.default_rng(5)
    first, second = ([b.sentences.tolist() for b in training_batches(data, 4, 100, random)] for _ in range(2))
    assert first != second
    assert first == [b.sentences.tolist() for b in training_batches(data, 4, 100, again)]


def test_long_documents_give_random_windows() -> None:
    data, random = split(30), np.random.default_rng(0)
    seen: set[int] = set()
    for _ in range(100):
        for batch in training_batches(data, 4, 3, random):
            assert len(batch.sizes) <= 3
            seen |= set(batch.sentences.tolist())
    assert seen == set(range(data.sentences))


def test_reading_covers_whole_documents() -> None:
    data = split(9)
    read = np.concatenate([b.sentences for b in reading_batches(data, 4)])
    assert sorted(read.tolist()) == list(range(data.sentences))
