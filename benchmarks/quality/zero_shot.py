"""Labels by their names alone: how much of the text a model of open vocabulary labels rightly without training."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import sector
from harness.data import documents
from harness.page import table
from sector.document import Section
from sector.evaluation import evaluate

TITLE = "Labels of your own, without training"
DATA = ("en_city_test", "en_disease_test")
HEAD = ["model", "data", "documents", "labels", "characters", "gold sections", "exact starts, F1", "sections / gold"]
FIGURES = ("character_accuracy", "gold_f1", "start_f1")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", nargs="*", default=["en"], help="models of open vocabulary")
    parser.add_argument("--data", nargs="*", default=list(DATA))
    parser.add_argument("--limit", type=int, help="only the first documents of each data set")


def report(options: argparse.Namespace) -> Iterator[str]:
    yield from table(HEAD, rows(options), names=3)


def rows(options: argparse.Namespace) -> Iterator[list[object]]:
    for name in options.model:
        model = sector.load(name)
        for data in options.data:
            gold = documents(data, options.limit)
            names = sorted({named(section) for document in gold for section in document.sections})
            found = evaluate(
                model.with_labels(names), gold, task="topics", relevant=lambda section: [named(section)]
            ).to_dict()
            figures = [f"{found[figure]:.1f}" for figure in FIGURES]
            yield [f"`{name}`", data, found["documents"], len(names), *figures, f"{found['start_ratio']:.2f}"]


def named(section: Section) -> str:
    """Return a topic as a person would type it: ``disease.risk_factor`` is "risk factor"."""
    return section.label.rpartition(".")[2].replace("_", " ")
