"""`sector wiki labels` as users call it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from command import Call, call

from lexicon_files import ARTICLES, write_thesaurus, write_wordnet
from sector.datasets import load

__all__ = ["call"]

pytest.importorskip("igraph")

File = Callable[[str, str | bytes], Path]


def record(number: int, headings: list[str], label: str = "garden.thing") -> dict[str, object]:
    text = "".join(f"This is about {heading.lower()}.\n" for heading in headings)
    begin, annotations = 0, []
    for heading in headings:
        length = len(f"This is about {heading.lower()}.\n")
        span = {"begin": begin, "length": length, "sectionHeading": heading}
        annotations.append(span | ({"sectionLabel": label} if label else {}))
        begin += length
    return {"id": f"g{number}", "type": "garden", "title": "", "text": text, "annotations": annotations}


@pytest.fixture
def data(file: File) -> Path:
    return file("garden.json", json.dumps([record(i, headings) for i, headings in enumerate(ARTICLES)]))


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    return write_wordnet(tmp_path / "wordnet")


def test_labels_and_a_report_are_written(call: Call, data: Path, wordnet: Path, tmp_path: Path) -> None:
    answer = call("wiki", "labels", data, "--path", wordnet, "--output", tmp_path / "out", "--against", "--json")
    assert answer.code == 0, answer.err
    report = json.loads(answer.out)
    assert json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8")) == report
    assert report["agreement"]["purity"] == 100.0
    assert report["covered_sections"] > 90
    documents = load(tmp_path / "out" / "garden.json")
    assert [section.label for section in documents[0].sections][:3] == [
        "garden.watering",
        "garden.watering",
        "garden.tool",
    ]
    assert [section.heading for section in documents[0].sections] == ARTICLES[0]
    assert documents[0].text == load(data)[0].text


def test_a_table_shows_topics_coverage_and_other(call: Call, data: Path, wordnet: Path) -> None:
    answer = call("wiki", "labels", data, "--path", wordnet, "--topics", "3", "--against")
    assert answer.code == 0, answer.err
    assert "watering" in answer.out
    assert "of 57 sections" in answer.out
    assert "Notes (1)" in answer.out
    assert "V-measure" in answer.out
    assert "worst topics" in answer.out


def test_nothing_is_replaced_without_force(call: Call, data: Path, wordnet: Path, tmp_path: Path) -> None:
    arguments = ("wiki", "labels", data, "--path", wordnet, "--output", tmp_path / "out")
    assert call(*arguments).code == 0
    again = call(*arguments)
    assert (again.code, "exists already" in again.err) == (1, True)
    assert call(*arguments, "--force").code == 0
    onto_itself = call("wiki", "labels", data, "--path", wordnet, "--output", data.parent, "--force")
    assert (onto_itself.code, "its own source" in onto_itself.err) == (1, True)


def test_a_german_thesaurus_labels_german_headings(call: Call, file: File, tmp_path: Path) -> None:
    thesaurus = write_thesaurus(tmp_path, {"pflege": ["-|Pflege|Fürsorge"], "fürsorge": ["-|Pflege|Fürsorge"]})
    articles = [
        record(i, [heading], label="") for i, heading in enumerate(["Pflege", "Fürsorge", "Rosenpflege", "Xyz"])
    ]
    data = file("garten.jsonl", "\n".join(map(json.dumps, articles)))
    answer = call("wiki", "labels", data, "--lexicon", "thesaurus", "--path", thesaurus, "--language", "de", "--json")
    assert answer.code == 0, answer.err
    report = json.loads(answer.out)
    assert report["covered_headings"] == 75.0
    assert report["other"] == [["Xyz", 1]]


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--lexicon", "oracle"], 1, "There is no lexicon 'oracle'"),
        (["--path", "nowhere"], 1, "There is no WordNet"),
        (["--language", "de"], 1, "WordNet's files are English"),
        (["--topics", "many"], 2, "nor a range such as 25-35"),
        (["--topics", "9-3"], 2, "nor a range such as 25-35"),
        (["--override", "none.toml"], 1, "There is no override file"),
        (["--lexicon", "babelnet"], 1, "BabelNet needs a key"),
    ],
)
def test_wrong_options_are_explained(
    call: Call, data: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], code: int, message: str
) -> None:
    monkeypatch.delenv("BABELNET_KEY", raising=False)
    answer = call("wiki", "labels", data, *options)
    assert (answer.code, answer.out) == (code, "")
    assert message in " ".join(answer.err.split()).replace("│ ", "")


def test_data_without_labels_cannot_be_compared(call: Call, file: File, wordnet: Path) -> None:
    data = file("bare.json", json.dumps([record(0, ["Soil", "Plants"], label="")]))
    answer = call("wiki", "labels", data, "--path", wordnet, "--against")
    assert (answer.code, "no labels to compare with" in answer.err) == (1, True)
