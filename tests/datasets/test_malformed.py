"""What is malformed gives one error with the file, the record and the field."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sector.datasets import load
from sector.errors import DataError

File = Callable[[str, str | bytes], Path]

SECTION = {"begin": 0, "length": 5, "sectionLabel": "plant.soil"}
GOOD = {"id": "a", "text": "Moss.\n", "annotations": [SECTION]}
OWN = {"text": "Moss.\n", "sections": [{"begin": 0, "end": 5, "label": "soil"}]}


def changed(**fields: object) -> dict[str, object]:
    return GOOD | fields


def own_section(**fields: object) -> dict[str, object]:
    return {"text": "Moss.\n", "sections": [{"begin": 0, "end": 5, "label": "soil"} | fields]}


RECORDS: list[tuple[dict[str, Any], str, str]] = [
    (changed(text=None), "text", "missing"),
    (changed(text=7), "text", "A string is expected, not a number"),
    (changed(text=" \n"), "text", "empty"),
    (changed(text="\ud800"), "text", "surrogate"),
    (changed(title=["a"]), "title", "A string is expected, not a list"),
    (changed(id=True), "id", "A string is expected, not true or false"),
    (changed(annotations={}), "annotations", "A list is expected, not an object"),
    (changed(annotations=None), "annotations", "missing"),
    (changed(annotations=["a"]), "annotations[0]", "An object is expected, not a string"),
    (changed(annotations=[{"begin": 0}]), "annotations[0].length", "missing"),
    (changed(annotations=[SECTION | {"begin": "0"}]), "annotations[0].begin", "not a string"),
    (changed(annotations=[SECTION | {"begin": True}]), "annotations[0].begin", "not true or false"),
    (changed(annotations=[SECTION | {"length": 1.5}]), "annotations[0].length", "whole number"),
    (changed(annotations=[SECTION | {"sectionLabel": 1}]), "annotations[0].sectionLabel", "string"),
    (changed(annotations=[SECTION | {"length": 7}]), "annotations", r"\[0, 7\) is outside the text of 6"),
    (changed(annotations=[SECTION | {"begin": -1}]), "annotations", r"\[-1, 4\) is outside"),
    (changed(annotations=[SECTION | {"length": -1}]), "annotations", r"\[0, -1\) is outside"),
    (
        changed(annotations=[SECTION, SECTION | {"begin": 1}]),
        "annotations",
        r"overlap: \[0, 5\) and \[1, 6\)",
    ),
    (OWN | {"text": ""}, "text", "empty"),
    (OWN | {"sections": 3}, "sections", "A list is expected"),
    (OWN | {"metadata": []} | {"metadata": [1]}, "metadata", "object of strings"),
    (OWN | {"metadata": {"a": 1}}, "metadata.a", "A string is expected"),
    (OWN | {"sentences": [[0, 2], [1, 5]]}, "sentences", "not overlap"),
    (OWN | {"sentences": [[0, 9]]}, "sentences", "inside the text"),
    (OWN | {"sentences": [[3, 3]]}, "sentences", "in order"),
    (OWN | {"sentences": []}, "sentences", "in order"),
    (OWN | {"sentences": [[0, "5"]]}, "sentences", "Pairs"),
    (own_section(end=7), "sections", "outside"),
    (own_section(end=None), "sections[0].end", "missing"),
    (own_section(label=4), "sections[0].label", "string"),
    ({"sections": [{"begin": 0}]}, "", "not the JSON of a segmented document"),
    ({"sections": []}, "sections", "empty"),
]


@pytest.mark.parametrize(("record", "field", "message"), RECORDS)
def test_a_bad_record_is_named(file: File, record: dict[str, Any], field: str, message: str) -> None:
    good = GOOD if "annotations" in record else OWN
    path = file("moss.json", json.dumps([good, record]))
    with pytest.raises(DataError, match=message) as caught:
        load(path)
    assert (caught.value.file, caught.value.record) == (str(path), 2)
    assert (caught.value.field or "") == field


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[", "line 1, character 1"),
        ('[{"text": "Moss."}', "truncated"),
        ('[{"text": "Moss."},\n {"text": "Mo', "record 2: This is not JSON at line 2, character 30"),
        ('{"text": "Moss."}\n{"text": Moss}\n', "line 2, character 27: Expecting value"),
        ('[{"text": "Moss."},]', "begins with ']'"),
        ('[{"text": "Moss."} {"text": "Moss."}]', "',' or ']' is expected"),
        ('[{"text": "Moss."}] []', "Nothing may follow the array"),
        ("[1, 2]", "An object is expected, but a value begins with '1'"),
        ('{"text": "Moss.", "n": ' + "9" * 5000 + "}", "not JSON"),
        ('{"text": "Moss.", "n": ' + "[" * 100_000, "not JSON"),
        ("[]", "There is no document in it"),
        ("", "The file is empty"),
        (" \n", "There is no document in it"),
    ],
)
def test_bad_json_is_placed(file: File, content: str, message: str) -> None:
    path = file("moss.json", content)
    with pytest.raises(DataError, match=message.replace("[", r"\[")) as caught:
        load(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_truncated_and_damaged_compression(file: File, pack: Callable[[bytes], bytes]) -> None:
    packed = pack(json.dumps([GOOD] * 5000).encode())
    for content in (packed[:-20], packed[: len(packed) // 2], packed[:40] + b"\0" * 40 + packed[80:]):
        with pytest.raises(DataError, match=r"truncated or damaged|is damaged"):
            load(file("moss.json.gz", content))


def test_other_encodings_are_refused(file: File) -> None:
    for name, content in {
        "moss.json": '[{"text": "Grün"}]',
        "a.ref": "Grün\n==========\n",
        "article": "========,1,preface.\nGrün\n",
        "cities.text": "1,1,a\x01Grün\n",
    }.items():
        with pytest.raises(DataError, match="is not UTF-8 \\(byte 0xfc\\)"):
            load(file(name, content.encode("latin-1")))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.ref", "==========\n\n==========\n", "has no sentence"),
        ("article", "========,1,preface.\n========,x,Bad.\n", "line 2: This header line"),
        ("article", "========,1,preface.\n***LIST***.\n", "has no sentence"),
        ("cities.text", "1,1,a\x01wet\nno separator\n", "line 2: The line is not of the form"),
        ("cities.text", "1,1,TOP-LEVEL SEGMENT\x01wet\n", "has no sentence"),
    ],
)
def test_bad_lines_are_named(file: File, name: str, content: str, message: str) -> None:
    path = file(name, content)
    with pytest.raises(DataError, match=message) as caught:
        load(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ("wind 1:0-1\n", "'1:0-1' is not of the form"),
        ("wind 1::0-9\n", "range 0-9 overlaps another or is outside the 2 lines"),
        ("wind 1::0-1\nhelp 1::1-1\n", "range 1-1 overlaps"),
        ("wind 1::1-0\n", "range 1-0"),
        ("wind 3::0-1\n", "text storm.3 is missing"),
        ("wind\n", "no document"),
    ],
)
def test_bad_ranges_are_named(file: File, labels: str, message: str) -> None:
    file("news/storm.1", "Wind rose\nRoofs fell\n")
    with pytest.raises(DataError, match=message):
        load(file("news/storm.label", labels).parent)


def test_missing_paths_and_strange_folders(tmp_path: Path, file: File) -> None:
    with pytest.raises(DataError, match="no such file or folder"):
        load(tmp_path / "nowhere.json")
    with pytest.raises(DataError, match="This folder has none of the known formats"):
        load(tmp_path)
    folder = file("letters/a.txt", "Dear moss,\n").parent
    with pytest.raises(DataError, match="This folder has none of the known formats"):
        load(folder)
    file("letters/b.json", "[]")
    with pytest.raises(DataError, match=r"One file is expected, but there is a.txt, b.json; name one file"):
        load(folder, "wikisection")


ENDLESS = "9" * 5000


@pytest.mark.parametrize(
    ("name", "content", "format"),
    [
        ("a.txt", f"1,1,history\x01One.\n{ENDLESS},1,history\x01Two.\n", "chen"),
        ("a.txt", f"========,1,preface.\nOne.\n========,{ENDLESS},History.\nTwo.\n", "wiki727"),
        ("a.json", f'[{{"id": {ENDLESS}, "text": "One.", "annotations": []}}]', "wikisection"),
        ("a.jsonl", f'{{"text": "One.", "sections": [{{"begin": 0, "end": {ENDLESS}}}]}}\n', "jsonl"),
    ],
)
def test_numbers_without_an_end(tmp_path: Path, name: str, content: str, format: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(DataError) as caught:
        load(tmp_path / name, format)
    assert str(tmp_path / name) in str(caught.value)


def test_ranges_without_an_end(tmp_path: Path) -> None:
    (tmp_path / "a.1").write_text("One.\nTwo.\n")
    (tmp_path / "a.label").write_text(f"history 1::0-{ENDLESS}\n")
    with pytest.raises(DataError, match="not of the form"):
        load(tmp_path)


def test_lines_and_members_without_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sector.datasets.source.LARGEST", 1000)
    (tmp_path / "a.ref").write_text("==========\n" + "word " * 1000)
    monkeypatch.setattr("sector.datasets.json_stream.LARGEST", 1000)
    monkeypatch.setattr("sector.datasets.json_stream.PIECE", 100)
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(b'{"text": "' + b"word " * 1000 + b'"}'))
    with pytest.raises(DataError, match="A record has more than 1,000 characters"):
        load(tmp_path / "a.jsonl.gz")
    with pytest.raises(DataError, match="A line has more than 1,000 characters"):
        load(tmp_path / "a.ref")
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "a.ref", "a.ref")
    with pytest.raises(DataError, match="It has 5,011 bytes; a document has at most 1,000"):
        load(tmp_path / "a.tar.gz")
