"""Batches: every document once per epoch, packed without padding, long ones in windows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from synthetic import split

from sector.training.batches import SHORTEST, lay_out, reading_batches, training_batches


def test_documents_stand_side_by_side_in_both_directions() -> None:
    batch = lay_out(np.array([10, 20, 30]), np.array([2, 1, 3]))
    forward, backward, forward_place, backward_place = batch.layout
    assert batch.sentences.tolist() == [10, 11, 20, 30, 31, 32]
    assert forward.reshape(3, 3).tolist() == [[0, 2, 3], [1, 6, 4], [6, 6, 5]]
    assert backward.reshape(3, 3).tolist() == [[1, 2, 5], [0, 6, 4], [6, 6, 3]]
    assert forward[forward_place].tolist() == backward[backward_place].tolist() == list(range(6))


def test_an_epoch_has_every_sentence_once() -> None:
    data = split(20)
    batches = list(training_batches(data, 4, 100, np.random.default_rng(0)))
    assert sorted(np.concatenate([b.sentences for b in batches]).tolist()) == list(range(data.sentences))
    assert max(b.documents for b in batches) == 4


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
            assert len(batch.layout[0]) <= 3 * batch.documents
            seen |= set(batch.sentences.tolist())
    assert seen == set(range(data.sentences))


def test_reading_covers_whole_documents() -> None:
    data = split(9)
    read = np.concatenate([b.sentences for b in reading_batches(data, 4)])
    assert sorted(read.tolist()) == list(range(data.sentences))


def test_cropped_documents_are_within_bounds_and_all_of_them_is_seen() -> None:
    data, random = replace(split(1), document_offsets=np.array([0, 4, 34, 134])), np.random.default_rng(0)
    lengths: list[list[int]] = [[], [], []]
    seen: set[int] = set()
    for _ in range(300):
        for batch in training_batches(data, 1, 50, random, crop=1.0):
            document = int(np.searchsorted(data.document_offsets, batch.sentences[0], side="right")) - 1
            begin, end = data.document_offsets[document : document + 2]
            assert begin <= batch.sentences[0] and batch.sentences[-1] < end
            assert (np.diff(batch.sentences) == 1).all()
            lengths[document].append(len(batch.sentences))
            seen |= set(batch.sentences.tolist())
    assert [(min(found), max(found)) for found in lengths] == [(4, 4), (SHORTEST, 30), (SHORTEST, 50)]
    assert all(len(found) == 300 for found in lengths)
    assert seen == set(range(134))


def test_crop_is_the_share_of_documents_that_are_cut() -> None:
    data = replace(split(1), document_offsets=np.arange(0, 400 * 50 + 1, 50))
    batches = training_batches(data, 1, 50, np.random.default_rng(1), crop=0.3)
    cut = sum(len(batch.sentences) < 50 for batch in batches)
    assert 80 < cut < 160
