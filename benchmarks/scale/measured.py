"""One command and all processes that it starts: seconds, processor time, memory."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.processes import TICKS

EVERY = 0.5
"""Seconds between two looks at the processes."""


@dataclass(frozen=True)
class Measured:
    """What a command took."""

    seconds: float
    processor: float
    """Seconds of all its processes."""
    memory: float
    """MB that they had together at most; what they share counts once."""


def measured(command: Sequence[str], environment: dict[str, str] | None = None) -> Measured:
    """Run a command; raises RuntimeError with its messages where it fails."""
    begin, spent, most = time.perf_counter(), dict[int, float](), 0.0
    process = subprocess.Popen(
        command, env=os.environ | (environment or {}), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    while process.poll() is None:
        family = list(_family(process.pid))
        spent |= {one: seconds for one in family if (seconds := _processor(one)) is not None}
        most = max(most, sum(map(_memory, family)))
        time.sleep(EVERY)
    seconds = time.perf_counter() - begin
    if process.returncode:
        raise RuntimeError(process.stderr.read() if process.stderr else "")
    return Measured(seconds, sum(spent.values()), most)


def _family(process: int) -> Iterator[int]:
    yield process
    try:
        tasks = [task / "children" for task in Path(f"/proc/{process}/task").iterdir()]
        children = [int(child) for task in tasks for child in task.read_text().split()]
    except OSError:
        return
    for child in children:
        yield from _family(child)


def _processor(process: int) -> float | None:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / TICKS


def _memory(process: int) -> float:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1000 for line in lines if line.startswith("Pss:")), 0.0)
