"""A new encoder is one class and an entry in ``ENCODERS``: it is trained, exported, loaded and run like the others."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import pytest

import sector
from sector import encoders
from sector.arrays import Floats2d
from sector.encoders.base import Encoder, EncoderSettings
from sector.encoders.settings import from_settings
from sector.encoders.words import WordEncoder
from sector.errors import ConfigError
from tiny import HELD_OUT, HELD_OUT_LABELS, TINY, make_model

pytest.importorskip("torch")
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class LetterEncoder(WordEncoder[Floats2d]):
    """The mean of the words' pairs of letters, hashed to a few columns."""

    name: ClassVar[str] = "letters"

    def __init__(self, columns: int = 64) -> None:
        self.columns = columns

    @property
    def width(self) -> int:
        return self.columns

    def encode_tokens(self, sentences: Sequence[Sequence[str]]) -> Floats2d:
        rows = np.zeros((len(sentences), self.columns), np.float32)
        for row, words in zip(rows, sentences, strict=True):
            for word in words:
                for first, second in pairwise(word):
                    row[(LETTERS.find(first) * 26 + LETTERS.find(second)) % self.columns] += 1
            row /= max(1, len(words))
        return rows

    def save(self, folder: Path, precision: str = "float16") -> EncoderSettings:
        (folder / "letters.txt").write_text(LETTERS, encoding="utf-8")
        return {"name": self.name, "columns": self.columns}

    @classmethod
    def load(cls, folder: Path, settings: Mapping[str, Any]) -> Self:
        assert (folder / "letters.txt").read_text(encoding="utf-8") == LETTERS
        return from_settings(cls, settings)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    kind: type[Encoder] = LetterEncoder
    monkeypatch.setitem(encoders.ENCODERS, kind.name, kind)


@pytest.mark.usefixtures("registered")
def test_it_is_trained_exported_loaded_and_run(tmp_path: Path) -> None:
    folder = make_model(tmp_path, TINY, encoder="letters", encoder_options={"columns": 200})
    model = sector.load(folder)
    assert [section.label for section in model.segment(HELD_OUT, merge=True).sections] == list(HELD_OUT_LABELS)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    assert config["encoder"] == {"name": "letters", "columns": 200}
    assert "letters.txt" in config["files"]
    with pytest.raises(ConfigError, match="no option 'rows'; its options are: columns"):
        encoders.make("letters", rows=3)


def test_no_other_folder_names_an_encoders_class() -> None:
    source = Path(sector.__file__).parent
    names = [kind.__name__ for kind in {*encoders.ENCODERS.values(), encoders.HuggingFaceEncoder}]
    for file in source.rglob("*.py"):
        if file.parent.name != "encoders":
            text = file.read_text(encoding="utf-8")
            assert not [name for name in names if name in text], file
