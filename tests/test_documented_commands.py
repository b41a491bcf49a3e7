"""Every command that a page shows exists, with every option that it is shown with; so does every benchmark."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from sector.cli.app import app

ROOT = Path(__file__).parent.parent
PAGES = [
    *ROOT.glob("*.md"),
    *(page for folder in ("docs", "benchmarks", "recipes") for page in (ROOT / folder).rglob("*.md")),
]
FENCED = re.compile(r"^```[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
SEPARATORS = ("&&", "|", ";", "(", ")", "&")


def shown(page: Path) -> list[list[str]]:
    """Return the words of every command on a page: in blocks of code, and inside sentences that tell what to type."""
    text = page.read_text(encoding="utf-8")
    lines = [line for block in FENCED.findall(text) for line in block.replace("\\\n", " ").splitlines()]
    if page.name != "CHANGELOG.md" and "benchmarks" not in page.parts:  # names of removed commands, and of systems
        lines += INLINE.findall(FENCED.sub("", text))
    return [command for line in lines for command in split(line)]


def split(line: str) -> list[list[str]]:
    words = shlex.shlex(line, posix=True, punctuation_chars=True)
    words.commenters = "#"
    commands: list[list[str]] = [[]]
    try:
        for word in words:
            if word in SEPARATORS:
                commands.append([])
            else:
                commands[-1].append(word)
    except ValueError:  # a sentence or another language, with one quotation mark
        return []
    return commands


def unknown(command: list[str]) -> list[str]:
    """Return the words of a `sector` command that it would refuse."""
    at: Any = typer.main.get_command(app)
    words = command[1:]
    while hasattr(at, "commands") and words and not words[0].startswith("-"):
        name, *words = words
        if name not in at.commands:
            return [name]
        at = at.commands[name]
    options = {name for parameter in at.params for name in (*parameter.opts, *parameter.secondary_opts)}
    given = [word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)]
    return [name for name in given if name not in options | {"--help", "-h"}]


@pytest.mark.parametrize("page", sorted(PAGES), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_commands_and_options_exist(page: Path) -> None:
    commands = [words for words in shown(page) if words[:1] == ["sector"] and words[1:] and words[1][0].islower()]
    assert [(words, wrong) for words in commands if (wrong := unknown(words))] == []


@pytest.mark.parametrize("page", sorted(PAGES), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_benchmarks_exist(page: Path) -> None:
    named = re.findall(r"benchmarks/run\.py ([a-z]\S*/[a-z_]+)", page.read_text(encoding="utf-8"))
    missing = [name for name in named if "\nTITLE = " not in (ROOT / "benchmarks" / f"{name}.py").read_text("utf-8")]
    assert missing == []


def test_a_wrong_command_is_found() -> None:
    assert unknown(["sector", "segment", "a.txt", "--modell", "en_city"]) == ["--modell"]
    assert unknown(["sector", "cut"]) == ["cut"]
    assert split("cat a.txt | sector segment --json  # so") == [["cat", "a.txt"], ["sector", "segment", "--json"]]
