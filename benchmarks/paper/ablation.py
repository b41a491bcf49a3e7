"""Records of the ablation as a table: the recipe, and the same runs with one thing changed."""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.page import spread, table

TITLE = "What each idea brings"
MEASURES = ("pk", "f1", "map")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("records", type=Path, help="file of `paper/train ablation`")


def report(options: argparse.Namespace) -> Iterator[str]:
    runs: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in options.records.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        runs[record["change"]].append(record)
    head = ["", "seeds", "bemd: Pk / F1 / MAP", "joint: Pk / F1 / MAP", "sentence MAP, validation"]
    yield "en_disease_test\n"
    yield from table(head, (row(change, records) for change, records in runs.items()))


def row(change: str, records: list[dict[str, Any]]) -> list[str]:
    cells = []
    for segmentation in ("bemd", "joint"):
        reports = [record["test"][segmentation] for record in records if segmentation in record["test"]]
        cells.append(" / ".join(spread([found[name] for found in reports]) for name in MEASURES) if reports else "–")
    sentences = spread([100 * record["metrics"]["validation_sentence_map"] for record in records])
    return [change, str(len(records)), *cells, sentences]
