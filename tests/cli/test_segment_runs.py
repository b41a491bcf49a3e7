"""`sector segment --output`: files that are written whole, runs that are continued, and what ends a run."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from command import Call, Write, call, corpus, read, segment

from tiny import HELD_OUT

__all__ = ["call", "segment"]


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


STOPPED = """
import signal
from itertools import islice
from time import sleep
from sector.corpus import LocalEngine

signal.signal(signal.SIGINT, signal.default_int_handler)
run = LocalEngine.run


def stopped(engine, documents):
    found = run(engine, documents)
    yield from islice(found, {count})
    sleep(60)


LocalEngine.run = stopped
"""
"""Makes a run wait for a signal after some documents, however fast the machine is; in the background, too."""


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
