"""`sector data`: make, fetch, convert and describe data sets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from sector.cli import console
from sector.cli.from_documents import from_documents
from sector.visible import visible

if TYPE_CHECKING:
    from sector.datasets import DatasetReader, Statistics
    from sector.datasets.statistics import HeadingRow
    from sector.document import Document

_WORDS = ("", "heading", "label")
"""Columns of text, which are aligned to the left."""

app = typer.Typer(help="Make, fetch, convert and describe data sets.", no_args_is_help=True)
app.command("from-documents")(from_documents)


@app.command()
def convert(
    source: Path = typer.Argument(..., help="A data set in any supported format."),
    target: Path = typer.Argument(..., help="A file or a folder; .json and .jsonl may end in .gz, .bz2 or .xz."),
    from_format: str = typer.Option("", "--from", help="Format of the source, if it is not recognised."),
    to_format: str = typer.Option("", "--to", help="Format of the target, if its name does not tell."),
    language: str = typer.Option("", help="Language of documents that do not state one, e.g. de."),
    levels: int = typer.Option(2, help="Deepest heading level of a wiki727 source; 0 means all.", min=0),
    force: bool = typer.Option(False, "--force", help="Replace the target if it exists."),
) -> None:
    """Write a data set in another format."""
    from sector.datasets import read, write

    documents = read(source, _format(source, from_format, levels), language=language)
    with _counted(documents, f"converting {source.name}") as counted:
        write(counted, target, to_format or None, force=force)
    console.err.print(f"wrote {target}", markup=False)


@app.command()
def stats(
    data: list[Path] = typer.Argument(..., help="Data sets in any supported format."),
    from_format: str = typer.Option("", "--from", help="Format of the data, if it is not recognised."),
    language: str = typer.Option("", help="Language of documents that do not state one, e.g. de."),
    headings: int = typer.Option(0, help="Also list N headings each from the head, the torso and the tail.", min=0),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object per line and data set."),
) -> None:
    """Count documents, sentences, sections, headings and topics (the paper's Tables 1 and 2)."""
    from sector.datasets import describe, read

    described: dict[str, Statistics] = {}
    for path in data:
        with _counted(read(path, from_format or None, language=language), f"reading {path.name}") as counted:
            described[str(path)] = describe(counted)
    if as_json:
        for name, statistics in described.items():
            console.print_json(_record(name, statistics, headings))
        return
    print_table(["", *(_short(name) for name in described)], _overview(list(described.values())))
    for name, statistics in described.items():
        if headings:
            console.out.print(f"\n{_short(name)}", markup=False)
            rows = (_cells(row) for row in statistics.excerpt(headings))
            print_table(["rank", "heading", "label", "H", "freq"], rows)


@app.command()
def fetch(
    name: str = typer.Argument(..., help="wikisection, wiki727, choi or clinical."),
    output: Path = typer.Option(Path("data"), help="Folder for the archive and the unpacked data set."),
    base_url: str = typer.Option("", envvar="SECTOR_DATA_URL", help="Another address of the archive, e.g. a mirror."),
    sha256: str = typer.Option("", help="Expected checksum of the archive, instead of the known one."),
) -> None:
    """Download a public data set, verify its checksum and unpack it."""
    from sector.datasets import fetch as fetching
    from sector.datasets.registry import PUBLIC_DATA

    with console.progress("bytes") as bar:
        task = bar.add_task(f"fetching {name}", total=None)

        def show(done: int, total: int | None) -> None:
            bar.update(task, completed=done, total=total)

        folder = fetching.fetch(name, output, base_url=base_url, sha256=sha256, progress=show)
    archive = output / PUBLIC_DATA[name].file
    console.err.print(f"{PUBLIC_DATA[name].note}\nSHA-256 in {archive}.sha256", markup=False)
    console.write(f"{folder}\n")


def _format(source: Path, name: str, levels: int) -> str | DatasetReader | None:
    from sector.datasets import Wiki727Reader, detect

    found = name or detect(source).name
    return Wiki727Reader(levels=levels) if found == "wiki727" else found


@contextmanager
def _counted(documents: Iterable[Document], what: str) -> Iterator[Iterable[Document]]:
    with console.progress("documents") as bar:
        task = bar.add_task(what, total=None)
        yield _advancing(documents, lambda: bar.advance(task))


def _advancing(documents: Iterable[Document], advance: Callable[[], None]) -> Iterator[Document]:
    for document in documents:
        yield document
        advance()


def _short(name: str) -> str:
    return Path(name).name


def _overview(columns: list[Statistics]) -> Iterator[list[str]]:
    yield ["documents", *(f"{each.documents:,}" for each in columns)]
    yield ["sentences", *(f"{each.sentences:,}" for each in columns)]
    yield ["sections", *(f"{each.sections:,}" for each in columns)]
    yield ["sentences per document", *(f"{each.sentences_per_document:.1f}" for each in columns)]
    yield ["sections per document", *(f"{each.sections_per_document:.1f}" for each in columns)]
    yield ["headings", *(f"{len(each.headings):,}" for each in columns)]
    yield ["topics", *(f"{each.topics:,}" for each in columns)]
    yield ["coverage of sections", *(_percent(each.covered_sections) for each in columns)]
    yield ["coverage of headings", *(_percent(each.covered_headings) for each in columns)]


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


def _cells(row: HeadingRow) -> list[str]:
    return [f"{row.rank:,}", row.heading, row.label, f"{row.entropy:.2f}", f"{row.frequency:,}"]


def _record(name: str, statistics: Statistics, headings: int) -> dict[str, Any]:
    record: dict[str, Any] = {
        "data": name,
        "documents": statistics.documents,
        "sentences": statistics.sentences,
        "sections": statistics.sections,
        "sentences_per_document": round(statistics.sentences_per_document, 3),
        "sections_per_document": round(statistics.sections_per_document, 3),
        "headings": len(statistics.headings),
        "topics": statistics.topics,
        "covered_sections": statistics.covered_sections,
        "covered_headings": statistics.covered_headings,
    }
    fields = ("rank", "heading", "label", "entropy", "frequency")
    rows = [{field: getattr(row, field) for field in fields} for row in statistics.excerpt(headings)]
    return record | ({"heading_rows": rows} if headings else {})


def print_table(header: list[str], rows: Iterable[list[str]]) -> None:
    """Print a table on a terminal, tab-separated lines elsewhere."""
    if not console.out.is_terminal:
        for row in (header, *rows):
            print(visible("\t".join(" ".join(cell.split()) for cell in row)))
        return
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for title in header:
        table.add_column(title, justify="left" if title in _WORDS else "right")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console.out.print(table)
