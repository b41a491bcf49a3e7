"""Records of runs as the paper's tables: means over seeds, with their spread."""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from harness.page import spread, table

TITLE = "SECTOR as the paper has it, on the data at hand"
RECORDS = Path(__file__).parents[1] / "results" / "paper.jsonl"
ResultRecord = dict[str, Any]
DATA = {
    "topics": ("en_disease", "en_city", "pt_disease", "pt_city"),
    "headings": ("en_disease", "en_city", "en_wiki", "de_wiki"),
}
ROWS = (("bow", "ce"), ("bloom", "ce"), ("emb", "ce"), ("bloom", "rank"), ("emb", "rank"))
SEGMENTATIONS = {
    "newline": "newline",
    "max": "max",
    "max-blank": "max, the authors' second-best label",
    "emd": "emd",
    "bemd-paper": "bemd, the paper's formula",
    "bemd-2018": "bemd, the authors' code of 2018",
    "bemd-head": "bemd, the authors' last code",
    "bemd": "bemd `aligned`, ours",
    "bemd-1.0": "the same, σ = 1",
    "bemd-0.5": "the same, σ = 0.5",
    "bemd-1.5": "the same, σ = 1.5",
    "newline+merge": "newline, equal neighbours joined",
    "bemd+merge": "bemd `aligned`, equal neighbours joined",
}
TABLES = ("newline", "max", "max-blank", "emd", "bemd-2018", "bemd")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("records", type=Path, nargs="?", default=RECORDS)


def report(options: argparse.Namespace) -> Iterator[str]:
    runs: dict[tuple[str, ...], list[ResultRecord]] = defaultdict(list)
    for line in options.records.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        runs[record["task"], record["encoder"], record["loss"], record["data"]].append(record)
    for task, chosen in (("topics", TABLES), ("headings", ("bemd",))):
        yield f"\n## {task.capitalize()}, test documents\n"
        shown = "Pk / F1 / MAP" if task == "topics" else "Pk / P@1 / MAP"
        head = ["model", "segmentation", *(f"{name}: {shown}" for name in DATA[task])]
        yield from table(head, lines(runs, task, chosen), 2)
    for part in ("test", "validation"):
        yield f"\n## Forms of the segmentations, SEC>T+bloom, {part} documents\n"
        head = ["segmentation", *(f"{name}: Pk / F1 / MAP / boundary F1" for name in DATA["topics"][:2])]
        yield from table(head, forms(runs, part))


def lines(runs: dict[tuple[str, ...], list[ResultRecord]], task: str, chosen: Sequence[str]) -> Iterator[list[str]]:
    measures = ("pk", "f1", "map") if task == "topics" else ("pk", "p1", "map")
    for segmentation in chosen:
        for encoder, loss in ROWS:
            found = [runs.get((task, encoder, loss, data), []) for data in DATA[task]]
            cells = [figures(records, "test", segmentation, measures) for records in found]
            if any(cells):
                yield [title(task, encoder, loss), SEGMENTATIONS[segmentation], *cells]


def title(task: str, encoder: str, loss: str) -> str:
    return f"SEC>{task[0].upper()}+{encoder}" + ("+rank" if loss == "rank" else "")


def figures(records: Sequence[ResultRecord], part: str, segmentation: str, measures: Sequence[str]) -> str:
    reports = [record[part][segmentation] for record in records if segmentation in record.get(part, {})]
    return " / ".join(spread([report.get(name) for report in reports]) for name in measures) if reports else ""


def forms(runs: dict[tuple[str, ...], list[ResultRecord]], part: str) -> Iterator[list[str]]:
    several = [runs["topics", "bloom", "ce", data] for data in DATA["topics"][:2]]
    for segmentation, name in SEGMENTATIONS.items():
        cells = [figures(records, part, segmentation, ("pk", "f1", "map", "boundary_f1")) for records in several]
        if any(cells):
            yield [name, *cells]
