"""A progress bar for loops in Python: HTML in a notebook, a line on a terminal, nothing where nobody looks."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sized
from html import escape
from typing import Any, TypeVar

Item = TypeVar("Item")
PAUSE = 0.2
"""Seconds between two drawings in a notebook."""


def track(items: Iterable[Item], total: int | None = None, description: str = "documents") -> Iterator[Item]:
    """Return the same items and show how many have been taken.

    Args:
        items: anything that can be iterated over, e.g. what `Model.segment_all` returns.
        total: how many there will be; by default ``len(items)`` where they have a length.
        description: what is counted.
    """
    if total is None and isinstance(items, Sized):
        total = len(items)
    if in_notebook():
        return _in_notebook(items, total, description)
    return _on_terminal(items, total, description)


def in_notebook() -> bool:
    """Return whether this is the kernel of a notebook."""
    shell = sys.modules.get("IPython")
    running = shell.get_ipython() if shell else None
    return running is not None and hasattr(running, "kernel")


def _on_terminal(items: Iterable[Item], total: int | None, description: str) -> Iterator[Item]:
    from rich import progress
    from rich.console import Console

    console = Console(stderr=True)
    shown = console.is_terminal
    yield from progress.track(items, description, total, console=console, transient=True, disable=not shown)


def _in_notebook(items: Iterable[Item], total: int | None, description: str) -> Iterator[Item]:
    from IPython.display import HTML, display

    begin = drawn = time.monotonic()
    handle: Any = display(HTML(bar(0, total, 0.0, description)), display_id=True)
    done = 0
    try:
        for item in items:
            yield item
            done += 1
            if time.monotonic() - drawn >= PAUSE:
                drawn = time.monotonic()
                handle.update(HTML(bar(done, total, drawn - begin, description)))
    finally:
        handle.update(HTML(bar(done, total, time.monotonic() - begin, description)))


def bar(done: int, total: int | None, seconds: float, description: str) -> str:
    """Return the HTML of a bar; without a total it only counts."""
    counted = f"{done:,}" if total is None else f"{done:,} / {total:,}"
    rate = f" · {done / seconds:,.1f} per second" if done and seconds >= 0.1 else ""
    rest = total is not None and 0 < done < total
    left = f" · {seconds / done * (total - done):,.0f} s left" if rest and total is not None else ""
    drawn = "" if total is None else f'<progress value="{done}" max="{max(1, total)}"></progress> '
    return f"<div>{drawn}{counted} {escape(description)}{rate}{left}</div>"
