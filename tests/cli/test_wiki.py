"""`sector wiki` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import Call, call

from dumps import classes, page, plain
from sector.wikipedia.build import Build

__all__ = ["call"]


@pytest.fixture
def arguments(tmp_path: Path) -> list[object]:
    selected = classes(tmp_path, "[select]\nall = true\n[text]\nmin_characters = 100\n")
    return [plain(tmp_path / "a.xml"), "--classes", selected, "--output", tmp_path / "out", "--workers", 1]


def test_build_and_headings(call: Call, arguments: list[object], tmp_path: Path) -> None:
    answer = call("wiki", "build", *arguments)
    assert (answer.code, answer.out.strip()) == (0, str(tmp_path / "out"))
    assert "kept  21" in answer.err
    files = [tmp_path / "out" / f"en_moss_{split}.json" for split in ("train", "validation", "test")]
    table = call("wiki", "headings", *files, "--rows", 1)
    assert table.out.splitlines()[:2] == ["rank\theading\tlabel\tH\tfreq", "0\tGrowth\t\t0.00\t41"]
    assert "distinct headings\t3" in table.out
    figures = json.loads(call("wiki", "headings", *files, "--json", "--all").out)
    assert figures["documents"] == 21
    assert [row["heading"] for row in figures["rows"]] == ["Growth", "In winter", "Uses"]


def test_a_truncated_dump_is_said_to_be_so(call: Call, arguments: list[object], tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_bytes(path.read_bytes()[:-300])
    answer = call("wiki", "build", *arguments)
    assert answer.code == 0
    assert "warning: a.xml ends in the middle of a page" in answer.err


def test_errors_are_one_line(call: Call, arguments: list[object], tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text("no dump")
    answer = call("wiki", "build", *arguments)
    assert answer.code == 1
    assert "This is no dump of a wiki" in answer.err
    plain(tmp_path / "a.xml", [page("Talk:Moss", 1, "x", ns=1)])
    answer = call("wiki", "build", *arguments)
    assert answer.code == 1
    assert "No article of 1 pages" in answer.err


def test_an_interruption_says_how_to_go_on(
    call: Call, arguments: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(self: Build) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Build, "run", interrupt)
    answer = call("wiki", "build", *arguments)
    assert answer.code == 130
    assert "Run the same command again to continue" in answer.err
