"""How a page looks: the machine, tables of Markdown, figures with their spread."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Sequence
from datetime import date
from statistics import mean, stdev

NOTHING = "–"


def machine() -> str:
    system = f"{os.cpu_count()} shared cores ({platform.machine()}), Python {platform.python_version()}"
    return f"{system}, {date.today().isoformat()}; load of the machine (1 minute): {os.getloadavg()[0]:.1f}."


def table(head: Sequence[str], rows: Iterable[Sequence[object]], names: int = 1) -> Iterable[str]:
    """Return the lines of a table; the first columns, as many as `names`, stand left and the others right."""
    yield line(head)
    yield line(["---"] * names + ["---:"] * (len(head) - names))
    yield from map(line, rows)


def line(cells: Iterable[object]) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def spread(values: Sequence[float | None], digits: int = 1) -> str:
    """Return the mean and, of several values, their standard deviation."""
    known = [value for value in values if value is not None]
    if not known:
        return NOTHING
    return f"{mean(known):.{digits}f}" + (f" ± {stdev(known):.{digits}f}" if len(known) > 1 else "")
