"""What is written is read again as it was, and nothing is left behind by a failure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from dataset_edges import EDGES, make_document, shape

from sector.datasets import WRITERS, Wiki727Reader, load, write
from sector.document import Document, Section
from sector.errors import ConfigError, DataError


@pytest.fixture(params=EDGES, ids=lambda name: name.replace(" ", "-"))
def edge(request: pytest.FixtureRequest) -> Document:
    return make_document(EDGES[request.param])


@pytest.mark.parametrize("name", ["moss.json", "moss.json.gz", "moss.json.xz", "moss.json.bz2"])
def test_wikisection_keeps_sections(tmp_path: Path, edge: Document, name: str) -> None:
    write([edge], tmp_path / name)
    (document,) = load(tmp_path / name)
    assert (document.text, document.id) == (edge.text, edge.id)
    assert shape(document) == shape(edge)


@pytest.mark.parametrize("name", ["moss.jsonl", "moss.jsonl.xz"])
def test_jsonl_keeps_sections_and_sentences(tmp_path: Path, edge: Document, name: str) -> None:
    write([edge, edge], tmp_path / name)
    for document in load(tmp_path / name):
        assert shape(document) == shape(edge)
        assert document.sentences == edge.sentences


def test_wikisection_to_jsonl_and_back_loses_nothing(tmp_path: Path) -> None:
    text = "Ein Moos. Es wächst.\nRegen.\n"
    sections = (Section(0, 10, "plant.soil", "Boden"), Section(21, 28, "", "Wasser"))
    metadata = {"type": "plant", "abstract": "Kurz."}
    for id, language in (("https://de.wikipedia.org/wiki/Moos", "de"), ("moos", "de"), ("moos", "")):
        document = Document(text, id, "Moos", language, sections, metadata=metadata)
        write([document], tmp_path / "a.json", force=True)
        write(load(tmp_path / "a.json"), tmp_path / "b.jsonl", force=True)
        write(load(tmp_path / "b.jsonl"), tmp_path / "c.json", force=True)
        (after,) = load(tmp_path / "c.json")
        assert (tmp_path / "a.json").read_bytes() == (tmp_path / "c.json").read_bytes()
        for field in ("text", "id", "title", "language", "sections", "metadata"):
            assert getattr(after, field) == getattr(document, field)


def test_no_documents_are_an_empty_array(tmp_path: Path) -> None:
    write([], tmp_path / "moss.json")
    assert json.loads((tmp_path / "moss.json").read_text()) == []


def test_wiki727_keeps_heading_paths_and_sentences(tmp_path: Path, edge: Document) -> None:
    write([edge], tmp_path / "wiki", "wiki727")
    (document,) = load(tmp_path / "wiki", Wiki727Reader(levels=0))
    assert document.text == edge.text
    assert [(s.heading, s.text) for s in document.sections] == [(s.heading, s.text) for s in edge.sections]


def test_wiki727_writes_each_turn_of_the_path(tmp_path: Path) -> None:
    names = ["preface", "A", "A | B", "A | B", "A | C | D", "A", "E | D", "A | B"]
    document = make_document([("", name, [f"Sentence {n}."]) for n, name in enumerate(names)])
    write([document], tmp_path / "wiki", "wiki727")
    (after,) = load(tmp_path / "wiki", Wiki727Reader(levels=0))
    assert [section.heading for section in after.sections] == names


def test_ref_keeps_boundaries(tmp_path: Path, edge: Document) -> None:
    write([edge], tmp_path / "set", "ref")
    (document,) = load(tmp_path / "set")
    assert [section.text for section in document.sections] == [section.text for section in edge.sections]


def test_chen_keeps_names_in_lower_case(tmp_path: Path, edge: Document) -> None:
    write([edge, edge], tmp_path / "cities.text", "chen")
    documents = load(tmp_path / "cities.text")
    assert [document.text for document in documents] == [edge.text, edge.text]
    assert [s.heading for s in documents[0].sections] == [s.heading.lower() for s in edge.sections]


def test_sentences_that_look_like_markup_survive(tmp_path: Path) -> None:
    lines = ["==========", "========,2,Fake.", "=== three"]
    document = make_document([("", "A", lines), ("", "B", ["Moss."])])
    for format in ("ref", "wiki727"):
        write([document], tmp_path / format, format)
        (after,) = load(tmp_path / format)
        assert after.sentence_texts == [*lines, "Moss."]
        assert len(after.sections) == 2


def test_text_before_and_between_sections_joins_what_is_before(tmp_path: Path) -> None:
    text = "Preface here. Soil one. Gap. Water one."
    document = Document(text, "a", sections=(Section(14, 23, "", "Soil"), Section(29, 39, "", "Water")))
    write([document], tmp_path / "wiki", "wiki727")
    (after,) = load(tmp_path / "wiki")
    assert [(s.heading, s.text) for s in after.sections] == [
        ("preface", "Preface here.\n"),
        ("Soil", "Soil one.\nGap.\n"),
        ("Water", "Water one.\n"),
    ]


@pytest.mark.parametrize("format", WRITERS)
def test_characters_that_utf_8_cannot_hold(tmp_path: Path, format: str) -> None:
    """Half of a surrogate pair is no character, and no reader takes it."""
    text = "Snow \ud800 falls. He was king."
    section = Section(0, len(text), "cold \udcff", heading="Cold")
    document = Document(text, id="a\ud800", title="t\ud800", sections=(section,))
    write([document], tmp_path / "set", format)
    (found,) = load(tmp_path / "set", format)
    assert len(found.sections) == 1
    assert "Snow ? falls." in found.text


def test_file_names_are_safe_and_differ(tmp_path: Path) -> None:
    document = make_document(EDGES["one section"])
    ids = ["../../etc/passwd", "https://en.wikipedia.org/wiki/A", "a", "A", "", "x" * 500, "."]
    write([replace(document, id=id) for id in ids], tmp_path / "set", "ref")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["set"]
    assert len(list((tmp_path / "set").iterdir())) == len(ids)
    assert len(load(tmp_path / "set")) == len(ids)


def failing(document: Document) -> Iterator[Document]:
    yield document
    raise DataError("The second document is bad.")


@pytest.mark.parametrize("format", WRITERS)
def test_a_failure_leaves_nothing_behind(tmp_path: Path, format: str) -> None:
    with pytest.raises(DataError, match="second document"):
        write(failing(make_document(EDGES["one section"])), tmp_path / "out", format)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("format", WRITERS)
def test_targets_are_replaced_only_by_force(tmp_path: Path, format: str) -> None:
    target = tmp_path / "out"
    old, new = make_document(EDGES["one sentence"]), make_document(EDGES["every sentence a section"])
    write([old], target, format)
    with pytest.raises(ConfigError, match="exists already"):
        write([new], target, format)
    with pytest.raises(DataError):
        write(failing(new), target, format, force=True)
    assert load(target)[0].text == old.text
    write([new], target, format, force=True)
    assert load(target)[0].text == new.text
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_folders_that_are_no_data_set_are_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "thesis.txt").write_text("Years of work.")
    with pytest.raises(ConfigError, match="is no data set and will not be replaced"):
        write([make_document(EDGES["one section"])], tmp_path / "home", "ref", force=True)
    assert (tmp_path / "home" / "thesis.txt").exists()


def test_targets_that_cannot_be(tmp_path: Path) -> None:
    documents = [make_document(EDGES["one section"])]
    for target, format, message in [
        ("out", None, "does not say the format"),
        ("out", "multiseg", "needs groups of documents"),
        ("out", "tsv", "no format 'tsv'"),
        ("out.ref.gz", "ref", "is not compressed"),
        ("nowhere/out.json", None, "does not exist; create it"),
    ]:
        with pytest.raises(ConfigError, match=message):
            write(documents, tmp_path / target, format)
    with pytest.raises(DataError, match="without sections"):
        write([Document("Moss.")], tmp_path / "out", "chen")
    assert list(tmp_path.iterdir()) == []
