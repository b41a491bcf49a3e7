"""What reaches a terminal: hostile names, texts, labels and messages; closed and full streams."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from command import Call, call

from sector.cli import console

__all__ = ["call"]
HOSTILE = "x\x1b[31m\x9b2J\u202ey"
UNSAFE = ("\x1b", "\x9b", "\u202e")


def is_safe(shown: str) -> bool:
    return not any(sign in shown for sign in UNSAFE)


@pytest.fixture
def hostile_data(tmp_path: Path) -> Path:
    sections = [{"begin": 0, "end": 9, "label": HOSTILE, "heading": HOSTILE}, {"begin": 9, "end": 20, "label": "b"}]
    path = tmp_path / f"{HOSTILE}.jsonl"
    record = {"id": HOSTILE, "title": HOSTILE, "text": f"One two. {HOSTILE} three.", "sections": sections}
    path.write_text(json.dumps(record) + "\n")
    return path


VERBS: list[Callable[[Path, Path], tuple[object, ...]]] = [
    lambda data, model: ("segment", "-m", model, data),
    lambda data, model: ("segment", "-m", model, data, "-f", "json"),
    lambda data, model: ("segment", "-m", HOSTILE, data),
    lambda data, model: ("segment", "-m", model, data, "--encoding", HOSTILE),
    lambda data, model: ("segment", "-m", model, data, f"--{HOSTILE}"),
    lambda data, model: ("segment", "-m", model, data, "--workers", HOSTILE),
    lambda data, model: ("segment", "-m", model, data.with_name(HOSTILE)),
    lambda data, model: ("evaluate", model, data, "--per-label"),
    lambda data, model: ("evaluate", model, data, "--json", "--per-label"),
    lambda data, model: ("data", "stats", data, "--headings", 3),
    lambda data, model: ("data", "stats", data, "--headings", 3, "--json"),
    lambda data, model: ("data", "convert", data, data.with_name(HOSTILE)),
    lambda data, model: ("wiki", "headings", data, "--all"),
    lambda data, model: ("info", HOSTILE),
    lambda data, model: (HOSTILE,),
]


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("terminal", [False, True])
def test_nothing_that_a_terminal_obeys_is_printed(
    verb: Callable[[Path, Path], tuple[object, ...]],
    terminal: bool,
    call: Call,
    hostile_data: Path,
    tiny_model: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if terminal:
        for shown in (console.out, console.err):
            monkeypatch.setattr(shown, "_force_terminal", True)
            monkeypatch.setattr(shown, "_color_system", None)
        monkeypatch.setattr(console.out, "no_color", True)
    answer = call(*verb(hostile_data, tiny_model))
    allowed = answer.err.replace("\x1b[?25l", "").replace("\x1b[?25h", "").replace("\x1b[2K", "")
    for ours in ("\x1b[1A", "\x1b[0m", "\x1b[1m"):
        allowed = allowed.replace(ours, "")
    assert is_safe(answer.out), ascii(answer.out)
    assert is_safe(allowed), ascii(answer.err)


@pytest.mark.parametrize("format_name", ["text", "json", "markdown", "html"])
def test_texts_on_a_terminal(
    format_name: str, call: Call, hostile_data: Path, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console.out, "_force_terminal", True)
    monkeypatch.setattr(console.out, "no_color", True)
    assert is_safe(call("segment", "-m", tiny_model, hostile_data, "-f", format_name).out)


def test_a_hostile_model_card(call: Call, tiny_model: Path, tmp_path: Path) -> None:
    import shutil

    folder = tmp_path / "model"
    shutil.copytree(tiny_model, folder)
    (folder / "README.md").write_text(f"# {HOSTILE}\n\n{HOSTILE}\n")
    answer = call("info", folder)
    assert answer.code == 0 and "�[31m" in answer.out
    assert is_safe(answer.out)


def ended(command: str) -> tuple[int, str]:
    done = subprocess.run(["bash", "-c", f"{sys.executable} -m sector {command}"], capture_output=True, text=True)
    return done.returncode, done.stderr


@pytest.mark.skipif(os.name == "nt", reason="streams are different there")
@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("models >&-", "error: Bad file descriptor"),
        ("models > /dev/full", "error: No space left on device"),
        ("segment nope >&-", "error: nope: There is no such file or folder; check the path."),
        ("models --json 2>&-", ""),
        ("segment nope 2>&- >&-", ""),
        ("segment - <&-", "error: stdin: Standard input is closed; pipe a document in, or name a file."),
    ],
)
def test_streams_that_are_closed_or_full(command: str, message: str) -> None:
    code, err = ended(command)
    assert (code, err.strip()) == (int("--json" not in command), message)


def test_a_locale_without_the_letters_of_a_result(tmp_path: Path) -> None:
    record = {
        "id": "a",
        "text": "Es schneit.",
        "sections": [{"begin": 0, "end": 11, "label": "a", "heading": "Größe ↓"}],
    }
    (tmp_path / "a.jsonl").write_text(json.dumps(record) + "\n")
    others = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "COLUMNS": "1000000000"}
    command = [sys.executable, "-m", "sector", "data", "stats", str(tmp_path / "a.jsonl"), "--headings", "3"]
    done = subprocess.run(command, env=os.environ | others, capture_output=True, timeout=60)
    assert (done.returncode, "Größe ↓" in done.stdout.decode()) == (0, True), done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited in another way there")
def test_an_endless_input_under_a_memory_limit() -> None:
    done = subprocess.run(
        ["bash", "-c", f"ulimit -v 3000000; {sys.executable} -m sector segment - < /dev/zero"],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("error: ")


def test_a_missing_package_of_a_verb(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sector.training.job", None)
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "sector.training.job")
    for name in [name for name in sys.modules if name.startswith("sector.training")]:
        monkeypatch.delitem(sys.modules, name)
    answer = call("export", tmp_path / "nope", "-o", tmp_path / "model")
    assert (answer.code, "pip install 'sector-nlp[train]'" in answer.err) == (1, True)
