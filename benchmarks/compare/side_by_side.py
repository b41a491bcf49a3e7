"""Print the paper's tables, several data sets side by side, from the work folders of `sector compare`.

    python benchmarks/compare/side_by_side.py results/en_disease results/en_city --ours benchmarks/results/sector.jsonl

Each folder is a column. `--ours` adds the rows of SECTOR that `benchmarks/tables/run.py` trained on the same documents.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from statistics import mean
from typing import Any

from sector.baselines.registry import find
from sector.baselines.table import NOTHING, Record, figure, grid, rank

ENCODERS = ("bow", "bloom", "emb")


def records(folder: Path) -> list[Record]:
    found = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))]
    return [record for record in found if isinstance(record, dict) and "rows" in record]


def ours(path: Path, task: str) -> dict[str, list[Record]]:
    """Return SECTOR's rows by data set as records, means over seeds."""
    runs: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        run = json.loads(line)
        if run["task"] == task and run["encoder"] in ENCODERS and not run.get("options", {}).get("projection"):
            name = f"sec-{run['encoder']}" + ("-rank" if run["loss"] == "rank" else "")
            runs[run["data"], name].append(run)
    found: dict[str, list[Record]] = defaultdict(list)
    for (data, name), group in runs.items():
        names = [part for part in ("newline", "max", "emd", "bemd") if all(part in run["test"] for run in group)]
        lines = [{"segmentation": part} | averaged([run["test"][part] for run in group]) for part in names]
        about = {"system": name, "title": find(name).title_for(task), "task": task, "failure": "", "rows": lines}
        found[data].append(about | {"data": data})
    return found


def averaged(reports: list[dict[str, Any]]) -> dict[str, float]:
    shared = (name for name in ("pk", "wd", "f1", "p1", "map") if None not in [report.get(name) for report in reports])
    return {name: mean(float(report[name]) for report in reports) for name in shared}


def table(columns: dict[str, list[Record]], task: str) -> str:
    """Lay out every row that any data set has."""
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
    lines = [
        [key[0], key[1] or NOTHING, *(values[key].get(name, "") for name in columns)]
        for key in sorted(places, key=lambda key: places[key])
    ]
    return grid(["system", "segm.", *(f"{name}: {shown}" for name in columns)], lines)


def cell(row: dict[str, Any], accuracy: str) -> str:
    parts = [figure(row.get(name), 1) for name in ("pk", "wd", accuracy, "map")]
    return " / ".join(parts[:2] if parts[2:] == [NOTHING, NOTHING] else parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--ours", type=Path)
    parser.add_argument("--task", default="topics")
    given = parser.parse_args()
    added = ours(given.ours, given.task) if given.ours else {}
    columns: dict[str, list[Record]] = {}
    for folder in given.folders:
        name = folder.name.removesuffix("-headings")
        own = [record for record in records(folder) if record["task"] == given.task]
        columns[name] = own + added.get(name, [])
    print(table(columns, given.task))
    failures = {
        f"- {record['title']} on {name}: {record['failure']}"
        for name, column in columns.items()
        for record in column
        if record["failure"]
    }
    print("\n" + "\n".join(sorted(failures)) if failures else "")


if __name__ == "__main__":
    main()
