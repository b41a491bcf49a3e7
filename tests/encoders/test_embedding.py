"""Sentence embeddings against their equations with numbers that fit on a page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sector.encoders import EmbeddingEncoder
from sector.encoders.vectors import WordVectors
from sector.encoders.word2vec import train
from sector.errors import ConfigError, DataError

VECTORS = WordVectors(["cat", "dog", "fish", "river"], np.array([[1, 0.5], [0, 1], [2, 2], [3, -1]], np.float32))
DOCUMENTS = [["Cat, cat, cat and dog.", "Fish?", "..."], ["The cat and a dog."]]
ALPHA = 0.1


def by_hand() -> tuple[dict[str, np.ndarray], np.ndarray, float]:
    """Return the weighted vectors, u and the size of a dimension without u.

    There are eleven words: cat 4, and 2, dog 2, fish 1, the 1, a 1.
    """
    counts = {"cat": 4, "dog": 2, "fish": 1, "river": 0}
    total = 11
    rows = dict(zip(VECTORS.words, VECTORS.matrix.astype(np.float64), strict=True))
    weighted = {word: ALPHA / (ALPHA + counts[word] / total) * rows[word] for word in rows}
    sentences = [(3 * weighted["cat"] + weighted["dog"]) / 4, weighted["fish"], np.zeros(2)]
    sentences.append((weighted["cat"] + weighted["dog"]) / 2)
    u = np.linalg.svd(np.array(sentences))[2][0]
    left = [sentence - u * (u @ sentence) for sentence in sentences if sentence.any()]
    return weighted, u, float(np.sqrt(np.mean(np.square(left))))


def test_a_row_is_its_equation() -> None:
    encoder = EmbeddingEncoder(VECTORS, alpha=ALPHA).fit(DOCUMENTS)
    weighted, u, size = by_hand()
    mean = (weighted["cat"] + 2 * weighted["river"]) / 3
    rows = encoder.encode(["Unknown river cat river!", "", "nothing known"])
    assert rows.dtype == np.float32
    np.testing.assert_allclose(rows[0], (mean - u * (u @ mean)) / size, rtol=2e-3)
    assert not rows[1:].any()


def test_root_pooling_divides_by_the_root_of_the_known_words() -> None:
    encoder = EmbeddingEncoder(VECTORS, alpha=ALPHA).fit(DOCUMENTS)
    sentences = ["cat river dog fish unknown", "cat", ""]
    mean = encoder.encode(sentences)
    encoder.pooling = "root"
    np.testing.assert_allclose(encoder.encode(sentences), mean * np.array([[2.0], [1.0], [1.0]]), rtol=1e-6)


def test_a_sentence_is_encoded_alike_alone_and_among_others() -> None:
    encoder = EmbeddingEncoder(VECTORS, alpha=ALPHA).fit(DOCUMENTS)
    sentences = ["Cat fish dog.", "", "River dog " * 50, "fish"] * 30
    alone = np.concatenate([encoder.encode([sentence]) for sentence in sentences])
    np.testing.assert_array_equal(encoder.encode(sentences), alone)


def test_words_are_spelled_as_tokens_first_come_first_served() -> None:
    vectors = WordVectors(["Cat", "cat", "new york", "1984"], np.arange(8, dtype=np.float32).reshape(4, 2))
    folded = vectors.as_tokens()
    assert list(folded.words) == ["cat", "#"]
    assert folded.matrix.tolist() == [[0, 1], [6, 7]]


def test_the_most_frequent_words_are_kept() -> None:
    encoder = EmbeddingEncoder(VECTORS, alpha=ALPHA, max_words=2).fit(DOCUMENTS)
    assert list(encoder.vectors.words) == ["cat", "dog"]


def test_what_cannot_work_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="'fit'"):
        EmbeddingEncoder(VECTORS).encode(["cat"])
    with pytest.raises(DataError, match="know no word"):
        EmbeddingEncoder(VECTORS).fit([["Nichts davon."]])
    with pytest.raises(ConfigError, match="'alpha' is 0"):
        EmbeddingEncoder(alpha=0)
    with pytest.raises(DataError, match="nowhere"):
        EmbeddingEncoder(tmp_path / "nowhere.vec").fit(DOCUMENTS)


def test_training_is_repeatable_and_puts_like_words_together() -> None:
    pytest.importorskip("gensim")
    animals = ["The cat sees the dog.", "The dog sees the cat.", "A cat and a dog play."]
    places = ["The town has a river.", "A river crosses the town.", "Town and river meet."]
    documents = [animals * 20, places * 20]
    one = train(documents, dimensions=8, epochs=20, min_count=3, seed=3, workers=1)
    two = train(documents, dimensions=8, epochs=20, min_count=3, seed=3, workers=1)
    np.testing.assert_array_equal(one.matrix, two.matrix)
    rows = dict(zip(one.words, one.matrix / np.linalg.norm(one.matrix, axis=1, keepdims=True), strict=True))
    assert rows["cat"] @ rows["dog"] > rows["cat"] @ rows["river"]
    with pytest.raises(DataError, match="No word occurs 1000 times"):
        train(documents, min_count=1000)


def test_words_with_the_same_parts_are_alike() -> None:
    pytest.importorskip("gensim")
    documents = [["Haushaltsplanung ist Planung.", "Der Fluss fließt.", "Am Fluss liegt die Planungsstelle."] * 20]
    found = train(documents, dimensions=8, epochs=1, min_count=1, workers=1, subwords=True)
    rows = dict(zip(found.words, found.matrix / np.linalg.norm(found.matrix, axis=1, keepdims=True), strict=True))
    assert rows["planung"] @ rows["planungsstelle"] > rows["fluss"] @ rows["planungsstelle"]
    assert found.counts is not None and found.counts.max() == 40


def test_without_vectors_they_are_trained() -> None:
    pytest.importorskip("gensim")
    encoder = EmbeddingEncoder(dimensions=8, epochs=2, min_count=1, workers=1).fit(DOCUMENTS * 5)
    assert encoder.width == 8
    assert encoder.encode(["The cat."]).any()
