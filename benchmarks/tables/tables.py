"""Print the results of `run.py` as the paper's tables in Markdown.

python benchmarks/tables/tables.py benchmarks/results/sector.jsonl
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from statistics import mean, stdev
from typing import Any

Result = dict[str, Any]
ROWS = (("bow", "ce"), ("bloom", "ce"), ("emb", "ce"), ("bloom", "rank"), ("emb", "rank"))
SEGMENTATIONS = ("newline", "max", "emd", "bemd")


def load(paths: list[Path]) -> list[Result]:
    return [json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]


def row_name(task: str, encoder: str, loss: str) -> str:
    return f"SEC>{task[0].upper()}+{encoder}" + ("+rank" if loss == "rank" else "")


def figure(results: list[Result], segmentation: str, measure: str) -> str:
    values = [r["test"][segmentation][measure] for r in results if segmentation in r["test"]]
    values = [value for value in values if value is not None]
    if not values:
        return "–"
    spread = f" ± {stdev(values):.1f}" if len(values) > 1 else ""
    return f"{mean(values):.1f}{spread}"


def table(results: list[Result], task: str, names: list[str], segmentations: tuple[str, ...]) -> str:
    measures = ("pk", "f1", "map") if task == "topics" else ("pk", "p1", "map")
    by_run: dict[tuple[str, str, str], list[Result]] = defaultdict(list)
    for result in results:
        if result["task"] == task and not result.get("options", {}).get("projection"):
            by_run[result["encoder"], result["loss"], result["data"]].append(result)
    shown = "Pk / F1 / MAP" if task == "topics" else "Pk / P@1 / MAP"
    lines = ["| model | segm. | " + " | ".join(f"{name}: {shown}" for name in names) + " |"]
    lines.append("| --- | --- |" + " --- |" * len(names))
    for segmentation in segmentations:
        for encoder, loss in ROWS:
            cells = [
                " / ".join(figure(by_run[encoder, loss, name], segmentation, measure) for measure in measures)
                if by_run[encoder, loss, name]
                else ""
                for name in names
            ]
            if any(cells):
                lines.append(f"| {row_name(task, encoder, loss)} | {segmentation} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def variants(results: list[Result], names: list[str]) -> str:
    """What each form of bemd reaches on the validation documents: how the default was chosen."""
    found = [r for r in results if "bemd-paper" in r.get("validation", {}) and r["encoder"] == "bloom"]
    lines = ["| segmentation | " + " | ".join(f"{name}: Pk / F1 / MAP / boundary F1" for name in names) + " |"]
    lines.append("| --- |" + " --- |" * len(names))
    for segmentation in found[0]["validation"] if found else ():
        cells = []
        for name in names:
            reports = [r["validation"][segmentation] for r in found if r["data"] == name]
            measures = ("pk", "f1", "map", "boundary_f1")
            cells.append(" / ".join(f"{mean(report[m] for report in reports):.1f}" for m in measures))
        lines.append(f"| {segmentation} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def reduction(results: list[Result]) -> str:
    """What leaving out the reduction to 16 dimensions changes on the validation documents."""
    lines = ["| run | 16 dimensions: Pk / F1 / MAP | all: Pk / F1 / MAP |", "| --- | --- | --- |"]
    for result in results:
        reports = result.get("validation", {})
        if "bemd-all" in reports:
            cells = [
                " / ".join(f"{reports[name][m]:.1f}" for m in ("pk", "f1", "map")) for name in ("bemd", "bemd-all")
            ]
            name = f"{result['data']}, {row_name('topics', result['encoder'], result['loss'])}, seed {result['seed']}"
            lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path, nargs="+")
    results = load(parser.parse_args().results)
    print("## Topics\n")
    print(table(results, "topics", ["en_disease", "en_city", "pt_disease", "pt_city"], SEGMENTATIONS))
    print("\n## Headings\n")
    print(table(results, "headings", ["en_disease", "en_city", "en_wiki", "de_wiki"], ("bemd",)))
    print("\n## Forms of bemd on the validation documents, SEC>T+bloom\n")
    print(variants(results, ["en_disease", "en_city"]))
    print("\n## bemd with and without reduction, on the validation documents\n")
    print(reduction(results))


if __name__ == "__main__":
    main()
