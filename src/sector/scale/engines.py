"""What works on parts: this machine's processes; other engines have the same method."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from sector.blas import one_thread
from sector.errors import ConfigError, SectorError
from sector.processes import WorkerPool
from sector.scale.parts import CorpusPart
from sector.scale.totals import PartResult
from sector.scale.worker import PartJob, PartWorker

BREAKS = 3
"""Times that all workers may end without a part done in between."""


class PartEngine(Protocol):
    """Works on parts, in any order."""

    def run(self, job: PartJob, parts: Sequence[CorpusPart]) -> Iterator[PartResult]:
        """Return the result of each part, once it is there."""
        ...


@dataclass(frozen=True, slots=True)
class LocalParts:
    """Processes of this machine; with one worker, this process."""

    workers: int = 1

    def run(self, job: PartJob, parts: Sequence[CorpusPart]) -> Iterator[PartResult]:
        """Return the result of each part; workers that are ended from outside are started again."""
        if self.workers == 1:
            with one_thread():
                yield from map(PartWorker(job), parts)
            return
        check_shared(job, parts)
        waiting = {part.name: part for part in parts}
        breaks = 0
        while waiting:
            try:
                with WorkerPool(min(self.workers, len(waiting)), _begin, (job,)) as pool:
                    for result in pool.unordered(_work, list(waiting.values())):
                        del waiting[result.part]
                        breaks = 0
                        yield result
            except SectorError:
                breaks += 1
                if breaks > BREAKS:
                    raise


def check_shared(job: PartJob, parts: Sequence[CorpusPart]) -> None:
    """Raise ConfigError for places that no other process sees."""
    for address in (job.output.address, *(file.address for part in parts for file in part.files)):
        if address.startswith("memory://"):
            raise ConfigError(f"Other processes do not see {address}; give --workers 1, or another address.")


def by_size(parts: Sequence[CorpusPart]) -> list[CorpusPart]:
    """Return the largest parts first, so that none is begun when all others are done."""
    return sorted(parts, key=lambda part: -part.size)


_worker: PartWorker


def _begin(job: PartJob) -> None:
    global _worker
    _worker = PartWorker(job)


def _work(part: CorpusPart) -> PartResult:
    return _worker(part)
