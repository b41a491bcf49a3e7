"""The same corpus on each engine, with one worker and with two: throughput, start, memory, efficiency."""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.page import table
from scale.corpus import write_corpus
from scale.measured import Measured, measured
from scale.parts import part_costs
from sector.devices import CORES

TITLE = "Engines for corpora"
ENGINES = ("local", "processes", "ray")


@dataclass(frozen=True)
class Run:
    """An engine with so many workers: on a document for each of them, and on the corpus."""

    engine: str
    workers: int
    start: Measured
    whole: Measured

    @property
    def net(self) -> float:
        """Seconds without those of the start."""
        return max(1e-3, self.whole.seconds - self.start.seconds)

    @property
    def processor(self) -> float:
        """Processor seconds without those of the start."""
        return max(1e-3, self.whole.processor - self.start.processor)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--documents", type=int, default=2000, help="20000 takes about ten times as long")
    parser.add_argument("--data", nargs="+", default=["en_city_test", "en_wiki_test"])
    parser.add_argument("--model", default="en")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--engine", nargs="+", default=list(ENGINES), choices=ENGINES)
    parser.add_argument("--parts", type=int, default=200, help="for the cost of a part without any work; 0: none")


def report(options: argparse.Namespace) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="sector-scale-") as place:
        folder = Path(place)
        corpus, few = folder / "corpus.jsonl", folder / "few"
        size = write_corpus(corpus, options.data, options.documents)
        few.mkdir()
        for number in range(max(options.workers)):
            write_corpus(few / f"{number}.jsonl", options.data, 1, number)
        texts = f"{options.documents:,} documents, {size / 1e6:,.1f} MB of text ({', '.join(options.data)})"
        yield f"{texts}, model {options.model}.\n"
        digests: set[str] = set()
        runs = _runs(options, folder, digests)
        yield from table(_HEAD, _rows(runs, options.documents, size), 2)
        yield f"\nThe results of all runs are {'the same bytes' if len(digests) == 1 else 'DIFFERENT'}.\n"
        if options.parts:
            yield from part_costs(folder, options.parts, options.engine)


def _runs(options: argparse.Namespace, folder: Path, digests: set[str]) -> Iterator[Run]:
    """Run each engine with each number of workers; ``digests`` gets those of the results."""
    for engine in options.engine:
        for workers in options.workers:
            cores = {CORES: str(workers)}  # one for each worker, and one worker alone has no second either
            output, commands = folder / f"{engine}-{workers}", []
            few = sorted((folder / "few").iterdir())[:workers]
            for sources, target in ((few, folder / "start"), ([folder / "corpus.jsonl"], output)):
                commands.append(_command(engine, workers, sources, target, options.model))
            yield Run(engine, workers, *(measured(command, cores) for command in commands))
            digests.add(digest(output))


_HEAD = ["engine", "workers", "documents/s", "ratio", "efficiency", "CPU s per MB", "CPU, of one worker's"]
_HEAD += ["start, s", "start, CPU s", "memory, MB"]


def _rows(runs: Iterable[Run], documents: int, size: int) -> Iterator[list[str]]:
    firsts: dict[str, Run] = {}
    for run in runs:
        alone = firsts.setdefault(run.engine, run)
        first = next(iter(firsts.values()))
        gain = alone.net / run.net / (run.workers / alone.workers)
        yield [
            run.engine,
            str(run.workers),
            f"{documents / run.net:,.1f}",
            f"{first.net / run.net:.2f}",
            f"{gain:.0%}" if run is not alone else "",
            f"{run.processor / size * 1e6:.3f}",
            f"{run.processor / alone.processor:.2f}",
            f"{run.start.seconds:.1f}",
            f"{run.start.processor:.1f}",
            f"{run.whole.memory:,.0f}",
        ]


def _command(engine: str, workers: int, sources: Sequence[Path], output: Path, model: str) -> list[str]:
    """Return the command; an address as input makes processes work in parts, as they do from any storage."""
    named = [f"file://{source}" if engine == "processes" else str(source) for source in sources]
    command = [sys.executable, "-m", "sector", "segment", *named, "--model", model, "--output", str(output)]
    command += ["--workers", str(workers), "--overwrite"]
    return command + (["--engine", "ray"] if engine == "ray" else [])


def digest(output: Path) -> str:
    """Return the digest of all results: the same lines in the same order, in however many files."""
    found = hashlib.sha256()
    for path in sorted(output.glob("corpus*.jsonl")):
        found.update(path.read_bytes())
    return found.hexdigest()
