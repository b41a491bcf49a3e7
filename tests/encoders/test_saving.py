"""Encoders in a model folder: what is loaded is what was saved, and garbage is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dense import dense

from sector import encoders
from sector.encoders import Encoder
from sector.encoders.files import write_words
from sector.encoders.vectors import WordVectors
from sector.errors import ConfigError, DataError, ModelError

DOCUMENTS = [["The cat eats.", "Fish swim in the river."], ["The dog eats fish.", "Katzen über Katzen!"]]
VECTORS = WordVectors(["cat", "the", "fish", "river"], np.eye(4, 3, dtype=np.float32) + np.float32(0.1))
SENTENCES = ["The cat and the fish.", "", "Unknown", "Katzen swim."]


def made(name: str) -> Encoder:
    options: dict[str, Any] = {
        "bow": {"min_count": 1},
        "bloom": {"values": "bits"},
        "emb": {"vectors": VECTORS},
    }
    return encoders.make(name, **options[name]).fit(DOCUMENTS)


@pytest.mark.parametrize("name", ["bow", "bloom", "emb"])
def test_what_is_loaded_is_what_was_saved(name: str, tmp_path: Path) -> None:
    encoder = made(name)
    settings = json.loads(json.dumps(encoder.save(tmp_path)))
    assert settings["name"] == name
    loaded = encoders.load(tmp_path, settings)
    assert loaded.width == encoder.width
    np.testing.assert_array_equal(dense(loaded.encode(SENTENCES)), dense(encoder.encode(SENTENCES)))
    assert loaded.save(tmp_path) == settings
    assert not [file for file in tmp_path.iterdir() if file.name.startswith(".")]


@pytest.mark.parametrize("name", ["bow", "bloom", "emb"])
def test_a_sentence_is_pooled_from_its_words(name: str) -> None:
    """Training relies on this: it encodes each word once and pools."""
    encoder = made(name)
    words = ["the", "fish", "the", "cat", "unknown"]
    rows = dense(encoder.encode_tokens([[word] for word in words]))
    known = rows[rows.any(axis=1)]
    pools = {"sum": known.sum(axis=0), "clip": np.minimum(known.sum(axis=0), 1), "mean": known.mean(axis=0)}
    np.testing.assert_allclose(
        dense(encoder.encode([" ".join(words)]))[0], pools[encoder.pooling], rtol=1e-5, atol=1e-6
    )


@pytest.mark.parametrize("name", ["bow", "bloom", "emb"])
def test_no_sentences_give_no_rows(name: str) -> None:
    encoder = made(name)
    assert dense(encoder.encode([])).shape == (0, encoder.width)
    assert dense(encoder.encode(["", "..."])).shape == (2, encoder.width)


@pytest.mark.parametrize("name", ["bow", "emb"])
@pytest.mark.parametrize("harm", ["missing", "empty", "cut", "garbage", "pickle", "zip"])
def test_broken_folders_raise_one_error(name: str, harm: str, tmp_path: Path) -> None:
    settings = made(name).save(tmp_path)
    for file in sorted(tmp_path.glob("*.npy" if harm == "zip" else "*")):
        data = file.read_bytes()
        if harm == "missing":
            file.unlink()
        else:
            forms = {"empty": b"", "cut": data[:-3], "garbage": b"\xff\x00\x80" * 99}
            forms |= {"pickle": b"\x80\x04\x95\x00.", "zip": b"PK\x03\x04" + data}
            file.write_bytes(forms[harm])
        with pytest.raises(ModelError, match=file.name):
            encoders.load(tmp_path, settings)
        file.write_bytes(data)


def test_arrays_that_do_not_fit_their_words_are_refused(tmp_path: Path) -> None:
    settings = made("bow").save(tmp_path)
    for array in (np.zeros(3, np.float32), np.full(12, np.nan, np.float32), np.array(["x"] * 12)):
        np.save(tmp_path / "idf.npy", array)
        with pytest.raises(ModelError, match=r"idf\.npy"):
            encoders.load(tmp_path, settings)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "this version knows: bow, bloom, emb"),
        ({"name": "elmo"}, "'elmo'"),
        ({"name": ["bloom"]}, "this version knows"),
        ({"name": "bloom", "positions": "many"}, "'positions' is 'many'"),
        ({"name": "bloom", "depth": 3}, "no option 'depth'"),
    ],
)
def test_broken_settings_raise_a_model_error(tmp_path: Path, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        encoders.load(tmp_path, settings)


def test_unknown_names_are_refused_with_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="choose one of: bow, bloom, emb"):
        encoders.make("elmo")


def test_a_word_with_a_line_break_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="line break"):
        write_words(tmp_path / "words.txt", ["a\nb"])
    assert not list(tmp_path.iterdir())
