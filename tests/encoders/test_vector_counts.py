"""Counts of word vectors: they travel with the vectors and decide the words' weights."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np

from sector.encoders.embedding import EmbeddingEncoder
from sector.encoders.vectors import WordVectors
from sector.encoders.word2vec import train

VECTORS = WordVectors(["cat", "dog", "fish"], np.eye(3, dtype=np.float32), np.array([97, 2, 1]))


def test_counts_are_saved_with_the_vectors(tmp_path: Path) -> None:
    VECTORS.save(tmp_path)
    counts = WordVectors.load(tmp_path).counts
    assert counts is not None
    assert counts.tolist() == [97, 2, 1]


def test_counts_decide_the_weights() -> None:
    encoder = EmbeddingEncoder(VECTORS, alpha=0.01)
    weighted = encoder._weights(VECTORS, encoder_counts())
    np.testing.assert_allclose(weighted, [0.01 / (0.01 + 0.97), 0.01 / 0.03, 0.01 / 0.02], rtol=1e-6)
    without = WordVectors(VECTORS.words, VECTORS.matrix)
    np.testing.assert_allclose(encoder._weights(without, encoder_counts())[0], 0.01 / (0.01 + 3 / 7), rtol=1e-6)


def encoder_counts() -> Counter[str]:
    return Counter({"cat": 3, "dog": 2, "fish": 2})


def test_trained_vectors_know_their_counts() -> None:
    found = train([["cat dog cat", "dog cat"]] * 3, dimensions=4, epochs=1, min_count=1, workers=1)
    assert found.counts is not None
    assert dict(zip(found.words, found.counts.tolist(), strict=True)) == {"cat": 9, "dog": 6}
