"""Smaller word vectors: int8 on disk, fewer components, shared folders, learned rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sector import encoders
from sector.encoders import EmbeddingEncoder
from sector.encoders.vectors import WordVectors
from sector.errors import ConfigError, DataError, ModelError

WORDS = [f"word{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(60)]
DOCUMENTS = [[" ".join(WORDS[i : i + 7])] for i in range(0, 60, 3)]


def vectors(dimensions: int = 24, seed: int = 0) -> WordVectors:
    matrix = np.random.default_rng(seed).normal(size=(len(WORDS), dimensions)).astype(np.float32)
    return WordVectors(WORDS, matrix * np.geomspace(1e-3, 1e3, len(WORDS), dtype=np.float32)[:, None])


def test_int8_keeps_every_vector_within_a_percent(tmp_path: Path) -> None:
    own = vectors()
    own.save(tmp_path, "int8")
    found = WordVectors.load(tmp_path)
    assert np.load(tmp_path / "vectors.npy").dtype == np.int8
    assert (tmp_path / "vectors.npy").stat().st_size < own.matrix.nbytes / 3
    error = np.linalg.norm(found.matrix - own.matrix, axis=1) / np.linalg.norm(own.matrix, axis=1)
    assert 0 < error.max() < 0.01


def test_a_zero_vector_stays_zero(tmp_path: Path) -> None:
    WordVectors(["a", "b"], np.array([[0, 0], [1, -2]], np.float32)).save(tmp_path, "int8")
    assert WordVectors.load(tmp_path).matrix[0].tolist() == [0, 0]


def test_scales_and_counts_of_other_vectors_are_gone(tmp_path: Path) -> None:
    WordVectors(WORDS, vectors().matrix, np.arange(len(WORDS))).save(tmp_path, "int8")
    vectors(seed=1).save(tmp_path, "float32")
    again = WordVectors.load(tmp_path)
    np.testing.assert_array_equal(again.matrix, vectors(seed=1).matrix)
    assert again.counts is None


def test_broken_scales_are_refused(tmp_path: Path) -> None:
    vectors().save(tmp_path, "int8")
    np.save(tmp_path / "scales.npy", np.ones(3, np.float32))
    with pytest.raises(ModelError, match=r"scales\.npy has the shape"):
        WordVectors.load(tmp_path)
    (tmp_path / "scales.npy").unlink()
    with pytest.raises(ModelError, match=r"scales\.npy is broken"):
        WordVectors.load(tmp_path)


def test_an_encoder_in_int8_says_nearly_the_same(tmp_path: Path) -> None:
    encoder = EmbeddingEncoder(vectors()).fit(DOCUMENTS)
    settings = encoder.save(tmp_path, "int8")
    sentence = [" ".join(WORDS[3:30])]
    one, other = encoder.encode(sentence), encoders.load(tmp_path, settings).encode(sentence)
    assert isinstance(other, np.ndarray)
    assert np.linalg.norm(one - other) < 0.01 * np.linalg.norm(one)


def test_components_are_the_directions_that_vectors_differ_in() -> None:
    random = np.random.default_rng(3)
    plane = random.normal(size=(2, 24))
    matrix = random.normal(size=(len(WORDS), 2)) @ plane + 1e-4 * random.normal(size=(len(WORDS), 24))
    flat = WordVectors(WORDS, matrix.astype(np.float32))
    reduced = EmbeddingEncoder(flat, components=3).fit(DOCUMENTS)
    assert reduced.width == 3
    encoder = EmbeddingEncoder(flat, components=3)
    kept = encoder._reduced(flat.matrix, [1] * len(WORDS))
    unit = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
    centred = unit - unit.mean(axis=0)
    np.testing.assert_allclose(kept[:, :2] @ kept[:, :2].T, centred @ centred.T, atol=1e-3)
    assert np.abs(kept[:, 2]).max() < 1e-2


def test_no_components_leave_vectors_as_they_are() -> None:
    matrix = vectors().matrix
    assert EmbeddingEncoder(vectors())._reduced(matrix, [1] * len(WORDS)) is matrix
    assert EmbeddingEncoder(vectors()).fit(DOCUMENTS).width == 24
    with pytest.raises(ConfigError, match="components"):
        EmbeddingEncoder(vectors(), components=-1)


def test_numbers_and_other_rows_for_the_same_words() -> None:
    encoder = EmbeddingEncoder(vectors()).fit(DOCUMENTS)
    words = list(encoder.vectors.words)
    assert encoder.numbers([words[5], "unknown", words[0]]).tolist() == [5, -1, 0]
    before = encoder.encode([words[5]])
    learned = encoder.with_matrix(2 * encoder.vectors.matrix)
    np.testing.assert_allclose(learned.encode([words[5]]), 2 * before)
    np.testing.assert_array_equal(encoder.encode([words[5]]), before)
    with pytest.raises(DataError, match="a row per word"):
        encoder.with_matrix(encoder.vectors.matrix[1:])


def test_an_encoder_may_lie_beside_the_model(tmp_path: Path) -> None:
    encoder = EmbeddingEncoder(vectors()).fit(DOCUMENTS)
    (tmp_path / "words").mkdir()
    (tmp_path / "model").mkdir()
    settings = {**encoder.save(tmp_path / "words"), "folder": "../words"}
    found = encoders.load(tmp_path / "model", settings)
    np.testing.assert_array_equal(found.encode([WORDS[2]]), encoder.encode([WORDS[2]]))
    with pytest.raises(ModelError, match=r"shares files with others.*elsewhere is missing"):
        encoders.load(tmp_path / "model", {**settings, "folder": "../elsewhere"})
