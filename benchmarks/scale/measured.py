"""Commands side by side and all processes that they start: seconds, processor time, memory, other work."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.processes import TICKS

EVERY, EVERY_MEMORY = 0.5, 8
"""Seconds between two looks at the processes, and at how many of them memory is looked at: that takes a while."""
IDLE = (3, 4)
"""Places of the time without work in the first line of /proc/stat: idle, and waiting for a disk."""


@dataclass(frozen=True)
class Measured:
    """What commands took until the last one ended."""

    seconds: float
    processor: float
    """Seconds of all their processes."""
    memory: float
    """MB that they had together at most; what they share counts once."""
    others: float
    """Cores that the machine's other processes used, on average."""


@dataclass
class _Looks:
    """What was seen of processes, of which some have ended since."""

    spent: dict[int, float] = field(default_factory=dict)
    memory: float = 0.0

    def look(self, commands: Sequence[int], *, at_memory: bool) -> None:
        family = [one for command in commands for one in _family(command)]
        self.spent |= {one: seconds for one in family if (seconds := _processor(one)) is not None}
        if at_memory:
            self.memory = max(self.memory, sum(map(_memory, family)))


def measured(commands: Sequence[Sequence[str]], environment: dict[str, str] | None = None) -> Measured:
    """Run commands at the same time; raises RuntimeError with the messages of one that fails."""
    begin, busy, looks, count = time.perf_counter(), _busy(), _Looks(), 0
    with tempfile.TemporaryFile("w+") as messages:
        own = os.environ | (environment or {})
        started = [subprocess.Popen(one, env=own, stdout=subprocess.DEVNULL, stderr=messages) for one in commands]
        while any(process.poll() is None for process in started):
            looks.look([process.pid for process in started], at_memory=count % EVERY_MEMORY == 0)
            count += 1
            time.sleep(EVERY)
        seconds = time.perf_counter() - begin
        if any(process.returncode for process in started):
            messages.seek(0)
            raise RuntimeError(messages.read())
    processor = sum(looks.spent.values())
    return Measured(seconds, processor, looks.memory, max(0.0, _busy() - busy - processor) / seconds)


def _busy() -> float:
    """Return the seconds that all cores have worked since the machine was started."""
    with Path("/proc/stat").open() as file:
        ticks = [int(part) for part in file.readline().split()[1:9]]
    return (sum(ticks) - sum(ticks[place] for place in IDLE)) / TICKS


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
