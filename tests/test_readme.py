"""The README shows what its commands print."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer
from rich.console import Console

import sector
from sector.cli.app import app
from sector.output.text import TextFormat

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```\w*\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
WIDTH = 108
"""Columns of the terminal in the README."""


def without_confidence(shown: str) -> list[str]:
    """Return the lines without bars and percentages, whose last digit may depend on the processor."""
    return [re.sub(r"\s+[█▏▎▍▌▋▊▉ ·]+\s+\d+ %", "", line).rstrip() for line in shown.splitlines()]


SHOWN = [number for number, block in enumerate(BLOCKS) if re.match(r".*sector segment examples", block)]


@pytest.mark.parametrize("number", SHOWN)
def test_sections_are_those_that_the_command_finds(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    command = shlex.split(BLOCKS[number].splitlines()[0].rpartition("&&")[2])
    assert command[:2] == ["sector", "segment"]
    options = {name: value for name, value in zip(command, [*command[1:], ""], strict=True) if name.startswith("--")}
    assert set(options) <= {"--model", "--merge"}, "teach this test what the option means"
    document = sector.read(command[2])
    model = sector.load(options["--model"]) if "--model" in options else sector.load()
    found = TextFormat(WIDTH, coloured=False).render(model.segment(document, merge="--merge" in options))
    assert without_confidence(BLOCKS[number + 1]) == without_confidence(found)


def test_the_lines_fit_the_page() -> None:
    shown = [line for block in BLOCKS for line in block.splitlines() if "…" in line]
    assert shown
    console = Console(width=WIDTH)
    assert max(console.measure(line).maximum for line in shown) <= WIDTH


def rows(page: str) -> dict[str, list[list[str]]]:
    """Return for each model the rows of tables that begin with its name, as cells."""
    found: dict[str, list[list[str]]] = {}
    for line in page.splitlines():
        if line.startswith("| `"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            found.setdefault(cells[0].strip("`"), []).append(cells)
    return found


def test_the_figures_of_the_models_are_those_of_the_benchmark() -> None:
    measured = rows((ROOT / "benchmarks" / "results" / "pretrained.md").read_text(encoding="utf-8"))
    table = README.partition("## Pretrained models")[2].partition("\n## ")[0]
    assert set(rows(table)) == set(measured) == set(sector.models())
    for name, shown in rows(table).items():
        for row in shown:
            same = {cell for cells in measured[name] if cells[1] == row[-1] for cell in cells}
            figures = {cell for cell in row[2:-1] if cell != "–"}
            assert figures and figures <= same, (name, row[-1])


def test_the_table_has_every_command() -> None:
    cells = re.findall(r"^\| (`sector [^|]*) \|", README, re.MULTILINE)
    named = {word for cell in cells for word in re.findall(r"`(?:sector )?([a-z -]+)`", cell)}
    groups: Any = typer.main.get_command(app)
    for name, command in groups.commands.items():
        wanted = getattr(command, "commands", None)
        assert (name in named) if wanted is None else all({f"{name} {each}", each} & named for each in wanted), name


def test_the_list_of_pages_is_complete() -> None:
    listed = set(re.findall(r"\]\(([^)#]+\.md)\)", README.partition("\n## Documentation")[2]))
    pages = {page.relative_to(ROOT).as_posix() for page in (ROOT / "docs").rglob("*.md")}
    assert {page for page in pages if not page.startswith("docs/api/")} - listed == set()
