"""`sector compare`: the systems of the paper side by side on one data set."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sector.cli import console
from sector.cli.options import DeviceOption
from sector.tasks import TaskName

if TYPE_CHECKING:
    from rich.progress import Progress

    from sector.baselines import Comparison
    from sector.document import Document

TASKS: tuple[TaskName, ...] = ("topics", "headings")
"""What systems can learn; no system but ours has an open vocabulary."""


def compare(
    data: Annotated[Path, typer.Argument(help="The gold data set: a file or folder in any supported format.")],
    train: Annotated[Path | None, typer.Option(help="Training documents, for the systems that are trained.")] = None,
    validation: Annotated[
        Path | None, typer.Option(help="Validation documents, for thresholds and early stopping.")
    ] = None,
    systems: Annotated[
        str,
        typer.Option(
            help="Comma-separated names, also model:NAME or model:FOLDER. By default all systems for the task."
        ),
    ] = "",
    segmentation: Annotated[
        str, typer.Option(help="Which segmentations to show, comma-separated. By default all.")
    ] = "",
    task: Annotated[str, typer.Option(help="topics or headings.")] = "topics",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Folder for results. A second run continues there.")
    ] = None,
    models: Annotated[Path | None, typer.Option(help="Folder for trained systems (default: OUTPUT/models).")] = None,
    vectors: Annotated[Path | None, typer.Option(help="Word vectors. By default they are trained.")] = None,
    protocol: Annotated[
        str, typer.Option(help="sector, per-document-k, koshorek, transformer2, spokennlp or choi: docs/evaluation.md.")
    ] = "sector",
    language: Annotated[str, typer.Option(help="Language of the documents, e.g. en or de.")] = "",
    min_count: Annotated[
        int, typer.Option(min=1, help="Minimum frequency of a heading word in the training data.")
    ] = 3,
    limit: Annotated[int, typer.Option(min=0, help="Read only the first N documents of each file; 0 means all.")] = 0,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 1,
    device: DeviceOption = "auto",
    again: Annotated[bool, typer.Option("--again", help="Run systems again that have finished before.")] = False,
    prepare_only: Annotated[
        bool,
        typer.Option(
            "--prepare-only", help="Only write the training files of the neural systems, to train them elsewhere."
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the records as JSON.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print the tables as Markdown.")] = False,
    names: Annotated[
        bool, typer.Option("--list", callback=lambda asked: show_names(asked), is_eager=True, help="List the systems.")
    ] = False,
) -> None:
    """Train and run several systems on one data set and print the tables of the paper."""
    from sector.baselines import Comparison, Material, Task, usual

    learned = next((name for name in TASKS if name == task), None)
    if learned is None:
        raise typer.BadParameter(f"'{task}' is neither {' nor '.join(TASKS)}", param_hint="--task")
    chosen = listed(systems) or usual(learned)
    with work_folder(output) as folder, console.progress("") as progress:
        counter = Counter(progress)
        comparison = Comparison(
            data=data,
            material=Material(train, validation, language, limit),
            task=Task(learned, language, min_count, seed, vectors, device, counter.learned),
            folder=folder,
            models=models or folder / "models",
            protocol=protocol,
            limit=limit,
            segmentations=tuple(listed(segmentation)),
            watch=counter,
        )
        if prepare_only:
            prepare(comparison, chosen)
            return
        records = gather(comparison, chosen, progress, again)
    show(records, as_json=as_json, as_markdown=as_markdown)
    if not any(record["rows"] for record in records):
        raise typer.Exit(1)


def listed(names: str) -> list[str]:
    """Return the comma-separated names, each once."""
    return list(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))


@contextmanager
def work_folder(output: Path | None) -> Iterator[Path]:
    """Yield the folder for results: ``output``, or a temporary one."""
    if output is not None:
        yield output
        return
    with TemporaryDirectory(prefix="sector-compare-") as folder:
        yield Path(folder)


class Counter:
    """Shows progress: steps of training, and documents as a system returns them."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._learning = progress.add_task("learning", total=None, visible=False)

    def learned(self, steps: int) -> None:
        """Advance by prepared documents or epochs."""
        self._progress.update(self._learning, advance=steps, visible=True)

    def __call__(self, what: str, total: int, documents: Iterator[Document]) -> Iterable[Document]:
        """Yield the documents and count them."""
        self._progress.update(self._learning, completed=0, visible=False)
        bar = self._progress.add_task(f"{what}: documents", total=total)
        for document in documents:
            self._progress.advance(bar)
            yield document
        self._progress.remove_task(bar)


def gather(comparison: Comparison, names: list[str], progress: Progress, again: bool) -> list[dict[str, Any]]:
    """Run the systems and return their records. Report each one on stderr."""
    from sector.baselines import run

    records = []
    bar = progress.add_task("systems", total=len(names))
    for record in run(comparison, names, again=again):
        records.append(record)
        progress.advance(bar)
        if record["failure"]:
            message = f"{record['title']} failed: {record['failure']}"
            console.err.print(message, style="red", markup=False, soft_wrap=True)
        else:
            best = min(row["pk"] for row in record["rows"])
            console.err.print(f"{record['title']}: Pk {best:.1f}", markup=False)
    return records


def prepare(comparison: Comparison, names: list[str]) -> None:
    """Write the training files of the neural systems and print how to train them."""
    from sector.baselines.runner import prepare as write

    files = [file for name in names for file in write(comparison, name)]
    for file in files:
        console.out.print(str(file), markup=False)
    console.err.print(
        f"On a machine with torch and numpy, run: python -m sector.baselines.train {comparison.models}\n"
        "Then copy its output back and run this command again without --prepare-only.",
        markup=False,
        soft_wrap=True,
    )


def show_names(asked: bool) -> None:
    """Print the names of all systems and exit, if asked to."""
    from sector.baselines import SYSTEMS

    if not asked:
        return
    for entry in SYSTEMS.values():
        print(f"{entry.name:16} {entry.title_for('topics')}")
    raise typer.Exit


def show(records: list[dict[str, Any]], *, as_json: bool, as_markdown: bool) -> None:
    """Print the records as JSON, as Markdown, or as a table on a terminal."""
    if as_json:
        console.print_json(records, indent=1)
    elif as_markdown or not console.out.is_terminal:
        console.write(page(records))
    else:
        show_tables(records)


def page(records: list[dict[str, Any]]) -> str:
    """Return a Markdown page of the results with this command line, the machine and the date."""
    import os
    import platform
    from datetime import date

    from sector.baselines.table import markdown

    machine = f"{os.cpu_count()}-core {platform.machine()}, Python {platform.python_version()}"
    return markdown(records, shlex.join(["sector", *sys.argv[1:]]), machine, date.today().isoformat())


def show_tables(records: list[dict[str, Any]]) -> None:
    """Print the tables on a terminal."""
    from rich.table import Table
    from rich.text import Text

    from sector.baselines.table import group_table, header, rows

    task = records[0]["task"] if records else "topics"
    for names, lines in ((header(task), rows(records)), group_table(records)):
        table = Table()
        for number, name in enumerate(names):
            table.add_column(name, justify="left" if number < 2 else "right")
        for line in lines:
            table.add_row(*(Text(cell) for cell in line))
        if lines:
            console.out.print(table)
