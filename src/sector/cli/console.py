"""What every verb shares on the terminal: the consoles, the progress bar, the one way an error looks."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

out = Console(highlight=False, soft_wrap=True)
"""Results."""
err = Console(stderr=True, highlight=False)
"""Progress and messages."""


def fail(message: str) -> None:
    """Print an error the way every verb prints it."""
    err.print("error:", style="bold red", end=" ")
    err.print(message, markup=False, soft_wrap=True)


def figures(found: Mapping[str, object]) -> None:
    """Print figures on stderr, one a line."""
    for name, value in found.items():
        err.print(f"{name:>20}  {value}", markup=False)


def progress(unit: str) -> Progress:
    """Make a progress bar on stderr that counts ``unit``; it vanishes when done and is shown on a terminal only."""
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeRemainingColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )


def byte_progress() -> Progress:
    """Make the same for bytes of large files, with the speed."""
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )
