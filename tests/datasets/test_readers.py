"""Each format's rules, on files written here by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from sector.datasets import ChenReader, Wiki727Reader, detect, load, read
from sector.document import Document, Section
from sector.errors import ConfigError, DataError

File = Callable[[str, str | bytes], Path]

TEXT = "Moss likes acid soil. It needs shade.\nRain is best.\n"
ARTICLE = {
    "id": "https://de.wikipedia.org/wiki/Moos",
    "type": "plant",
    "title": "Moos",
    "abstract": "Ein Moos.",
    "text": TEXT,
    "annotations": [
        {"class": "SectionAnnotation", "begin": 38, "length": 14, "sectionLabel": "plant.water"},
        {"begin": 0, "length": 22, "sectionHeading": "Soil", "sectionLabel": "plant.soil"},
        {"begin": 22, "length": 0, "sectionHeading": "Nothing"},
    ],
}


def test_wikisection_sorts_sections_keeps_gaps_and_drops_empty_ones(file: File) -> None:
    (document,) = load(file("moss.json", json.dumps([ARTICLE])))
    assert [(s.begin, s.end, s.label, s.heading) for s in document.sections] == [
        (0, 22, "plant.soil", "Soil"),
        (38, 52, "plant.water", ""),
    ]
    assert (document.id, document.title, document.language) == (ARTICLE["id"], "Moos", "de")
    assert document.metadata == {"type": "plant", "abstract": "Ein Moos."}
    assert document.text == TEXT


@pytest.mark.parametrize(
    "form",
    [
        lambda records: json.dumps(records, indent=2),
        lambda records: "\n".join(json.dumps(record) for record in records) + "\n\n",
        lambda records: "".join(json.dumps(record, indent=1) for record in records),
        lambda records: "\ufeff" + json.dumps(records),
    ],
    ids=["array", "lines", "in a row", "byte order mark"],
)
def test_wikisection_takes_arrays_lines_and_objects_in_a_row(file: File, form: Callable[[list[object]], str]) -> None:
    path = file("moss.json", form([ARTICLE, ARTICLE | {"id": 7}, ARTICLE | {"id": None}]))
    assert detect(path).name == "wikisection"
    documents = load(path)
    assert [document.id for document in documents] == [ARTICLE["id"], "7", "3"]
    assert {document.text for document in documents} == {TEXT}


def test_language_is_given_to_documents_that_do_not_say_theirs(file: File) -> None:
    path = file("moss.json", json.dumps([ARTICLE, ARTICLE | {"id": "moss"}]))
    assert [document.language for document in read(path, language="en")] == ["de", "en"]


def test_jsonl_reads_all_optional_fields(file: File) -> None:
    record = {
        "text": TEXT,
        "id": 4,
        "title": "Moss",
        "language": "en",
        "sections": [{"begin": 0, "end": 52, "label": "plant", "heading": "All"}],
        "sentences": [[0, 37], [38, 51]],
        "metadata": {"source": "us"},
    }
    (document,) = load(file("own.jsonl", json.dumps(record)))
    assert (document.id, document.title, document.language) == ("4", "Moss", "en")
    assert document.sections == (Section(0, 52, "plant", "All"),)
    assert document.sentence_texts == ["Moss likes acid soil. It needs shade.", "Rain is best."]
    assert document.spans.paragraph_end.tolist() == [True, True]
    assert document.metadata == {"source": "us"}


def test_jsonl_needs_nothing_but_a_text(file: File) -> None:
    (document,) = load(file("own.jsonl", '{"text": "Moss."}'))
    assert (document.id, document.sections) == ("1", ())


def test_jsonl_reads_what_a_model_wrote(file: File) -> None:
    text = "Moss.\n\nRain."
    sections = (Section(0, 7, "plant.soil", source=text), Section(7, 12, "plant.water", source=text))
    segmented = Document(text, "a", sections=sections, model="en_plant")
    (document,) = load(file("predicted.jsonl", segmented.to_json() + "\n"))
    assert (document.text, document.sections, document.model) == (text, sections, "en_plant")


def test_ref_blocks_become_sections_with_names_of_their_own(file: File) -> None:
    rule = "=" * 10
    path = file("a.ref", f"{rule}\nMoss likes soil \n{rule}\n{rule}\nRain is best\nSpray it\n{rule}\n")
    (document,) = load(path)
    assert [(section.label, section.heading) for section in document.sections] == [("", ""), ("", "")]
    assert document.sentence_texts == ["Moss likes soil", "Rain is best", "Spray it"]
    assert document.text == "Moss likes soil\nRain is best\nSpray it\n"
    assert document.is_covered()


def test_ref_folder_is_read_in_order_and_other_files_are_left_aside(file: File) -> None:
    for name in ("set/b/2.ref", "set/a/10.ref", "set/init.dp.0", "set/.hidden.ref"):
        file(name, "Moss.\n==========\nRain.\n")
    folder = file("set/readme.txt", "about").parent
    assert [document.id for document in load(folder)] == ["a/10", "b/2"]


WIKI = """========,1,preface.
Moss is a plant.
========,2,History.
***LIST***.
========,3,Early days.
It grew. ***formula*** It spread.

========,2,Uses.
========,3,Roofs.
Moss covers roofs.
========,4,Green roofs.
They stay cool.
========,2,See also.
"""


@pytest.mark.parametrize(
    ("levels", "headings"),
    [
        (1, ["preface"]),
        (2, ["preface", "History", "Uses"]),
        (3, ["preface", "History | Early days", "Uses | Roofs"]),
        (0, ["preface", "History | Early days", "Uses | Roofs", "Uses | Roofs | Green roofs"]),
    ],
)
def test_wiki727_levels(file: File, levels: int, headings: list[str]) -> None:
    folder = file("wiki/00/12", WIKI).parents[1]
    (document,) = load(folder, Wiki727Reader(levels=levels))
    assert document.id == "00/12"
    assert [section.heading for section in document.sections] == headings
    assert document.is_covered()


def test_wiki727_lines_are_sentences_and_markers_go(file: File) -> None:
    path = file("12", WIKI)
    assert detect(path).name == "wiki727"
    (document,) = load(path)
    assert document.sentence_texts == [
        "Moss is a plant.",
        "It grew.  It spread.",
        "Moss covers roofs.",
        "They stay cool.",
    ]


def test_wiki727_drops_the_preface_when_asked(file: File) -> None:
    (document,) = load(file("12", WIKI), Wiki727Reader(preface=False))
    assert [section.heading for section in document.sections] == ["History", "Uses"]


CITIES = (
    "1,1,TOP-LEVEL SEGMENT\x01infobox\n1,2,Early History\x01it grew\n1,3,Early History\x01it, fell\n"
    "1,4,parks, lakes\x01green\n\n2,1,climate\x01wet\n"
)


def test_chen_groups_lines_into_documents_and_sections(file: File) -> None:
    path = file("cities.text", CITIES)
    assert detect(path).name == "chen"
    first, second = load(path)
    assert [(s.label, s.heading) for s in first.sections] == [
        ("early_history", "early history"),
        ("parks,_lakes", "parks, lakes"),
    ]
    assert first.sentence_texts == ["it grew", "it, fell", "green"]
    assert (second.id, second.text) == ("2", "wet\n")


def test_chen_keeps_the_top_level_when_asked(file: File) -> None:
    first, _ = load(file("cities.text", CITIES), ChenReader(top_level=True))
    assert first.sections[0].heading == "preface"


def test_multiseg_keeps_the_labelled_lines_only(file: File) -> None:
    file("news/storm.1", "Wind rose\nAd\nRoofs fell\nHelp came\n")
    file("news/storm.2", "Help came\nWind rose\n")
    folder = file("news/storm.label", "wind 1::0-0 2::1-1\n\nhelp 1::2-3 2::0-0\n").parent
    assert detect(folder).name == "multiseg"
    first, second = load(folder)
    assert (first.id, second.id) == ("storm.1", "storm.2")
    assert [(section.label, section.text) for section in first.sections] == [
        ("wind", "Wind rose\n"),
        ("help", "Roofs fell\nHelp came\n"),
    ]
    assert [section.label for section in second.sections] == ["help", "wind"]


def test_an_unknown_format_is_named_with_the_known_ones(file: File) -> None:
    path = file("a.txt", "Just a letter.\n")
    with pytest.raises(DataError, match="none of the known formats \\(wikisection, jsonl, wiki727"):
        load(path)
    with pytest.raises(ConfigError, match="There is no format 'tsv'"):
        load(path, "tsv")
