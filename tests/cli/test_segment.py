"""`sector segment` as a user calls it: inputs, formats, results, problems, exit codes."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command import Call, call

import sector
from sector.cli import console
from tiny import HELD_OUT, HELD_OUT_LABELS, record

__all__ = ["call"]
Write = Callable[[str, str | bytes], Path]


@pytest.fixture
def segment(call: Call, tiny_model: Path) -> Call:
    def run(*arguments: object, **options: Any) -> Any:
        return call("segment", "--model", tiny_model, *arguments, **options)

    return run


def corpus(path: Path, count: int) -> Path:
    lines = [json.dumps({"id": f"doc-{n}", "text": record(n)["text"]}) + "\n" for n in range(count)]
    path.write_text("".join(lines))
    return path


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


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


def test_a_file_per_document(segment: Call, file: Write, tmp_path: Path) -> None:
    file("docs/a.txt", HELD_OUT)
    folder = file("docs/deep/a.txt", HELD_OUT).parents[1]
    endings = {"json": "json", "markdown": "md", "html": "html", "text": "tsv"}
    for name, ending in endings.items():
        answer = segment(folder, "--format", name, "--output", tmp_path / name)
        assert (answer.code, answer.out) == (0, "")
        found = sorted(path.relative_to(tmp_path / name).as_posix() for path in (tmp_path / name).rglob("*.*"))
        assert found == [f"a.txt.{ending}", f"deep/a.txt.{ending}"]
    assert json.loads((tmp_path / "json" / "a.txt.json").read_text())["length"] == len(HELD_OUT)
    assert segment("-", "-f", "html", "-o", tmp_path / "piped", stdin=b"Text.").code == 0
    assert (tmp_path / "piped" / "stdin.html").read_text().endswith("</html>\n")


def test_results_that_cannot_be_written(segment: Call, file: Write, tmp_path: Path) -> None:
    paths = [file("a/x.txt", "One."), file("b/x.txt", "Two.")]
    assert segment(*paths).code == 0
    assert "would both be written to" in segment(*paths, "-f", "json", "-o", tmp_path / "out").err
    assert "among the documents" in segment(paths[0].parent, "-o", paths[0].parent).err
    assert "leave --format out" in segment(corpus(tmp_path / "c.jsonl", 1), "-f", "html", "-o", tmp_path / "out").err
    inside = paths[0].parent / "results"
    for _ in range(2):
        assert segment(paths[0].parent, "-f", "markdown", "-o", inside).code == 0
    assert [path.name for path in inside.iterdir()] == ["x.txt.md"]


def test_a_corpus_is_continued(segment: Call, tmp_path: Path) -> None:
    source, results = corpus(tmp_path / "c.jsonl", 12), tmp_path / "out" / "c.jsonl"
    assert segment(source, "-o", tmp_path / "out").code == 0
    whole = results.read_bytes()
    lines = whole.splitlines(keepends=True)
    for kept in (b"", lines[0], b"".join(lines[:5]) + lines[5][:-1], b"".join(lines[:7]) + lines[7][:3], whole):
        results.write_bytes(kept)
        answer = segment(source, "-o", tmp_path / "out")
        assert results.read_bytes() == whole
        there = kept.count(b"\n")
        assert (f"{there} document{'s' * (there > 1)} already done" in answer.err) == (there > 0)
    corpus(source, 14)
    segment(source, "-o", tmp_path / "out")
    assert [entry["id"] for entry in read(results)] == [f"doc-{n}" for n in range(14)]


@pytest.mark.skipif(os.name == "nt", reason="there are no named pipes")
def test_pipes_and_devices_are_not_waited_for(segment: Call, file: Write, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.txt").write_text(HELD_OUT)
    for name in ("pipe.txt", "pipe.jsonl"):
        os.mkfifo(folder / name)
        answer = segment(folder / name)
        assert (answer.code, answer.out) == (1, "")
        assert answer.err == f"error: {folder / name}: This is a named pipe, not a file; pipe its content in (-).\n"
    assert "This is a device" in segment("/dev/zero").err
    answer = segment(folder)
    assert (answer.code, len(answer.out.splitlines())) == (0, len(HELD_OUT_LABELS))


def test_equal_ids_and_broken_records_are_neither_lost_nor_doubled(segment: Call, file: Write, tmp_path: Path) -> None:
    texts = ["One.", "Two two.", "Three three three.", "Four."]
    lines = [json.dumps({"id": "same", "text": text}) for text in texts]
    lines.insert(1, "broken")
    source, results = file("c.jsonl", "\n".join(lines)), tmp_path / "out" / "c.jsonl"
    for kept in range(5):
        if kept:
            results.write_text("".join(results.read_text().splitlines(keepends=True)[:kept]))
        assert segment(source, "-o", tmp_path / "out").code == 1
        assert [entry["length"] for entry in read(results)] == [len(text) for text in texts]


def test_results_of_something_else_are_not_continued(segment: Call, tmp_path: Path) -> None:
    source, results = corpus(tmp_path / "c.jsonl", 3), tmp_path / "out" / "c.jsonl"
    segment(source, "-o", tmp_path / "out")
    before = results.read_bytes()
    answer = segment(source, "-o", tmp_path / "out", "--max-chars", 100)
    assert (answer.code, "begun with max_chars = None" in answer.err) == (1, True)
    corpus(source, 1)
    assert "not in the input" in segment(source, "-o", tmp_path / "out").err
    source.write_text('{"id": "other", "text": "One."}\n')
    assert "its line 1 is of 'doc-0', not of 'other'" in segment(source, "-o", tmp_path / "out").err
    assert results.read_bytes() == before
    assert segment(source, "-o", tmp_path / "out", "--overwrite", "--max-chars", 100).code == 0
    assert [entry["id"] for entry in read(results)] == ["other"]
    results.write_text("my own notes\n")
    assert "not a document of ours" in segment(source, "-o", tmp_path / "out", "--max-chars", 100).err


def test_results_of_other_inputs_or_another_model_are_not_continued(
    segment: Call, call: Call, tiny_model: Path, tmp_path: Path
) -> None:
    source = tmp_path / "c.jsonl"
    source.write_text('{"id": "a", "text": "One.", "body": "Two."}\n')
    out = ("-o", tmp_path / "out")
    assert segment(source, *out).code == 0
    assert "begun with text_field = text, and now it is body" in segment(source, *out, "--text-field", "body").err
    assert "begun with encoding = detected, and now it is latin-1" in segment(source, *out, "--encoding", "latin-1").err
    changed = tmp_path / tiny_model.name
    shutil.copytree(tiny_model, changed)
    config = json.loads((changed / "config.json").read_text(encoding="utf-8"))
    (changed / "config.json").write_text(json.dumps(config | {"files": {}}), encoding="utf-8")
    assert call("segment", "-m", changed, source, *out, "--overwrite").code == 0
    encoder_file = next(path for path in sorted(changed.iterdir()) if path.name in ("input.npy", "vectors.npy"))
    encoder_file.write_bytes(encoder_file.read_bytes()[:-1] + b"\0")
    assert "begun with fingerprint = " in call("segment", "-m", changed, source, *out).err
    assert segment(source, *out, "--overwrite").code == 0
    source.write_text('{"id": "a", "text": "Changed."}\n')
    assert "the text of 'a' was changed" in segment(source, *out).err


def test_workers_give_the_same(segment: Call, tmp_path: Path) -> None:
    source = corpus(tmp_path / "c.jsonl", 70)
    for workers in (1, 2):
        assert segment(source, "-o", tmp_path / str(workers), "--workers", workers).code == 0
    assert (tmp_path / "1" / "c.jsonl").read_bytes() == (tmp_path / "2" / "c.jsonl").read_bytes()


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


STOPPED = """
from itertools import islice
from time import sleep
from sector.corpus import LocalEngine

run = LocalEngine.run


def stopped(engine, documents):
    found = run(engine, documents)
    yield from islice(found, {count})
    sleep(60)


LocalEngine.run = stopped
"""
"""Makes a run wait for a signal after some documents, however fast the machine is."""


def start(*arguments: object, before: str = "", **options: Any) -> subprocess.Popen[bytes]:
    code = before + "from sector.cli import main; main()"
    command = [sys.executable, "-c", code, "segment", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def wait_for(results: Path, size: int) -> None:
    deadline = time.monotonic() + 60
    while not (results.exists() and results.stat().st_size > size) and time.monotonic() < deadline:
        time.sleep(0.01)


@pytest.mark.skipif(os.name == "nt", reason="signals are different there")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_the_main_process(sent: signal.Signals, tiny_model: Path, tmp_path: Path) -> None:
    source, results = corpus(tmp_path / "c.jsonl", 600), tmp_path / "out" / "c.jsonl"
    options = (source, "-o", tmp_path / "out", "--workers", 2)
    process = start("-m", tiny_model, *options, before=STOPPED.format(count=100), start_new_session=True)
    assert process.stdout is not None and process.stderr is not None
    wait_for(results, 0)
    process.send_signal(sent)
    process.stdout.read()  # ends when the last process that holds the pipe is gone
    process.stderr.read()
    assert process.wait(timeout=30) == (-9 if sent == signal.SIGKILL else 130)
    deadline = time.monotonic() + 30
    with pytest.raises(ProcessLookupError):
        while time.monotonic() < deadline:
            os.killpg(process.pid, 0)
            time.sleep(0.01)


@pytest.mark.skipif(os.name == "nt", reason="signals are different there")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_interruption_and_continuation(sent: signal.Signals, segment: Call, tiny_model: Path, tmp_path: Path) -> None:
    source, results = corpus(tmp_path / "c.jsonl", 400), tmp_path / "out" / "c.jsonl"
    options = (source, "-o", tmp_path / "out", "--segmentation", "newline")
    process = start("-m", tiny_model, *options, before=STOPPED.format(count=200))
    wait_for(results, 50_000)
    process.send_signal(sent)
    _, err = process.communicate(timeout=30)
    there = results.read_bytes()
    assert 0 < there.count(b"\n") <= 200
    if sent != signal.SIGKILL:
        assert (process.returncode, err.strip()) == (
            130,
            b"interrupted; the same command continues where this one stopped",
        )
        assert there.endswith(b"}\n")
    answer = segment(*options)
    assert (answer.code, "documents already done" in answer.err) == (0, True)
    assert [entry["id"] for entry in read(results)] == [f"doc-{n}" for n in range(400)]


@pytest.mark.skipif(os.name == "nt", reason="pipes are different there")
def test_a_closed_pipe_is_quiet(tiny_model: Path, tmp_path: Path) -> None:
    process = start(corpus(tmp_path / "c.jsonl", 500), "-m", tiny_model, "-f", "jsonl")
    assert process.stdout is not None and process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.wait(timeout=30)
