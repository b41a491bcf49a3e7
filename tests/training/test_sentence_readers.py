"""Sentence vectors and targets on the device against plain loops."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from synthetic import LABELS, WIDTH, WORDS, features, split

from sector.encoders.features import WordFeatures
from sector.training.prepared import SplitData
from sector.training.readers import SentenceReader, SparseReader, WordReader
from sector.training.targets import TargetTable, average_precision

CPU = torch.device("cpu")


def vectors(
    reader: SentenceReader, data: SplitData, numbers: np.ndarray[tuple[int], np.dtype[np.int64]]
) -> torch.Tensor:
    found: torch.Tensor = reader(reader.table(data, CPU), numbers)
    return found.detach()


def word_rows(words: WordFeatures) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    assert words.indices is not None and words.values is not None and words.offsets is not None
    rows = np.zeros((WORDS, WIDTH), np.float32)
    for word in range(WORDS):
        for entry in range(words.offsets[word], words.offsets[word + 1]):
            rows[word, words.indices[entry]] += words.values[entry]
    return rows


def sentence_words(data: SplitData, sentence: int) -> list[int]:
    begin, end = data.word_offsets[sentence : sentence + 2]
    return [int(word) for word in data.words[begin:end]]


@pytest.mark.parametrize("pooling", ["sum", "clip"])
def test_sparse_vectors_pool_the_words(pooling: str) -> None:
    data, words = split(6), replace(features(), pooling=pooling)
    numbers = np.array([3, 0, 11, 3])
    found = vectors(SparseReader(words), data, numbers).numpy()
    expected = np.array([word_rows(words)[sentence_words(data, n)].sum(axis=0) for n in numbers])
    np.testing.assert_array_equal(found, np.minimum(expected, 1) if pooling == "clip" else expected)
    assert expected.max() > 1


def test_dense_vectors_are_means_and_empty_sentences_zero() -> None:
    table = np.random.default_rng(0).normal(size=(WORDS, 4)).astype(np.float32)
    data = split(3)
    data = replace(
        data,
        words=data.words[: data.word_offsets[-2]],
        word_offsets=np.minimum(data.word_offsets, data.word_offsets[-2]),
    )
    found = vectors(WordReader(WordFeatures("mean", 4, dense=table)), data, np.arange(data.sentences)).numpy()
    np.testing.assert_allclose(found[0], table[sentence_words(data, 0)].mean(axis=0), rtol=1e-6)
    assert found[-1].tolist() == [0, 0, 0, 0]


def test_word_dropout_leaves_words_out_and_averages_the_rest() -> None:
    table = np.eye(WORDS, dtype=np.float32)
    data, numbers = split(40), np.arange(split(40).sentences)
    reader = WordReader(WordFeatures("mean", WORDS, dense=table), word_dropout=0.5)
    torch.manual_seed(0)
    whole, thinned = vectors(reader.eval(), data, numbers), vectors(reader.train(), data, numbers)
    assert ((thinned > 0) <= (whole > 0)).all()
    assert 0.4 < (thinned > 0).sum() / (whole > 0).sum() < 0.7
    sums = thinned.sum(dim=1)
    torch.testing.assert_close(sums, (sums > 0).float())


def test_flags_stand_last() -> None:
    data = split(2)
    data = replace(data, flags=np.arange(data.sentences * 2, dtype=np.uint8).reshape(-1, 2))
    assert vectors(SparseReader(features()), data, np.array([1]))[0, -2:].tolist() == [2, 3]


def test_targets_are_n_hot_rows_of_the_section() -> None:
    data = split(4)
    rows = TargetTable(data, len(LABELS), CPU).rows(np.arange(data.sentences)).numpy()
    assert rows.sum(axis=1).tolist() == [1] * data.sentences
    assert rows.argmax(axis=1).tolist() == data.labels[data.sections].tolist()


def test_targets_of_several_labels_and_of_none() -> None:
    data = split(2)
    sections = int(data.sections.max()) + 1
    counts = [2] + [0] * (sections - 1)
    data = replace(data, labels=np.array([2, 0]), label_offsets=np.concatenate([[0], np.cumsum(counts)]))
    rows = TargetTable(data, len(LABELS), CPU).rows(np.array([0, data.sentences - 1]))
    assert rows.tolist() == [[1, 0, 1], [0, 0, 0]]


def test_average_precision() -> None:
    scores = torch.tensor([[0.1, 0.7, 0.2], [0.5, 0.3, 0.2], [0.3, 0.2, 0.1]])
    targets = torch.tensor([[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    assert average_precision(scores, targets).tolist() == pytest.approx([1 / 2, (1 + 2 / 3) / 2, 0])
