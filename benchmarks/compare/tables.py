"""The paper's tables, several data sets side by side, from the work folders of `sector compare`."""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from harness.page import NOTHING, table
from paper.tables import RECORDS
from sector.baselines.registry import find
from sector.baselines.table import ResultRecord, figure, rank

TITLE = "Systems side by side"
PAGES = {"topics": "topics", "headings": "headings", "segmentation": "headings"}
"""The pages and their tasks."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("page", choices=list(PAGES))
    parser.add_argument("folders", type=Path, nargs="+", help="output folders of `sector compare`: a column each")
    parser.add_argument("--ours", type=Path, default=RECORDS, help="records of `paper/train`")


def report(options: argparse.Namespace) -> Iterator[str]:
    yield (Path(__file__).parent / f"{options.page}.md").read_text(encoding="utf-8")
    task = PAGES[options.page]
    added = {} if options.page == "segmentation" else ours(options.ours, task)
    columns = {folder.name.removesuffix("-headings"): records(folder, task) for folder in options.folders}
    columns = {name: column + added.get(name, []) for name, column in columns.items()}
    yield from rows(columns, task)
    for name, column in columns.items():
        yield from (f"\n{one['title']} on {name}: {one['failure']}" for one in column if one["failure"])


def records(folder: Path, task: str) -> list[ResultRecord]:
    found = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))]
    return [one for one in found if isinstance(one, dict) and "rows" in one and one["task"] == task]


def ours(path: Path, task: str) -> dict[str, list[ResultRecord]]:
    """Return SECTOR's rows by data set as records, means over seeds."""
    runs: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        run = json.loads(line)
        if run["task"] == task:
            name = f"sec-{run['encoder']}" + ("-rank" if run["loss"] == "rank" else "")
            runs[run["data"], name].append(run["test"])
    found: dict[str, list[ResultRecord]] = defaultdict(list)
    for (data, name), group in runs.items():
        names = [part for part in ("newline", "max", "emd", "bemd") if all(part in test for test in group)]
        lines = [{"segmentation": part} | averaged([test[part] for test in group]) for part in names]
        about = {"system": name, "title": find(name).title_for(task), "task": task, "failure": "", "rows": lines}
        found[data].append(about | {"data": data})
    return found


def averaged(reports: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    shared = (name for name in ("pk", "wd", "f1", "p1", "map") if None not in [report.get(name) for report in reports])
    return {name: mean(float(report[name]) for report in reports) for name in shared}


def rows(columns: dict[str, list[ResultRecord]], task: str) -> Iterator[str]:
    """Return the table of every row that any data set has."""
    accuracy = "f1" if task == "topics" else "p1"
    places: dict[tuple[str, str], Any] = {}
    values: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for name, column in columns.items():
        for record in column:
            for row in record["rows"] or [{"segmentation": ""}]:
                key = (record["title"], row["segmentation"])
                places[key] = rank(record, row)
                values[key][name] = "failed" if record["failure"] else cell(row, accuracy)
    shown = "Pk / WD / F1 / MAP" if task == "topics" else "Pk / WD / P@1 / MAP"
    ordered = sorted(places, key=lambda key: places[key])
    lines = ([key[0], key[1] or NOTHING, *(values[key].get(name, "") for name in columns)] for key in ordered)
    yield from table(["system", "segm.", *(f"{name}: {shown}" for name in columns)], lines, 2)


def cell(row: Mapping[str, Any], accuracy: str) -> str:
    parts = [figure(row.get(name), 1) for name in ("pk", "wd", accuracy, "map")]
    return " / ".join(parts[:2] if parts[2:] == [NOTHING, NOTHING] else parts)
