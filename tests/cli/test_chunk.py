"""`sector chunk` as a user calls it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from command import Call, call

from tiny import HELD_OUT

__all__ = ["call"]
Write = Callable[[str, str | bytes], Path]


@pytest.mark.parametrize("arguments", [(), ("--max-tokens", 20, "--tokenizer", "words", "--overlap", 1)])
def test_lines(call: Call, tiny_model: Path, file: Write, arguments: tuple[object, ...]) -> None:
    path = file("notes.txt", HELD_OUT)
    answer = call("chunk", path, "--model", tiny_model, *arguments)
    chunks = [json.loads(line) for line in answer.out.splitlines()]
    assert (answer.code, answer.err) == (0, "")
    assert [HELD_OUT[chunk["begin"] : chunk["end"]] for chunk in chunks] == [chunk["text"] for chunk in chunks]
    assert {chunk["document"] for chunk in chunks} == {str(path)}
    assert [chunk["next"] for chunk in chunks[:-1]] == [chunk["id"] for chunk in chunks[1:]]
    if arguments:
        assert all(len(chunk["text"].split()) == chunk["tokens"] <= 20 for chunk in chunks)


def test_markdown_and_standard_input(call: Call, tiny_model: Path) -> None:
    answer = call("chunk", "--model", tiny_model, "--format", "markdown", stdin=HELD_OUT.encode())
    assert answer.out.startswith("<!-- ") and HELD_OUT.splitlines()[0] in answer.out


def test_parquet_of_a_corpus(call: Call, tiny_model: Path, file: Write, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    lines = "".join(json.dumps({"id": name, "text": HELD_OUT + name}) + "\n" for name in "ab") + "broken\n"
    output = tmp_path / "out" / "chunks.parquet"
    arguments = ("--model", tiny_model, "--format", "parquet", "--output", output, "--max-tokens", 40)
    answer = call("chunk", file("corpus.jsonl", lines), *arguments)
    rows = parquet.read_table(output).to_pylist()
    assert answer.code == 1 and "record 3" in answer.err
    assert {row["document"] for row in rows} == {"a", "b"}
    assert "".join(row["text"] for row in rows if row["document"] == "a") == HELD_OUT + "a"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--format", "parquet"), "Parquet needs a file"),
        (("--format", "csv"), "There is no format 'csv'"),
        (("--tokenizer", "gpt9"), "There is no tokenizer 'gpt9'"),
    ],
)
def test_wrong_options(call: Call, tiny_model: Path, arguments: tuple[str, ...], message: str) -> None:
    answer = call("chunk", "--model", tiny_model, *arguments, stdin=b"A text.")
    assert (answer.code, answer.out) == (1, "")
    assert message in answer.err
