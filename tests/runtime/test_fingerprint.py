"""The fingerprint of a model changes with every file that its answers depend on, wherever the file lies."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from sector.runtime import EMBEDDED
from sector.runtime.fingerprint import model_fingerprint
from sector.runtime.folder import ModelFolder
from tiny_open import make_open

READ = ["config.json", "model.onnx", "../en_city/model.onnx", "../en_words/vectors.npy", "../en_encoder/encoder.onnx"]


@pytest.fixture
def accurate(tmp_path: Path) -> Path:
    """Return a model with a companion; both have an encoder in a folder beside them."""
    for name in ("en_city_accurate", "en_city", "en_words", "en_encoder"):
        shutil.copytree(EMBEDDED / name, tmp_path / name)
    return tmp_path / "en_city_accurate"


@pytest.mark.parametrize("name", READ)
def test_any_file_that_is_read_counts(name: str, accurate: Path) -> None:
    before = model_fingerprint(ModelFolder(accurate))
    with (accurate / name).open("ab") as file:
        file.write(b" ")
    assert model_fingerprint(ModelFolder(accurate)) != before


def test_the_card_does_not_count(accurate: Path) -> None:
    before = model_fingerprint(ModelFolder(accurate))
    (accurate / "README.md").write_text("Notes.\n")
    assert model_fingerprint(ModelFolder(accurate)) == before


def test_the_headings_of_an_open_vocabulary_count(tmp_path: Path) -> None:
    folder = ModelFolder(make_open(tmp_path))
    before = model_fingerprint(folder)
    phrases = tmp_path / "space" / "headings.txt"
    phrases.write_text(phrases.read_text().replace("Climate", "Weather"))
    assert model_fingerprint(folder) != before
