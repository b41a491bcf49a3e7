"""`sector figure` as users call it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from command import Call, call

from tiny import HELD_OUT, write_documents

__all__ = ["call"]
pytest.importorskip("matplotlib", reason="figures need matplotlib")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_document_becomes_a_picture_beside_the_caller(call: Call, tiny_model: Path, here: Path) -> None:
    (here / "notes.txt").write_text(HELD_OUT)
    answer = call("figure", "notes.txt", "--model", tiny_model, "--merge")
    assert (answer.code, answer.out, answer.err) == (0, "notes.png\n", "")
    assert (here / "notes.png").read_bytes().startswith(b"\x89PNG")


def test_a_data_set_has_its_gold_sections_drawn(call: Call, tiny_model: Path, here: Path) -> None:
    data = write_documents(here / "data.jsonl", 3)
    answer = call("figure", data, "-m", tiny_model, "--segmentation", "newline,bemd", "-o", "a.svg")
    assert answer.code == 0 and "document 1, 'doc-0'" in answer.err
    first = (here / "a.svg").read_text(encoding="utf-8")
    assert "gold section" in first and "tiny, newline" in first and "tiny, bemd" in first
    assert call("figure", data, "-m", tiny_model, "--document", "doc-2", "-o", "b.svg").err == ""
    again = call("figure", data, "-m", tiny_model, "--document", "3", "-o", "c.svg")
    assert again.code == 0 and (here / "b.svg").read_bytes() == (here / "c.svg").read_bytes()


def test_standard_input_and_a_window(call: Call, tiny_model: Path, here: Path) -> None:
    options = ("--sentences", "2-5", "--theme", "dark", "--rows", "2", "-o", "a.svg")
    answer = call("figure", "-", "-m", tiny_model, *options, stdin=HELD_OUT.encode())
    assert answer.code == 0 and "sentences 2–5" in (here / "a.svg").read_text(encoding="utf-8")


def test_a_page_to_explore_needs_no_matplotlib(
    call: Call, tiny_model: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    (here / "notes.txt").write_text(HELD_OUT)
    assert call("figure", "notes.txt", "-m", tiny_model, "-o", "notes.html").out == "notes.html\n"
    assert "<canvas>" in (here / "notes.html").read_text(encoding="utf-8")


def test_the_curves_of_a_training_run(call: Call, tiny_model: Path, here: Path) -> None:
    assert call("figure", tiny_model.with_name("tiny.work"), "-o", "run.svg").code == 0
    assert "training loss" in (here / "run.svg").read_text(encoding="utf-8")


def test_the_results_of_a_comparison(call: Call, here: Path) -> None:
    rows = [{"segmentation": "", "pk": 41.5, "f1": None, "documents_per_second": 30.0}]
    (here / "compared.json").write_text(json.dumps([{"title": "C99", "data": "en_city", "rows": rows}]))
    assert call("figure", "compared.json", "-o", "compared.svg").code == 0
    assert "C99" in (here / "compared.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("none.txt",), 1, "none.txt"),
        (("notes.txt", "-o", "a.gif"), 1, "a.gif"),
        (("notes.txt", "-o", "none/a.png"), 1, "folder"),
        (("notes.txt", "--theme", "sepia"), 1, "sepia"),
        (("notes.txt", "--sentences", "5-2"), 1, "5-2"),
        (("notes.txt", "--sentences", "50-60"), 1, "50"),
        (("notes.txt", "--document", "2"), 1, "--document"),
        (("notes.txt", "--segmentation", "best"), 1, "best"),
        (("notes.txt", "--headings", "maybe"), 1, "maybe"),
        (("data.jsonl", "--document", "9"), 1, "'9'"),
        (("notes.txt", "other.txt"), 2, "one document"),
        (("empty.txt",), 1, "no sentence"),
    ],
)
def test_what_cannot_be_drawn_is_one_sentence(
    call: Call, tiny_model: Path, here: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    (here / "notes.txt").write_text(HELD_OUT)
    (here / "empty.txt").write_text("\n")
    write_documents(here / "data.jsonl", 2)
    answer = call("figure", "-m", tiny_model, *arguments)
    assert answer.code == code and message in answer.err and "Traceback" not in answer.err
    assert not list(here.glob("*.png")) and not list(here.glob(".*"))


def test_a_missing_package_is_named(call: Call, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    (here / "notes.txt").write_text(HELD_OUT)
    answer = call("figure", "notes.txt")
    assert answer.code == 1 and "sector-nlp[figures]" in answer.err
