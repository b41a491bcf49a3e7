"""What the embedded models reach on the test documents of their data sets."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import sector
from harness.data import documents
from harness.page import NOTHING, table
from quality.scores import MEASURES, cells
from sector.evaluation import evaluate

TITLE = "The pretrained models"
SHOWN = ("pk", "wd", "f1", "p1", "map", "section_ratio", "boundary_f1")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", nargs="*", default=sector.models(), help="names; by default all")
    parser.add_argument("--limit", type=int, help="only the first documents of each data set")


def report(options: argparse.Namespace) -> Iterator[str]:
    rows = (row(name, options.limit) for name in options.model)
    yield from table(["model", "data", "documents", "segmentation", *(MEASURES[key] for key in SHOWN)], rows, names=2)


def row(name: str, limit: int | None) -> list[object]:
    model, data = sector.load(name), f"{name.removesuffix('_accurate')}_test"
    found = evaluate(model, documents(data, limit)).to_dict()
    kept = {key: value for key, value in found.items() if key not in (("p1",) if model.task == "topics" else ("f1",))}
    figures = cells([dict.fromkeys(SHOWN) | kept], SHOWN)
    return [f"`{name}`", data, found["documents"], found["segmentation"] or NOTHING, *figures]
