"""What a part costs beside the work on its documents: the books, the engine, the driver."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sector.document import Document
from sector.scale import CorpusRun, LocalParts, PartEngine, RayParts
from sector.scale.tasks import Finished

PART_HEAD = ["engine", "ms per part", "CPU of the driver, ms per part"]
LINE = '{"id": "a", "text": "A word."}\n'


@dataclass(frozen=True)
class NoTask:
    """Nothing is done with documents."""

    unit: str = "sections"

    def settings(self) -> dict[str, Any]:
        return {"task": "nothing"}

    def prepare(self) -> None:
        return

    def finish(self, documents: Sequence[Document]) -> list[Finished]:
        return [Finished(document.id, [{"id": document.id}], []) for document in documents]


@dataclass(frozen=True)
class PartCost:
    """Seconds for a part without work."""

    engine: str
    seconds: float
    driver: float
    """Of the driver's processor."""

    def row(self) -> list[str]:
        return [self.engine, f"{self.seconds * 1e3:.1f}", f"{self.driver * 1e3:.1f}"]


def part_costs(folder: Path, parts: int, engines: Sequence[str]) -> list[PartCost]:
    """Return the cost of a part for each engine that works in parts."""
    corpus = folder / "parts.jsonl"
    corpus.write_text(LINE * parts)
    kinds: dict[str, PartEngine] = {"processes": LocalParts(1), "ray": RayParts(1)}
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    found = []
    for name in (name for name in engines if name in kinds):
        run = CorpusRun([str(corpus)], str(folder / f"no-{name}"), NoTask(), kinds[name], part_bytes=len(LINE))
        found.append(PartCost(name, *(seconds / parts for seconds in _clocked(run))))
    return found


def _clocked(run: CorpusRun) -> tuple[float, float]:
    """Return the seconds, and processor seconds of this process, from the first part that is done to the last."""
    stamps: list[tuple[float, float]] = []
    run.run(lambda *_: stamps.append((time.perf_counter(), time.process_time())))
    return stamps[-1][0] - stamps[0][0], stamps[-1][1] - stamps[0][1]
