"""The tables of a comparison, from its records: rows in the paper's order, as cells that any output can lay out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sector.baselines.published import published
from sector.baselines.registry import place_of

ResultRecord = dict[str, Any]
NOTHING = "–"
SEGMENTATIONS = ("newline", "", "max", "emd", "bemd")
"""Their order in the paper: given paragraphs first, then plain text."""


def header(task: str) -> list[str]:
    """Return the names of the columns."""
    accuracy = "F1" if task == "topics" else "P@1"
    return ["system", "segm.", "Pk", "WD", accuracy, "MAP", "training s", "seconds", "documents/s", "published"]


def rows(records: Sequence[ResultRecord]) -> list[list[str]]:
    """Return the cells of every row, those with given paragraphs first; a failed system has its reason instead."""
    found = [
        (rank(record, row), cells(record, row))
        for record in records
        for row in record["rows"] or [{"segmentation": ""}]
    ]
    return [line for _, line in sorted(found, key=lambda pair: pair[0])]


def rank(record: ResultRecord, row: ResultRecord) -> tuple[bool, int, str, int]:
    """Return a row's place: first by whether paragraphs are given, then by system, then by segmentation."""
    name = row["segmentation"]
    order = SEGMENTATIONS.index(name) if name in SEGMENTATIONS else len(SEGMENTATIONS)
    return name != "newline", place_of(record["system"]), record["system"], order


def cells(record: ResultRecord, row: ResultRecord) -> list[str]:
    """Return the cells of one row."""
    names = (record["title"], row["segmentation"])
    beside = published(record["task"], *names, record["data"]) or NOTHING
    if record["failure"]:
        return [record["title"], f"failed: {record['failure']}", *[NOTHING] * 7, beside]
    accuracy = "f1" if record["task"] == "topics" else "p1"
    figures = [figure(row.get(name), 1) for name in ("pk", "wd", accuracy, "map")]
    times = [figure(record["fit_seconds"], 0), figure(row["seconds"], 2), figure(row["documents_per_second"], 1)]
    return [names[0], names[1] or NOTHING, *figures, *times, beside]


def figure(value: float | None, places: int) -> str:
    """Return a number as a table shows it."""
    return NOTHING if value is None else f"{value:,.{places}f}"


def group_table(records: Sequence[ResultRecord]) -> tuple[list[str], list[list[str]]]:
    """Return Pk by subset of the data, for data whose documents lie in folders; nothing for others."""
    found = [(rank(record, row), record, row) for record in records for row in record["rows"] if row.get("groups")]
    names = list(dict.fromkeys(name for _, _, row in found for name in row["groups"]))
    lines = [
        [record["title"], row["segmentation"] or NOTHING]
        + [figure(row["groups"].get(name, {}).get("pk"), 1) for name in names]
        for _, record, row in sorted(found, key=lambda entry: entry[0])
    ]
    return ["Pk", "segm.", *names], lines


def markdown(records: Sequence[ResultRecord], command: str, machine: str, day: str) -> str:
    """Return the tables as a page of Markdown with the command that printed them."""
    first: ResultRecord = next((row for record in records for row in record["rows"]), {})
    about = records[0] if records else {"data": "", "protocol": "", "task": "topics"}
    k = first.get("k") or "each document's own"
    counts = f"{first.get('documents', 0):,} documents, {first.get('sentences', 0):,} sentences"
    parts = [
        f"{about['data']}: {counts}; protocol `{about['protocol']}`, k = {k}. Percent. {machine}, {day}.",
        f"```\n{command}\n```",
        grid(header(about["task"]), rows(records)),
    ]
    names, lines = group_table(records)
    if lines:
        parts.append(grid(names, lines))
    notes = [note(record) for record in records if record["rows"]]
    return "\n\n".join([*parts, "\n".join(notes)]) + "\n"


def note(record: ResultRecord) -> str:
    """Return the citation of a system and its options."""
    options = ", ".join(f"{name} {value}" for name, value in record["options"].items() if value is not None)
    setting = f"; chosen: {record['setting']}" if record.get("setting") else ""
    return f"- {record['title']}: {record['citation']}" + (f"; {options}" if options else "") + setting


def grid(names: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Lay out cells in Markdown; numbers stand right."""
    marks = ["---", "---", *["---:"] * (len(names) - 2)]
    return "\n".join("| " + " | ".join(escaped(cell) for cell in line) + " |" for line in (names, marks, *lines))


def escaped(cell: str) -> str:
    """Return a cell that does not end early."""
    return cell.replace("|", "\\|")
