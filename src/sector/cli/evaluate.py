"""`sector evaluate`: score a model, or a file of predictions, on a data set."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sector.atomic import write_text
from sector.cli import console
from sector.tasks import TaskName, check_task
from sector.visible import amount, escaped

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID
    from rich.table import Table

    from sector.document import Document
    from sector.evaluation.report import Report

SECTIONS = {
    "start_f1": "section starts, exact: F1",
    "start_precision": "precision",
    "start_recall": "recall",
    "start_ratio": "sections drawn / gold",
    "start_pk": "Pk of all starts ↓",
    "start_wd": "WindowDiff of all starts ↓",
    "gold_f1": "gold sections with the right label",
    "character_accuracy": "characters with the right label",
}
"""The first part of the table, the same under every protocol: the sections as a reader sees them."""
FIGURES = {
    "pk": "Pk ↓",
    "wd": "WindowDiff ↓",
    "boundary_f1": "boundary F1",
    "boundary_similarity": "boundary similarity",
    "section_ratio": "predicted / gold segments",
    "f1": "F1 (micro)",
    "macro_f1": "F1 (macro)",
    "map": "MAP",
    "p1": "P@1",
    "a3": "A@3",
    "gold_map": "MAP, gold sections only",
    "sentence_accuracy": "sentence accuracy",
    "ece": "calibration error ↓",
}
"""The second part, which depends on the protocol; ``--json`` has more."""


def evaluate(
    model: Annotated[str, typer.Argument(help="A model name or folder, or a .jsonl file of predictions.")],
    data: Annotated[Path, typer.Argument(help="The gold data set: a file or folder in any supported format.")],
    segmentation: Annotated[
        list[str] | None,
        typer.Option(help="Segmentation to use. Repeat it, or separate names by commas, to compare several."),
    ] = None,
    protocol: Annotated[
        str, typer.Option(help="How Pk, F1 and MAP are counted; sections, sector, koshorek …: docs/evaluation.md.")
    ] = "sector",
    task: Annotated[str | None, typer.Option(help="topics or headings. By default the task of the model.")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a JSON object, or a list if there are several results.")
    ] = False,
    per_label: Annotated[bool, typer.Option("--per-label", help="Also print a table of all labels.")] = False,
    bootstrap: Annotated[
        int, typer.Option(min=0, help="Number of bootstrap resamples for 95 % intervals, e.g. 1000.")
    ] = 0,
    output: Annotated[Path | None, typer.Option(help="Also write the JSON to this file.")] = None,
) -> None:
    """Score a model, or a file of predictions, on a data set."""
    from sector.evaluation.protocols import find_protocol

    find_protocol(protocol)
    chosen = check_task(task) if task else None
    names = [name.strip() for entry in segmentation or [] for name in entry.split(",") if name.strip()]
    if is_predictions(model):
        reports = [score_file(Path(model), data, names, protocol, chosen, bootstrap)]
    else:
        reports = score_model(model, data, names, protocol, chosen, bootstrap)
    warn(reports[0], data)
    text = as_text(reports, per_label=per_label)
    if output is not None:
        write_text(output, text + "\n")
    if as_json:
        console.write(escaped(text) + "\n")
    else:
        show(reports, per_label=per_label)


def is_predictions(model: str) -> bool:
    """Return whether the first argument is a file of predictions rather than a model."""
    return Path(model).suffix == ".jsonl" or Path(model).is_file()


def score_file(
    path: Path, data: Path, segmentations: list[str], protocol: str, task: TaskName | None, bootstrap: int
) -> Report:
    """Return the report of a file of predictions."""
    from sector.datasets import load
    from sector.evaluation import score
    from sector.evaluation.predictions import load_predictions

    if segmentations:
        raise typer.BadParameter("predictions are segmented already", param_hint="--segmentation")
    gold = load(data)
    predicted = load_predictions(path, gold)
    return score(gold, predicted, protocol, task or "topics", bootstrap=bootstrap)


def score_model(
    name: str, data: Path, segmentations: list[str], protocol: str, task: TaskName | None, bootstrap: int
) -> list[Report]:
    """Return a report per segmentation of a model on the data set."""
    from sector.datasets import load as load_documents
    from sector.evaluation import evaluate as evaluate_model
    from sector.runtime import load

    model = load(name)
    gold = load_documents(data, language=model.config.language)
    chosen: list[str | None] = [*segmentations] or [None]
    reports = []
    for segmentation in chosen:
        with console.progress("documents") as progress:
            bar = progress.add_task(segmentation or name, total=len(gold))
            watch = counting(progress, bar)
            reports.append(evaluate_model(model, gold, segmentation, protocol, task, watch=watch, bootstrap=bootstrap))
    return reports


def counting(progress: Progress, bar: TaskID) -> Callable[[Iterator[Document]], Iterator[Document]]:
    """Return a function that yields documents and counts them on a progress bar."""

    def count(documents: Iterator[Document]) -> Iterator[Document]:
        for document in documents:
            progress.advance(bar)
            yield document

    return count


def warn(report: Report, data: Path) -> None:
    """Warn where data and model have no label in common, so that an F1 of 0 is not taken for the model's."""
    if report.common_labels != 0:
        return
    frequent = sorted((row for row in report.per_label if row.support), key=lambda row: -row.support)[:3]
    examples = f" (there are {', '.join(row.label for row in frequent)})" if frequent else ""
    console.warn(
        f"{data} and the model have no label in common{examples}: F1, MAP and P@1 say nothing here. "
        "Choose a model that knows these labels; Pk, WindowDiff and exact starts do not depend on them."
    )


def as_text(reports: list[Report], *, per_label: bool) -> str:
    """Return the JSON of one report, or of a list of them."""
    records = [report.to_dict() for report in reports]
    for record in records:
        if not per_label:
            del record["per_label"]
    return json.dumps(records if len(records) > 1 else records[0], ensure_ascii=False, indent=2)


def show(reports: list[Report], *, per_label: bool) -> None:
    """Print the reports side by side, then the labels of each."""
    console.out.print(figures_table(reports))
    for report in reports if per_label else []:
        console.out.print(labels_table(report))


def figures_table(reports: list[Report]) -> Table:
    """Return a table with a row per figure and a column per segmentation."""
    from rich.table import Table

    first = reports[0]
    title = f"{amount(first.documents, 'document')}, {amount(first.sentences, 'sentence')}, protocol {first.protocol}"
    title += f", k = {first.k or 'per document'}"
    table = Table("percent", title=title, title_justify="left", title_style="bold")
    for report in reports:
        table.add_column(report.segmentation, justify="right")
    records = [report.to_dict() for report in reports]
    for rows in (SECTIONS, FIGURES):
        for name, caption in rows.items():
            if any(record[name] is not None for record in records):
                table.add_row(caption, *(cell(record, name) for record in records))
        table.add_section()
    return table


def cell(record: dict[str, Any], name: str) -> str:
    """Return one figure with its interval."""
    if record[name] is None:
        return "–"
    interval = record["intervals"].get(name)
    return f"{record[name]:.2f}" + (f" [{interval[0]:.2f}, {interval[1]:.2f}]" if interval else "")


def labels_table(report: Report) -> Table:
    """Return a table of the labels, most frequent first."""
    from rich.markup import escape
    from rich.table import Table

    table = Table("label", title=report.segmentation, title_justify="left", title_style="bold")
    for column in ("precision", "recall", "F1", "support"):
        table.add_column(column, justify="right")
    for row in sorted(report.per_label, key=lambda score: -score.support):
        values = (f"{100 * value:.2f}" for value in (row.precision, row.recall, row.f1))
        table.add_row(escape(row.label), *values, str(row.support))
    return table
