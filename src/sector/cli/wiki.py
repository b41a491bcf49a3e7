"""`sector wiki`: build data sets from Wikipedia dumps and analyse their headings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from sector.cli import console
from sector.cli.corpora import in_parts
from sector.cli.data import print_table
from sector.cli.options import AddressOption

if TYPE_CHECKING:
    from sector.datasets import Statistics
    from sector.wikipedia.report import BuildReport

app = typer.Typer(help="Build labelled section data sets from Wikipedia dumps.", no_args_is_help=True)
# A further command is one line in `app.py`: wiki.app.command()(its function).


@app.command()
def build(
    dump: list[Path] = typer.Argument(..., help="The pages-articles*.xml files of one dump: plain, .bz2, .gz or .xz."),
    classes: Path = typer.Option(..., help="A TOML file that selects the articles; see recipes/wiki/."),
    output: Path = typer.Option(..., "--output", "-o", help="Output folder."),
    language: str = typer.Option("en", help="Language of the Wikipedia, e.g. de."),
    seed: int = typer.Option(1, help="Random seed of the order and the splits."),
    workers: int = typer.Option(0, help="Number of processes; 0 means one per core.", min=0),
    engine: str = typer.Option("local", help="Processes of this machine, or Ray.", metavar="local|ray"),
    address: AddressOption = None,
    compress: str = typer.Option("none", help="Compression of the output: none, gz, bz2 or xz."),
    endpoint: str = typer.Option("", envvar="SECTOR_SPARQL", help="A SPARQL endpoint instead of Wikidata's."),
    cache: Path | None = typer.Option(
        None, help="Cache folder for answers from Wikidata.", show_default="~/.cache/sector"
    ),
    force: bool = typer.Option(False, "--force", help="Start from scratch and replace the output."),
) -> None:
    """Build a WikiSection-style data set from a dump. The same command continues an interrupted build."""
    from sector.scale import RayParts
    from sector.wikipedia.build import Build
    from sector.wikipedia.sparql import ENDPOINT, Endpoint, default_cache

    ray = RayParts(workers or None, address) if in_parts(engine, address) else None
    asked = Endpoint(endpoint or ENDPOINT, cache or default_cache())
    with _progress() as show, _interruptible(output):
        job = Build(
            tuple(dump),
            classes,
            language.lower(),
            output,
            seed,
            workers,
            compress,
            force,
            endpoint=asked,
            ray=ray,
            progress=show,
        )
        report = job.run()
    _summarise(report)
    console.write(f"{output}\n")


@app.command()
def headings(
    data: list[Path] = typer.Argument(..., help="Data sets in any supported format, counted together."),
    rows: int = typer.Option(10, help="List N headings each from the head, the torso and the tail.", min=0),
    every: bool = typer.Option(False, "--all", help="List all headings."),
    language: str = typer.Option("", help="Language of documents that do not state one, e.g. de."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
) -> None:
    """Show frequency and entropy of headings, as in the paper's table, and fit the tail."""
    from sector.wikipedia.heavy_tail import heavy_tail
    from sector.wikipedia.report import tail_rows

    statistics = _counted_headings(data, language)
    chosen = statistics.headings if every else statistics.excerpt(rows)
    tail = heavy_tail(statistics.headings)
    if as_json:
        fields = ("rank", "heading", "label", "entropy", "frequency")
        listed = [{field: getattr(row, field) for field in fields} for row in chosen]
        console.print_json({"documents": statistics.documents, **asdict(tail), "rows": listed})
        return
    cells = ([f"{row.rank:,}", row.heading, row.label, f"{row.entropy:.2f}", f"{row.frequency:,}"] for row in chosen)
    print_table(["rank", "heading", "label", "H", "freq"], cells)
    print_table(["", "value"], [list(pair) for pair in tail_rows(tail)])


def _counted_headings(data: list[Path], language: str) -> Statistics:
    from sector.datasets import DatasetCounts, read

    tally = DatasetCounts()
    with console.progress("documents") as bar:
        task = bar.add_task("counting", total=None)
        for path in data:
            for document in read(path, language=language):
                tally.add(document)
                bar.advance(task)
    return tally.statistics()


@contextmanager
def _progress() -> Iterator[Callable[[str, int, int], None]]:
    """Yield a callback that shows bytes and speed while converting, documents while writing."""
    with console.byte_progress() as bytes_bar, console.progress("documents") as bar:
        tasks = {}

        def show(what: str, done: int, total: int) -> None:
            shown = bar if what == "writing" else bytes_bar
            if what not in tasks:  # what an earlier run has done must not count as speed
                tasks[what] = shown.add_task(what, total=total, completed=done)
            shown.update(tasks[what], completed=done)

        yield show


@contextmanager
def _interruptible(output: Path) -> Iterator[None]:
    """End on an interruption with a word on how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        message = f"Interrupted; finished pieces are in {output}/.work. Run the same command again to continue."
        console.err.print(message, markup=False, soft_wrap=True)
        raise typer.Exit(130) from None


def _summarise(report: BuildReport) -> None:
    console.figures({name: f"{count:,}" for name, count in report.pages.items()})
    splits = {f"{name} documents": f"{each.documents:,}" for name, each in report.splits.items()}
    console.figures(splits | {"sections": f"{report.total.sections:,}", "headings": f"{report.tail.headings:,}"})
    if report.titles:
        console.figures({"titles found": f"{report.titles_found:,} of {report.titles:,}"})
    for warning in report.warnings:
        console.warn(warning)
