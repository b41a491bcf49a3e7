"""What a part costs beside the work on its documents: the books, the engine, the driver."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.page import table
from sector.document import Document
from sector.scale import CorpusRun, LocalParts, PartEngine, RayParts
from sector.scale.tasks import Finished

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


def part_costs(folder: Path, parts: int, engines: Sequence[str]) -> Iterator[str]:
    """Return the lines of a table: the engine's time for a part without work."""
    corpus = folder / "parts.jsonl"
    corpus.write_text(LINE * parts)
    yield f"## {parts:,} parts of one short document\n"
    yield from table(["engine", "ms per part", "CPU of the driver, ms per part"], _rows(corpus, parts, engines))


def _rows(corpus: Path, parts: int, engines: Sequence[str]) -> Iterator[list[str]]:
    kinds: dict[str, PartEngine] = {"processes": LocalParts(1), "ray": RayParts(1)}
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    for name in engines:
        if name in kinds:
            output = str(corpus.parent / f"no-{name}")
            run = CorpusRun([str(corpus)], output, NoTask(), kinds[name], part_bytes=len(LINE))
            yield [name, *(f"{seconds / parts * 1e3:.1f}" for seconds in _clocked(run))]


def _clocked(run: CorpusRun) -> tuple[float, float]:
    """Return the seconds, and processor seconds of this process, from the first part that is done to the last."""
    stamps: list[tuple[float, float]] = []
    run.run(lambda *_: stamps.append((time.perf_counter(), time.process_time())))
    return stamps[-1][0] - stamps[0][0], stamps[-1][1] - stamps[0][1]
