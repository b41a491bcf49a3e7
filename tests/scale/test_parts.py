"""Parts: every document of a corpus is in exactly one."""

from __future__ import annotations

import bz2
import gzip
import json
from pathlib import Path

import pytest
from corpora import lines, records
from hypothesis import given
from hypothesis import strategies as st

from sector.corpus.records import Fields
from sector.document import Document
from sector.errors import ConfigError, DataError
from sector.scale.parts import CorpusPart, divide, found_files
from sector.scale.sources import DeadLetter, PartReader


def read(path: Path | str, size: int, fields: Fields | None = None) -> list[Document | DeadLetter]:
    parts = list(divide(found_files([str(path)]), size, fields or Fields()))
    assert len({part.name for part in parts}) == len(parts)
    assert [CorpusPart.from_json(part.to_json()) for part in parts] == parts
    reader = PartReader(fields or Fields())
    return [document for part in parts for document in reader.documents(part)]


def ids(found: list[Document | DeadLetter]) -> list[str]:
    return [document.id for document in found]


@given(
    texts=st.lists(st.text("ab é\r\t", max_size=30), max_size=12),
    size=st.integers(1, 200),
    ending=st.sampled_from(["\n", "\r\n", "\n\n"]),
    is_ended=st.booleans(),
)
def test_every_line_is_in_one_part(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], size: int, ending: str, is_ended: bool
) -> None:
    path = tmp_path_factory.mktemp("lines") / "corpus.jsonl"
    rows = [json.dumps({"id": str(i), "text": text}, ensure_ascii=False) for i, text in enumerate(texts)]
    path.write_bytes((ending.join(rows) + (ending if is_ended else "")).encode())
    found = read(path, size)
    assert [(document.id, document.text) for document in found] == [(str(i), text) for i, text in enumerate(texts)]


@pytest.mark.parametrize("size", [1, 100, 1000, 10**6])
def test_a_place_is_where_the_line_begins(tmp_path: Path, size: int) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"text": "é"}\n{"no": 1}\nbroken\n{"text": "b"}\n', encoding="utf-8")
    found = read(path, size)
    content = path.read_bytes()
    begins = [content.index(line) for line in content.splitlines()]
    places = [f"{path}#{begin}" for begin in begins]
    assert [document.place if isinstance(document, DeadLetter) else document.id for document in found] == places
    assert [isinstance(document, DeadLetter) for document in found] == [False, True, True, False]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
@pytest.mark.parametrize("name", ["corpus.jsonl.gz", "corpus.jsonl"])
def test_packed_lines_are_one_part(tmp_path: Path, pack: object, name: str) -> None:
    assert callable(pack)
    path = tmp_path / name
    path.write_bytes(pack(lines(tmp_path / "plain", records(50)).read_bytes()))
    assert ids(read(path, 100)) == [f"d{i}" for i in range(50)]


def test_a_damaged_file_keeps_what_could_be_read(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl.gz"
    whole = gzip.compress(lines(tmp_path / "plain", records(2000)).read_bytes())
    path.write_bytes(whole[: len(whole) // 2])
    found = read(path, 10**9)
    assert len(found) > 100 and isinstance(found[-1], DeadLetter)
    assert "truncated or damaged" in found[-1].reason
    assert not any(isinstance(document, DeadLetter) for document in found[:-1])


@pytest.mark.parametrize("size", [1, 300, 10**9])
@pytest.mark.parametrize("group", [1, 7, 1000])
def test_every_row_is_in_one_part(tmp_path: Path, size: int, group: int) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    rows = records(40)
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "corpus.parquet", row_group_size=group)
    found = read(tmp_path / "corpus.parquet", size)
    assert ids(found) == [row["id"] for row in rows]


def test_rows_without_ids_are_named_by_their_numbers(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = tmp_path / "corpus.parquet"
    parquet.write_table(pyarrow.table({"body": ["a", None, "c"]}), path)
    found = read(path, 1, Fields("body"))
    assert ids(found) == [f"{path}#1", "", f"{path}#3"]
    with pytest.raises(DataError, match="no column 'text', only body"):
        read(path, 1)


def test_folders_and_patterns(tmp_path: Path) -> None:
    for name in ("a.txt", "b/c.md", "b/d.jsonl", ".hidden.txt", "_sector/e.txt", "f.png"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text('{"id": "d", "text": "Words."}\n' if "jsonl" in name else "Words.\n")
    assert sorted(ids(read(tmp_path, 10**6))) == sorted([f"{tmp_path}/a.txt", f"{tmp_path}/b/c.md", "d"])
    assert ids(read(f"{tmp_path}/b/*.md", 10**6)) == [f"{tmp_path}/b/c.md"]
    with pytest.raises(ConfigError, match=r"There is no .*absent"):
        found_files([str(tmp_path / "absent")])
    with pytest.raises(ConfigError, match="sector data convert"):
        read(lines(tmp_path / "data.json", []), 1)


def test_an_address_that_nothing_knows() -> None:
    with pytest.raises(ConfigError, match="no address that fsspec knows"):
        found_files(["nowhere://bucket/corpus.jsonl"])
