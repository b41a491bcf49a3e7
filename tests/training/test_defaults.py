"""What `sector train` learns with where nobody chose an encoder."""

from __future__ import annotations

from pathlib import Path

from sector.datasets import write
from sector.document import Document, Section
from sector.runtime.installed import find
from sector.training.defaults import OPTIONS, defaults
from tiny import write_documents

GERMAN = "Der Vertrag beginnt mit dem ersten Tag des Monats und endet nicht vor dem Ablauf von zwei Jahren. "
FRENCH = "Le contrat commence le premier jour du mois et ne se termine pas avant la fin de la deuxième année. "


def documents(path: Path, sentence: str) -> Path:
    text = sentence * 10
    write([Document(text, sections=(Section(0, len(text), "term"),))], path)
    return path


def test_english_is_read_by_a_frozen_pretrained_encoder(tmp_path: Path) -> None:
    found = defaults(write_documents(tmp_path / "data.jsonl", 3), {})
    assert found["encoder"] == "transformer"
    assert find(found["encoder_options"]["model"]).config().encoder["name"] == "transformer"
    assert found["boundary"] == OPTIONS["boundary"] > 0 and found["flags"]


def test_other_languages_are_read_with_bloom_filters(tmp_path: Path) -> None:
    for sentence, language in ((FRENCH, "fr"), (GERMAN, "de")):
        found = defaults(documents(tmp_path / f"{language}.jsonl", sentence), {})
        assert (found["encoder"], found["language"]) == ("bloom", language)
        assert found["boundary"] > 0


def test_what_was_said_stays(tmp_path: Path) -> None:
    given = {"epochs": 3, "language": "en", "boundary": 0.0, "flags": False}
    assert defaults(tmp_path / "is not read.jsonl", given).items() >= given.items()
