"""What all subcommands share on the terminal: the consoles, the progress bars and the form of an error."""

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
    """Print an error message on stderr."""
    err.print("error:", style="bold red", end=" ")
    err.print(message, markup=False, soft_wrap=True)


def warn(message: str) -> None:
    """Print what is worth knowing though the verb goes on."""
    err.print(f"warning: {message}", markup=False, soft_wrap=True)


def figures(found: Mapping[str, object]) -> None:
    """Print figures on stderr, one per line."""
    for name, value in found.items():
        err.print(f"{name:>20}  {value}", markup=False)


def progress(unit: str) -> Progress:
    """Return a progress bar on stderr that counts ``unit``. It disappears when done and is shown on a terminal only."""
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
    """Return a progress bar on stderr that counts bytes and shows the speed."""
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
