"""What commands that read documents have in common: their inputs, and what could not be read."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from sector.cli import console

if TYPE_CHECKING:
    from sector.corpus import Problem, Source


MOST_SAID = 1000
"""Problems that are printed one by one."""


def input_names(inputs: Sequence[str] | None) -> list[str]:
    """Return the inputs to read: those given, or standard input."""
    if inputs:
        return list(inputs)
    if sys.stdin is None or sys.stdin.isatty():
        raise typer.BadParameter("there is no input: name files or folders, or pipe in a text", param_hint="FILES")
    return ["-"]


def say_problems(problems: Sequence[Problem]) -> None:
    """Print what could not be read."""
    for problem in problems[:MOST_SAID]:
        console.fail(str(problem))
    if len(problems) > MOST_SAID:
        console.fail(f"{len(problems) - MOST_SAID:,} more documents could not be read.")
    if problems:
        raise typer.Exit(1)


def say_skipped(sources: Sequence[Source]) -> None:
    """Print how many files of folders were skipped, and why."""
    for source in sources:
        skipped = getattr(source, "skipped", None)
        if skipped:
            order = sorted(skipped.items(), key=lambda pair: (-pair[1], pair[0]))
            counts = ", ".join(f"{reason} ({count:,})" for reason, count in order)
            console.err.print(f"{source.name}: skipped files: {counts}", markup=False, soft_wrap=True)
