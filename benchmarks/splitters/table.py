"""The table as Markdown, ratios first."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence

from sector.document import Document
from splitters.measure import Row

PAPER = "| SECTOR, as published (Arnold et al. 2019; another machine) | – | 2.8 | – | 14.4–15.5 | – | – |"


def table(rows: Sequence[Row], documents: Sequence[Document], base: Row | None) -> str:
    """Return a line per splitter; ratios are the throughput of ``base`` over its own."""
    ratio = f"{base.name} is … times as fast" if base else "ratio"
    head = f"| splitter | {ratio} | documents/s | sentences/s | Pk | sections per document | setting |"
    lines = [head, "| --- | ---: | ---: | ---: | ---: | ---: | --- |"]
    return "\n".join([*lines, *(_line(row, documents, base) for row in rows), PAPER])


def _line(row: Row, documents: Sequence[Document], base: Row | None) -> str:
    if row.failure:
        return f"| {row.name} | – | – | – | – | – | not run: {row.failure} |"
    ratio = f"{row.seconds / base.seconds:.2f}" if base else "–"
    speed, sentences = len(documents) / row.seconds, sum(len(d.spans) for d in documents) / row.seconds
    cells = (row.name, ratio, f"{speed:.0f}", f"{sentences:,.0f}", f"{row.pk:.1f}", f"{row.sections:.1f}", row.setting)
    return f"| {' | '.join(cells)} |"


def machine() -> str:
    """Name the machine and Python."""
    return f"{os.cpu_count()}-core {platform.machine()} VM, Python {platform.python_version()}"
