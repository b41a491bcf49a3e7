"""What all subcommands share on the terminal: the consoles, the progress bars and the form of an error."""

from __future__ import annotations

import json
from collections.abc import Mapping

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderableType, RenderHook, RenderResult
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.segment import Segment
from rich.text import Text

from sector.visible import escaped, visible


class _Safe:
    """What rich shows of something, without anything that a terminal obeys but rich's own styles."""

    def __init__(self, shown: RenderableType) -> None:
        self.shown = shown

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self.shown, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)


class _Filter(RenderHook):
    """Applies `visible` to everything that is printed."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """Wrap what is about to be rendered."""
        return [_Safe(shown) for shown in renderables]


class _Description(ProgressColumn):
    """What a progress bar is about."""

    def render(self, task: Task) -> Text:
        """Return the description, in which file names have no markup."""
        return Text(visible(task.description))


out = Console(highlight=False, soft_wrap=True)
"""Results."""
err = Console(stderr=True, highlight=False)
"""Progress and messages."""
for _console in (out, err):
    _console.push_render_hook(_Filter())


def fail(message: str) -> None:
    """Print an error message on stderr."""
    err.print("error:", style="bold red", end=" ")
    err.print(message, markup=False, soft_wrap=True)


def write(text: str) -> None:
    """Write results to stdout as they are, but to a terminal without what it would obey."""
    print(visible(text) if out.is_terminal else text, end="")


def print_json(record: object, indent: int | None = None) -> None:
    """Write one JSON value to stdout."""
    print(escaped(json.dumps(record, ensure_ascii=False, indent=indent)))


def warn(message: str) -> None:
    """Print a warning; the command continues."""
    err.print(f"warning: {message}", markup=False, soft_wrap=True)


def figures(found: Mapping[str, object]) -> None:
    """Print figures on stderr, one per line."""
    for name, value in found.items():
        err.print(f"{name:>20}  {value}", markup=False)


def progress(unit: str) -> Progress:
    """Return a progress bar on stderr that counts ``unit``. It disappears when done and is shown on a terminal only."""
    return Progress(
        SpinnerColumn(),
        _Description(),
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
        _Description(),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )
