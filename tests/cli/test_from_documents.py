"""`sector data from-documents`: a folder of documents becomes training data."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import Call, call

from lexicon_files import ARTICLES, write_wordnet
from sector.datasets import load

__all__ = ["call"]
PAGE = """# {name}

## Habitat

The {name} lives at the edge of ponds. It hides in the reeds by day.

## Food

The {name} eats snails and small fish. In winter it eats very little.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "birds"
    place.mkdir()
    for name in ("heron", "bittern", "rail", "coot"):
        (place / f"{name}.md").write_text(PAGE.format(name=name), "utf-8")
    (place / "note.txt").write_text("A single line that nobody gave a heading.\n", "utf-8")
    (place / "picture.png").write_bytes(b"\x89PNG\r\n")
    return place


def test_a_folder_becomes_training_data(call: Call, folder: Path, tmp_path: Path) -> None:
    train, held_out = tmp_path / "train.jsonl.gz", tmp_path / "validation.jsonl"
    answer = call("data", "from-documents", folder, "--output", train, "--validation", held_out)
    assert answer.code == 0, answer.err
    assert "left out: 1 with fewer than 2 sections" in answer.err
    assert "skipped files: .png (1)" in answer.err
    assert f"sector train {train} --validation {held_out} --task headings" in answer.err
    documents = load(train)
    assert [len(documents), len(load(held_out))] == [3, 1]
    assert [section.heading for section in documents[0].sections] == ["Habitat", "Food"]
    assert "#" not in documents[0].text


def test_a_bad_file_does_not_stop_the_others(call: Call, folder: Path, tmp_path: Path) -> None:
    (folder / "broken.docx").write_bytes(b"PK\x03\x04 nothing")
    answer = call("data", "from-documents", folder, "--output", tmp_path / "train.jsonl")
    assert answer.code == 1
    assert "broken.docx" in answer.err
    assert len(load(tmp_path / "train.jsonl")) == 4


def test_nothing_to_learn_from(call: Call, folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "train.jsonl"
    for arguments, hint in (
        ((folder / "note.txt", "--output", target), "No document has sections"),
        ((folder / "heron.md", "--output", target, "--validation", tmp_path / "v.jsonl"), "only one document"),
        ((folder, "--output", target, "--validation", target), "same file"),
        ((folder, "--output", tmp_path / "train.txt"), "does not say the format"),
        ((folder, "--output", tmp_path / "no" / "train.jsonl"), "does not exist"),
    ):
        answer = call("data", "from-documents", *arguments)
        assert answer.code == 1
        assert hint in answer.err
        assert "Traceback" not in answer.err
        assert not target.exists()
    target.write_text("mine")
    answer = call("data", "from-documents", folder, "--output", target)
    assert answer.code == 1
    assert "exists already" in answer.err
    assert target.read_text() == "mine"


def test_topics_by_clustering(call: Call, tmp_path: Path) -> None:
    pytest.importorskip("igraph")
    place = tmp_path / "gardens"
    place.mkdir()
    for number, headings in enumerate(ARTICLES):
        text = "".join(f"# {heading.replace(' | ', ' / ')}\n\nWritten in garden {number}.\n\n" for heading in headings)
        (place / f"{number}.md").write_text(text, "utf-8")
    lexicon = write_wordnet(tmp_path / "wordnet")
    target = tmp_path / "train.json"
    arguments = ("--topics", "2-6", "--language", "en", "--path", lexicon, "--output", target)
    answer = call("data", "from-documents", place, *arguments)
    assert answer.code == 0, answer.err
    assert "--task topics" in answer.err
    labels = [section.label for document in load(target) for section in document.sections]
    assert len(set(labels) - {"other"}) >= 2
