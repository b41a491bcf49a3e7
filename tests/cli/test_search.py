"""`sector index` and `sector search` as a user calls them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from command import Call, call

from sector.output.hits import TextHits
from sector.retrieval import Index
from tiny import HELD_OUT

__all__ = ["call"]
Write = Callable[[str, str | bytes], Path]


@pytest.fixture
def corpus(file: Write) -> Path:
    file("notes/clinic.txt", HELD_OUT)
    return file("notes/valley.md", "# Weather\n\nWinters bring frost.\n").parent


def test_index_and_search(call: Call, tiny_model: Path, corpus: Path, tmp_path: Path) -> None:
    place = tmp_path / "out" / "notes.db"
    first = call("index", corpus, "--output", place, "--model", tiny_model)
    assert (first.code, first.out) == (0, "") and "2 documents added" in first.err
    assert "2 unchanged" in call("index", corpus, "--output", place, "--model", tiny_model).err
    answer = call("search", place, "frost in winter", "--limit", 2)
    lines = [line.split("\t") for line in answer.out.splitlines()]
    assert {(line[1], line[4]) for line in lines} == {
        (str(corpus / "valley.md"), "climate"),
        (str(corpus / "clinic.txt"), "climate"),
    }
    assert next(line[6] for line in lines if line[1].endswith(".md")) == "Weather"
    hits = json.loads(call("search", place, "frost", "--label", "climate", "--json").out)
    assert [hit["ranks"] for hit in hits] == [{"bm25": 1}, {"bm25": 2}]
    nothing = call("search", place, "frost", "--label", "treatment")
    assert (nothing.code, nothing.out) == (0, "") and "the most frequent labels are" in nothing.err


def test_an_address_instead_of_a_file(call: Call, tiny_model: Path, corpus: Path, postgres: str) -> None:
    first = call("index", corpus, "--output", postgres, "--model", tiny_model)
    assert first.code == 0 and first.err.rstrip().endswith(f"in {postgres}")
    assert "2 unchanged" in call("index", corpus, "--output", postgres).err
    (hit,) = json.loads(call("search", postgres, "frost", "--label", "climate", "--limit", 1, "--json").out)
    assert hit["document"] == str(corpus / "valley.md")


def test_prune(call: Call, tiny_model: Path, corpus: Path, tmp_path: Path) -> None:
    place = tmp_path / "notes.db"
    call("index", corpus, "--output", place, "--model", tiny_model)
    (corpus / "valley.md").unlink()
    broken = call("index", corpus, corpus / "gone.txt", "--output", place, "--prune")
    assert broken.code == 1 and "nothing was removed" in broken.err
    assert "1 document removed" in call("index", corpus, "--output", place, "--prune").err
    assert not call("search", place, "weather").out


def test_a_terminal_sees_where_what_and_why(tiny_model: Path, tmp_path: Path) -> None:
    with Index(tmp_path / "notes.db", tiny_model) as index:
        index.add({"clinic": HELD_OUT})
        hits = index.search("insulin")
    plain = TextHits(60, coloured=False).render(hits)
    assert plain.splitlines()[0] == "  1  treatment" and "clinic" in plain.splitlines()[1]
    assert max(map(len, plain.splitlines())) <= 60
    assert "\x1b[1;33minsulin\x1b[0m" in TextHits(60).render(hits)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("index", "notes.txt"), 2, "name the index"),
        (("search", "none.db", "frost"), 1, "There is no index none.db"),
        (("search", "none.db"), 2, "Missing argument"),
    ],
)
def test_wrong_use(call: Call, arguments: tuple[str, ...], code: int, message: str) -> None:
    answer = call(*arguments)
    assert (answer.code, answer.out) == (code, "") and message in answer.err


def test_workers_put_a_corpus_into_an_index(call: Call, file: Write, tmp_path: Path, tiny_model: Path) -> None:
    texts = [HELD_OUT, *(f"Winters bring frost, {number} of them." for number in range(4))]
    rows = [json.dumps({"id": f"d{number}", "text": text}) + "\n" for number, text in enumerate(texts)]
    corpus, place = file("corpus.jsonl", "".join(rows) + '{"id": "x"}\n'), tmp_path / "notes.db"
    first = call("index", corpus, "--output", place, "--model", tiny_model, "--workers", 1)
    assert first.code == 0 and "5 documents added" in first.err and "notes.db.parts/failed.jsonl" in first.err
    assert "nothing was removed" in call("index", corpus, "--output", place, "--workers", 1, "--prune").err
    file("corpus.jsonl", "".join(rows[:3]))
    again = call("index", corpus, "--output", place, "--workers", 1, "--prune")
    assert "3 unchanged" in again.err and "2 documents removed" in again.err
    assert call("search", place, "frost").out
    assert call("index", corpus, "--output", "postgresql://h/d", "--workers", 1).code == 2
