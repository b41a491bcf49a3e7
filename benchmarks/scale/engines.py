"""The same corpus on each engine, with one worker and with two: throughput, start, memory, efficiency."""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree

from harness.page import table
from scale.corpus import write_corpus
from scale.measured import Measured, measured
from scale.parts import PART_HEAD, part_costs
from sector.devices import CORES

TITLE = "Engines for corpora"
ENGINES = ("local", "processes", "ray")
CONTROL = "apart"
"""Commands of one worker each that know nothing of one another, side by side: what the machine has to give."""


@dataclass(frozen=True)
class Run:
    """An engine with so many workers: on a document for each of them, and on the corpus."""

    engine: str
    workers: int
    start: Measured
    whole: Measured
    digest: str
    """Of the results: the same lines in the same order, in however many files."""
    written: int
    """Bytes of results."""
    times: int
    """How often the corpus is read."""

    @property
    def net(self) -> float:
        """Seconds for the corpus, without those of the start."""
        return max(1e-3, self.whole.seconds - self.start.seconds) / self.times

    @property
    def processor(self) -> float:
        """Processor seconds for the corpus, without those of the start."""
        return max(1e-3, self.whole.processor - self.start.processor) / self.times


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--documents", type=int, default=2000, help="20000 takes about ten times as long")
    parser.add_argument("--data", nargs="+", default=["en_city_test", "en_wiki_test"])
    parser.add_argument("--model", default="en")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--engine", nargs="+", default=list(ENGINES), choices=ENGINES)
    parser.add_argument("--repeats", type=int, default=1, help="of each command; the fastest one counts")
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
        runs: list[Run] = []
        yield from table(_HEAD, _rows(_kept(_runs(options, folder), runs), options.documents, size), 2)
        same = len({run.digest for run in runs}) == 1
        yield f"\nThe results of all runs are {'the same bytes' if same else 'DIFFERENT'}.\n"
        if options.parts:
            costs = part_costs(folder, options.parts, options.engine)
            yield f"## {options.parts:,} parts of one short document\n"
            yield from table(PART_HEAD, (cost.row() for cost in costs))
            yield f"\nThe options of `scale/plan`: `{_planned(runs, size)} --driver {costs[-1].driver:.4f}`."


def _runs(options: argparse.Namespace, folder: Path) -> Iterator[Run]:
    """Run each engine with each number of workers; the control comes after the first one, which has one worker."""
    first, *more = [(engine, workers) for engine in options.engine for workers in sorted(options.workers)]
    apart = [(CONTROL, workers) for workers in sorted(options.workers)[1:]]
    for engine, workers in [first, *apart, *more]:
        times = workers if engine == CONTROL else 1
        outputs = [folder / f"{engine}-{workers}-{number}" for number in range(times)]
        few = sorted((folder / "few").iterdir())[: 1 if engine == CONTROL else workers]
        cores = {CORES: str(workers // times)}  # one for each worker, and one worker alone has no second either
        ways = [(few, "start"), ([folder / "corpus.jsonl"], "")]
        commands = [
            [_command(engine, workers // times, sources, output / place, options.model) for output in outputs]
            for sources, place in ways
        ]
        start, whole = (_fastest(each, cores, options.repeats) for each in commands)
        yield Run(engine, workers, start, whole, *digest(outputs[0]), times)
        for output in outputs:
            rmtree(output)


def _fastest(commands: Sequence[Sequence[str]], cores: dict[str, str], repeats: int) -> Measured:
    """Return the run that was disturbed least."""
    return min((measured(commands, cores) for _ in range(repeats)), key=lambda found: found.seconds)


_HEAD = ["engine", "workers", "documents/s", "ratio", "efficiency", "of apart's", "CPU s per MB"]
_HEAD += ["CPU, of one worker's", "start, s", "start, CPU s", "memory, MB", "other work, cores"]


def _rows(runs: Iterable[Run], documents: int, size: int) -> Iterator[list[str]]:
    found: dict[tuple[str, int], Run] = {}
    for run in runs:
        found[run.engine, run.workers] = run
        first = next(iter(found.values()))
        engine = first.engine if run.engine == CONTROL else run.engine
        alone = next(one for one in found.values() if one.engine == engine)
        control = found.get((CONTROL, run.workers), run)
        gain, possible = _gain(run, alone), _gain(control, first)
        yield [
            run.engine,
            str(run.workers),
            f"{documents / run.net:,.1f}",
            f"{first.net / run.net:.2f}",
            f"{gain:.0%}" if run is not alone else "",
            f"{gain / possible:.0%}" if run is not alone and run is not control else "",
            f"{run.processor / size * 1e6:.3f}",
            f"{run.processor / alone.processor:.2f}",
            f"{run.start.seconds:.1f}",
            f"{run.start.processor:.1f}",
            f"{run.whole.memory:,.0f}",
            f"{run.whole.others:.2f}",
        ]


def _gain(run: Run, alone: Run) -> float:
    """Return the speed of a worker, compared with one that works alone."""
    return alone.net / run.net / (run.workers / alone.workers)


def _kept(runs: Iterable[Run], kept: list[Run]) -> Iterator[Run]:
    for run in runs:
        kept.append(run)
        yield run


def _planned(runs: Sequence[Run], size: int) -> str:
    """Return what `scale/plan` wants to know of the last engine with the most workers."""
    alone, most = next(run for run in runs if run.engine == runs[-1].engine), runs[-1]
    each = (most.whole.memory - alone.whole.memory) / max(1, most.workers - alone.workers)
    per_mb = most.processor / size * 1e6
    load, written = runs[0].start.seconds, most.written / size
    return f"--per-mb {per_mb:.2f} --load {load:.1f} --memory {each or most.whole.memory:.0f} --written {written:.2f}"


def _command(engine: str, workers: int, sources: Sequence[Path], output: Path, model: str) -> list[str]:
    """Return the command; an address as input makes processes work in parts, as they do from any storage."""
    named = [f"file://{source}" if engine == "processes" else str(source) for source in sources]
    command = [sys.executable, "-m", "sector", "segment", *named, "--model", model, "--output", str(output)]
    command += ["--workers", str(workers), "--overwrite"]
    return command + (["--engine", "ray"] if engine == "ray" else [])


def digest(output: Path) -> tuple[str, int]:
    """Return the digest of results, and how many bytes they have."""
    found, size = hashlib.sha256(), 0
    for path in sorted(output.glob("corpus*.jsonl")):
        content = path.read_bytes()
        found.update(content)
        size += len(content)
    return found.hexdigest(), size
