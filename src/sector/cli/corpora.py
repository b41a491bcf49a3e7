"""Corpora on several machines: what `sector segment`, `chunk` and `index` have in common with `--engine ray`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from sector.cli import console
from sector.errors import ConfigError

if TYPE_CHECKING:
    from sector.corpus.records import Fields
    from sector.scale import DocumentTask, PartEngine, PartResult, RunSummary

ENGINES = ("local", "ray")
MOST_SHOWN = 8
"""Labels and problems in the summary."""


def in_parts(engine: str, address: str | None, *places: str) -> bool:
    """Whether a run is done part by part: on Ray, or with an address instead of a path.

    Raises ConfigError for an engine that there is not.
    """
    if engine not in ENGINES:
        raise ConfigError(f"There is no engine '{engine}'; choose one of: {', '.join(ENGINES)}.")
    if address and engine != "ray":
        raise ConfigError("--address is that of a Ray cluster; give --engine ray too.")
    return engine == "ray" or any("://" in place for place in places)


def part_engine(engine: str, address: str | None, workers: int | None) -> PartEngine:
    """Return what works on the parts."""
    from sector.scale import LocalParts, RayParts

    return RayParts(workers, address) if engine == "ray" else LocalParts(workers or 1)


def run_corpus(
    inputs: Sequence[str] | None,
    output: str | None,
    task: DocumentTask,
    engine: PartEngine,
    *,
    format_name: str | None,
    fields: Fields,
    encoding: str | None,
    overwrite: bool,
) -> None:
    """Run a task over a corpus, show its progress and print what was done; exit code 1 if parts are not done."""
    from sector.scale import CorpusRun

    named = corpus_inputs(inputs)
    if output is None:
        raise typer.BadParameter("name a folder or an address for the results", param_hint="--output")
    run = CorpusRun(named, output, task, engine, format_name or "jsonl", fields, encoding, overwrite)
    with following("documents") as tell:
        summary = run.run(tell)
    say_summary(summary, output)


def corpus_inputs(inputs: Sequence[str] | None) -> list[str]:
    """Return the inputs; standard input cannot be divided among workers."""
    if not inputs or "-" in inputs:
        raise typer.BadParameter(
            "name files, folders or addresses; standard input is for --engine local", param_hint="FILES"
        )
    return list(inputs)


@contextmanager
def following(verb: str) -> Iterator[Callable[[PartResult, RunSummary], None]]:
    """Show parts on a progress bar, with documents per second; say how an interrupted run goes on."""
    with console.progress("parts") as bar:
        task = bar.add_task(verb, total=None)

        def tell(_: PartResult, summary: RunSummary) -> None:
            speed = f"{summary.documents:,} documents, {summary.rate:,.0f}/s"
            bar.update(task, total=summary.parts, completed=summary.parts_done, description=speed)

        try:
            yield tell
        except KeyboardInterrupt:
            console.err.print("interrupted; the same command continues where this one stopped")
            raise


def say_summary(summary: RunSummary, output: str) -> None:
    """Print what was done; exit code 1 if parts are not."""
    seconds = f"{summary.seconds:,.1f} s, {summary.rate:,.1f} documents/s"
    labels = ", ".join(f"{label} ({count:,})" for label, count in summary.labels.most_common(MOST_SHOWN))
    found = {"documents": f"{summary.documents:,}", summary.unit: f"{summary.units:,}", "labels": labels or "none"}
    if summary.documents_before:
        found["done before"] = f"{summary.documents_before:,} documents"
    found |= {"failures": f"{summary.failures:,}", "time": seconds, "results": output}
    console.figures(found)
    say_failures(summary, output)


def say_failures(summary: RunSummary, output: str) -> None:
    """Print what could not be done; exit code 1 if parts are not."""
    if summary.failures:
        console.warn(
            f"{summary.failures:,} documents could not be read or segmented: {output.rstrip('/')}/failed.jsonl"
        )
    for problem in summary.problems[:MOST_SHOWN]:
        console.fail(problem)
    if not summary.is_done:
        left = summary.parts - summary.parts_done
        console.fail(f"{left:,} of {summary.parts:,} parts are not done; the same command tries them again.")
        raise typer.Exit(1)
