"""`sector segment` as a user calls it: inputs, formats, results, problems, exit codes."""

from __future__ import annotations

import gzip
import json
import os
import sys
from pathlib import Path

import pytest
from command import Call, Write, call, segment

import sector
from sector.cli import console
from tiny import HELD_OUT, HELD_OUT_LABELS

__all__ = ["call", "segment"]


def test_a_file_as_lines(segment: Call, file: Write) -> None:
    path = file("notes.txt", HELD_OUT)
    answer = segment(path)
    rows = [line.split("\t") for line in answer.out.splitlines()]
    assert (answer.code, answer.err) == (0, "")
    assert tuple(row[3] for row in rows) == HELD_OUT_LABELS
    assert {row[0] for row in rows} == {str(path)}
    assert "\x1b" not in answer.out


@pytest.mark.parametrize("arguments", [(), ("-",)])
def test_standard_input(segment: Call, arguments: tuple[str, ...]) -> None:
    found = json.loads(segment("--format", "json", *arguments, stdin=HELD_OUT.encode()).out)
    assert found["id"] == "stdin"
    assert "".join(section["text"] for section in found["sections"]) == HELD_OUT


def test_the_same_as_in_python(segment: Call, file: Write, tiny_model: Path) -> None:
    path = file("notes.txt", "\ufeff" + HELD_OUT.replace("\n", "\r\n"))
    found = json.loads(segment(path, "-f", "json", "--segmentation", "emd", "--max-chars", 90, "--min-chars", 20).out)
    text = HELD_OUT.replace("\n", "\r\n")
    expected = sector.load(tiny_model).segment(text, segmentation="emd", max_chars=90, min_chars=20)
    assert found["sections"] == [section.to_dict() for section in expected.sections]
    assert all(len(section["text"]) <= 90 for section in found["sections"])


def test_merge_leaves_no_neighbours_of_one_label(segment: Call, file: Write) -> None:
    path = file("notes.txt", HELD_OUT)
    apart, merged = (
        [line.split("\t")[3] for line in segment(path, "--segmentation", "newline", *option).out.splitlines()]
        for option in ((), ("--merge",))
    )
    assert merged == [label for i, label in enumerate(apart) if i == 0 or label != apart[i - 1]]


def test_several_documents(segment: Call, file: Write) -> None:
    paths = [file(name, HELD_OUT) for name in ("a.txt", "b.txt")]
    assert [entry["id"] for entry in json.loads(segment(*paths, "-f", "json").out)] == [str(path) for path in paths]
    lines = segment(*paths, "-f", "jsonl").out.splitlines()
    assert [json.loads(line)["id"] for line in lines] == [str(path) for path in paths]
    assert segment(*paths, "-f", "markdown").out.count("\n# ") == 1
    page = segment(*paths, "-f", "html").out
    assert (page.count("<!DOCTYPE"), page.count("<article>"), page.count("</html>")) == (1, 2, 1)
    assert len(json.loads(segment(paths[0].parent, "-f", "json").out)) == 2


def test_a_folder(segment: Call, file: Write) -> None:
    names = ("docs/a.txt", "docs/deep/b.md", "docs/c.TEXT")
    for name in names:
        file(name, HELD_OUT)
    for name in ("docs/.hidden.txt", "docs/.git/d.txt", "docs/photo.jpg", "docs/data.json"):
        file(name, b"\xff\x00")
    folder = file("docs/z.rst", "").parent
    ids = [json.loads(line)["id"] for line in segment(folder, "-f", "jsonl").out.splitlines()]
    assert ids == [str(folder / name) for name in ("a.txt", "c.TEXT", "deep/b.md", "z.rst")]


def test_corpora_in_a_folder(segment: Call, file: Write, tmp_path: Path) -> None:
    for name in ("docs/a.jsonl", "docs/deep/a.ndjson", "docs/.hidden.jsonl"):
        folder = file(name, json.dumps({"id": name, "text": HELD_OUT}).encode()).parents[name.count("/") - 1]
    answer = segment(folder, "-f", "jsonl")
    assert [json.loads(line)["id"] for line in answer.out.splitlines()] == ["docs/a.jsonl", "docs/deep/a.ndjson"]
    file("docs/b.txt", HELD_OUT)
    assert segment(folder, "--output", tmp_path / "out").code == 0
    names = sorted(path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("[!.]*.jsonl"))
    assert names == ["a.jsonl", "deep/a.jsonl", "docs.jsonl"]
    answer = segment(folder, "-f", "html", "--output", tmp_path / "pages")
    assert answer.code == 0 and "skipped files: .jsonl (1), .ndjson (1)" in answer.err


@pytest.mark.parametrize("ending", ["jsonl", "ndjson", "jsonl.gz"])
def test_json_lines(segment: Call, file: Write, ending: str) -> None:
    lines = b'\xef\xbb\xbf{"id": "x", "text": "One. Two."}\n\n{"text": "Three."}\n{"id": 7, "text": "\\ud800"}'
    path = file(f"corpus.{ending}", gzip.compress(lines) if ending.endswith("gz") else lines)
    found = [json.loads(line) for line in segment(path, "-f", "jsonl").out.splitlines()]
    assert [(entry["id"], entry["length"]) for entry in found] == [("x", 9), ("3", 6), ("7", 1)]


def test_other_fields(segment: Call, file: Write) -> None:
    path = file("corpus.jsonl", '{"name": "x", "body": "One."}\n')
    answer = segment(path, "-f", "jsonl", "--text-field", "body", "--id-field", "name")
    assert json.loads(answer.out)["id"] == "x"


def test_broken_records_do_not_stop_the_others(segment: Call, file: Write) -> None:
    records = [b'{"text": "One."}', b'{"text": ', b"[]", b'{"body": 1}', b'{"text": 1}', b"\xff", b"[" * 9999]
    answer = segment(file("c.jsonl", b"\n".join([*records, b'{"text": "Last."}'])), "-f", "jsonl")
    assert [json.loads(line)["id"] for line in answer.out.splitlines()] == ["1", "8"]
    assert answer.code == 1
    assert answer.err.count("error:") == 6
    assert "c.jsonl, record 4: The field 'text' is missing; --text-field names another." in answer.err


def test_parquet(segment: Call, tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = tmp_path / "corpus.parquet"
    columns = {"id": [1, 2, 3], "text": ["One.", None, "Three."], "more": [0, 0, 0]}
    parquet.write_table(pyarrow.table(columns), path)
    answer = segment(path, "-f", "jsonl")
    assert [json.loads(line)["id"] for line in answer.out.splitlines()] == ["1", "3"]
    assert (answer.code, "record 2" in answer.err) == (1, True)
    assert "no column 'body', only id, text, more" in segment(path, "--text-field", "body").err
    path.write_bytes(path.read_bytes()[:40])
    answer = segment(path)
    assert (answer.code, "not a whole Parquet file" in answer.err) == (1, True)


def test_parquet_without_its_package(segment: Call, file: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    answer = segment(file("corpus.parquet", b"PAR1"))
    assert (answer.code, "pip install 'sector-nlp[parquet]'" in answer.err) == (1, True)


def test_unreadable_files_are_named_at_the_end(segment: Call, file: Write) -> None:
    good = file("good.txt", "All is well.")
    bad = {
        "kanji.txt": ("漢字カタカナ".encode("shift-jis"), "name its encoding"),
        "zeros.bin": (b"text\0\0", "binary file"),
        "photo.jpg": (b"\xff\xd8\xff\x01", "picture"),
        "old.doc": (b"\xd0\xcf\x11\xe0", "save it as DOCX"),
        "data.json": (b"{}", "sector data convert"),
    }
    paths = [file(name, content) for name, (content, _) in bad.items()]
    answer = segment(*paths, "missing.txt", good, "-f", "jsonl")
    assert [json.loads(line)["id"] for line in answer.out.splitlines()] == [str(good)]
    assert answer.code == 1
    assert all(
        f"{path}: " in answer.err and hint in answer.err for path, (_, hint) in zip(paths, bad.values(), strict=True)
    )
    assert "missing.txt: There is no such file or folder" in answer.err
    assert "Traceback" not in answer.err


def test_encodings(segment: Call, file: Write) -> None:
    for encoding in ("latin-1", "utf-16", "CP1252"):
        answer = segment(file("x.txt", "Grüße.".encode(encoding)), "--encoding", encoding, "-f", "json")
        assert json.loads(answer.out)["sections"][0]["text"] == "Grüße."
    assert "There is no encoding 'klingon'" in segment(file("x.txt", ""), "--encoding", "klingon").err
    assert segment(file("x.txt", ""), "--encoding", "rot13").code == 1


def test_empty_and_huge_texts(segment: Call, file: Write) -> None:
    assert json.loads(segment(file("empty.txt", ""), "-f", "json").out)["sections"] == []
    assert segment(file("empty.txt", "")).out == ""
    answer = segment(file("line.txt", "word " * 100_000), "--max-chars", 100_000, "-f", "json")
    assert json.loads(answer.out)["length"] == 500_000


@pytest.mark.skipif(os.name == "nt", reason="there are no named pipes")
def test_pipes_and_devices_are_not_waited_for(segment: Call, file: Write, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.txt").write_text(HELD_OUT)
    pytest.importorskip("pyarrow")
    for name in ("pipe.txt", "pipe.jsonl", "pipe.parquet"):
        os.mkfifo(folder / name)
        answer = segment(folder / name)
        assert (answer.code, answer.out) == (1, "")
        assert answer.err == f"error: {folder / name}: This is a named pipe, not a file; pipe its content in (-).\n"
    assert "This is a device" in segment("/dev/zero").err
    os.mkfifo(folder / ".gitignore")
    answer = segment(folder)
    assert (answer.code, len(answer.out.splitlines())) == (0, len(HELD_OUT_LABELS))


def test_wrong_usage(call: Call, segment: Call, file: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = file("x.txt", "Text.")
    assert segment(path, "--max-chars", 0).code == 2
    assert segment(path, "--workers", 0).code == 2
    for arguments, hint in (
        (("--segmentation", "magic"), "newline, max, emd, bemd"),
        (("--format", "pdf"), "markdown"),
        (("--engine", "spark"), "no engine 'spark'"),
        (("--address", "auto"), "give --engine ray too"),
        (("--max-chars", 5, "--min-chars", 6), "above 'max_chars'"),
    ):
        answer = segment(path, *arguments)
        assert (answer.code, answer.out, answer.err.count("\n")) == (1, "", 1)
        assert hint in answer.err
    answer = call("segment", path, "--model", "nowhere")
    assert (answer.code, "There is no model 'nowhere'" in answer.err) == (1, True)


def test_no_input(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from typer.testing import CliRunner

    from sector.cli.app import app

    monkeypatch.setattr("sector.cli.inputs.sys", type("Terminal", (), {"stdin": None}))
    result = CliRunner().invoke(app, ["segment", "--model", str(tiny_model)])
    assert (result.exit_code, "there is no input" in result.output) == (2, True)


def test_a_terminal_gets_colours(segment: Call, file: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console.out, "_force_terminal", True)
    shown = segment(file("notes.txt", HELD_OUT)).out
    assert "\x1b[2m" in shown and "█" in shown
    monkeypatch.setattr(console.out, "no_color", True)
    assert "\x1b" not in segment(file("notes.txt", HELD_OUT)).out


def test_records_are_read_to_a_bound(segment: Call, file: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sector.corpus.records.MOST_LINE", 100)
    lines = b'{"text": "' + b"a" * 10_000 + b'"}\n{"text": "One."}\n'
    answer = segment(file("bomb.jsonl.gz", gzip.compress(lines)), "-f", "jsonl")
    assert (answer.code, json.loads(answer.out)["id"]) == (1, "2")
    assert "bomb.jsonl.gz, record 1: It has more than 100 bytes." in answer.err


def test_thousands_of_bad_records_are_counted(segment: Call, file: Write) -> None:
    path = file("c.jsonl", "{}\n" * 1203)
    answer = segment(path)
    assert answer.code == 1
    assert answer.err.count("error:") == 1001
    assert "203 more documents could not be read" in answer.err
