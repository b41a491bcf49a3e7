"""`sector segment` and `sector chunk` part by part, as a user calls them."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
from command import Call, call

from tiny import HELD_OUT

pytest.importorskip("fsspec")
__all__ = ["call"]
Write = Callable[[str, str | bytes], Path]


@pytest.fixture
def corpus(file: Write) -> Path:
    lines = [{"id": "a", "text": HELD_OUT}, {"id": "b", "text": 5}, {"id": "c", "text": ""}]
    return file("corpus.jsonl", "".join(json.dumps(line) + "\n" for line in lines) + "no JSON\n")


def lines_of(folder: Path, pattern: str = "corpus-*.jsonl") -> list[str]:
    return [line for path in sorted(folder.glob(pattern)) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("workers", [1, 2])
def test_failures_are_counted_and_kept(
    call: Call, tiny_model: Path, corpus: Path, tmp_path: Path, workers: int
) -> None:
    output = tmp_path / "out"
    options = ("--model", tiny_model, "--output", output, "--workers", workers)
    answer = call("segment", f"file://{corpus}", *options)
    assert answer.code == 0 and "2 documents could not be read" in answer.err
    assert [json.loads(line)["id"] for line in lines_of(output)] == ["a", "c"]
    letters = [json.loads(line) for line in lines_of(output, "failed.jsonl")]
    assert [letter["id"] for letter in letters] == ["b", ""] and all(letter["reason"] for letter in letters)
    call("segment", corpus, "--model", tiny_model, "--output", tmp_path / "local")
    assert lines_of(tmp_path / "local", "corpus.jsonl") == lines_of(output)


def test_chunks_in_parts(call: Call, tiny_model: Path, corpus: Path, tmp_path: Path) -> None:
    options = ("--model", tiny_model, "--max-tokens", 40)
    assert call("chunk", f"file://{corpus}", *options, "--output", tmp_path / "parts", "--workers", 2).code == 0
    assert call("chunk", corpus, *options, "--output", tmp_path / "local.jsonl").code == 1
    assert lines_of(tmp_path / "parts") == lines_of(tmp_path, "local.jsonl")
    answer = call("chunk", corpus, *options, "--workers", 2)
    assert answer.code == 2 and "--engine ray" in answer.err


def test_an_empty_corpus(call: Call, tiny_model: Path, file: Write, tmp_path: Path) -> None:
    answer = call("segment", f"file://{file('none.jsonl', b'')}", "--model", tiny_model, "--output", tmp_path / "out")
    assert answer.code == 0
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["documents"] == 0


@pytest.mark.parametrize("command", ["segment", "chunk", "index"])
def test_without_ray_nothing_is_begun(
    call: Call, tiny_model: Path, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr("sector.scale.on_ray.find_spec", lambda name: None if name == "ray" else find_spec(name))
    answer = call(command, corpus, "--model", tiny_model, "--output", tmp_path / "out", "--engine", "ray")
    assert answer.code == 1 and "sector-nlp[ray]" in answer.err
    assert not list(tmp_path.glob("out*"))


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1"])
def test_a_cluster_that_is_not_there(call: Call, tiny_model: Path, corpus: Path, tmp_path: Path, address: str) -> None:
    pytest.importorskip("ray")
    options = ("--model", tiny_model, "--output", tmp_path / "out", "--engine", "ray", "--address", address)
    answer = call("segment", corpus, *options)
    assert answer.code == 1 and f"There is no Ray cluster at {address} (" in answer.err
