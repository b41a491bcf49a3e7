"""Compressed files, folders and archives give the same documents."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
from dataset_edges import pack

from sector.datasets import detect, json_stream, load
from sector.errors import DataError

File = Callable[[str, str | bytes], Path]

REF = "Moss.\n==========\nRain.\n"


@pytest.mark.parametrize(
    ("suffix", "compress"), [(".gz", gzip.compress), (".xz", lzma.compress), (".bz2", bz2.compress)]
)
def test_compressed_json(file: File, suffix: str, compress: Callable[[bytes], bytes]) -> None:
    content = compress(json.dumps([{"text": "Grün."}]).encode())
    assert load(file(f"a.json{suffix}", content))[0].text == "Grün."
    assert load(file("named otherwise", content))[0].text == "Grün."


@pytest.mark.parametrize("suffix", [".tar.xz", ".tar.gz", ".tar.bz2"])
def test_archives_of_folder_formats(tmp_path: Path, suffix: str) -> None:
    path = pack(tmp_path / f"set{suffix}", {"set/1.ref": REF, "set/2.ref": REF, "set/notes": "no"})
    assert detect(path).name == "ref"
    assert [(document.id, len(document.sections)) for document in load(path)] == [("set/1", 2), ("set/2", 2)]


def test_archive_of_one_file_is_that_file(tmp_path: Path) -> None:
    path = pack(tmp_path / "cities.tar.xz", {"cities.text": "1,1,climate\x01wet\n"})
    assert load(path)[0].sections[0].label == "climate"


def test_archive_of_several_json_files_asks_for_one(tmp_path: Path) -> None:
    path = pack(tmp_path / "all.tar.gz", {"a.json": "[]", "b.json": "[]"})
    with pytest.raises(DataError, match=r"there is a.json, b.json; name one file"):
        load(path)


def test_members_are_never_written_anywhere(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    path = pack(inside / "evil.tar.gz", {"../../outside.ref": REF})
    assert len(load(path)) == 1
    assert sorted(found.name for found in tmp_path.rglob("*")) == ["evil.tar.gz", "inside"]


def test_truncated_archive(tmp_path: Path) -> None:
    members = {f"{n}.ref": REF + f"Line {n}.\n" * 500 for n in range(50)}
    path = pack(tmp_path / "set.tar.xz", members)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(DataError, match="truncated or damaged"):
        load(path)
    path.write_bytes(b"no archive at all")
    with pytest.raises(DataError, match="truncated or damaged"):
        load(path)


@pytest.mark.parametrize("piece", [1, 2, 3, 7, 64])
def test_pieces_of_any_size_give_the_same_objects(file: File, monkeypatch: pytest.MonkeyPatch, piece: int) -> None:
    monkeypatch.setattr(json_stream, "PIECE", piece)
    records = [{"text": f'Moß "{n}" \\ \n\u2028', "metadata": {"n": str(n), "a": "é"}} for n in range(20)]
    for content in (json.dumps(records), json.dumps(records, ensure_ascii=False, indent=3)):
        documents = load(file("own.json", content))
        assert [document.text for document in documents] == [record["text"] for record in records]


def test_an_error_far_from_the_end_is_found_without_reading_on(file: File, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "PIECE", 1000)
    path = file("own.jsonl", '{"text": "Moss."}\n{"text": oops}\n' + '{"text": "Moss."}\n' * 1000)
    with pytest.raises(DataError, match="record 2: This is not JSON at line 2, character 27"):
        load(path)
