"""How a page looks: the machine, tables of Markdown, figures with their spread."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from statistics import mean, stdev

NOTHING = "–"


def machine() -> str:
    system = f"{os.cpu_count()} cores of {processor()}, Python {platform.python_version()}"
    return f"{system}, {date.today().isoformat()}; load of the machine (1 minute): {os.getloadavg()[0]:.1f}."


def processor() -> str:
    """Return the processor's name as the system states it, or else its architecture."""
    known = Path("/proc/cpuinfo")
    lines = known.read_text(encoding="utf-8").splitlines() if known.is_file() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or platform.machine()


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
