"""What the pretrained models reach on the test documents of their data sets."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import sector
from harness.data import documents
from harness.page import table
from quality.reading import ReadOnce
from quality.scores import MEASURES, cells
from sector.document import Document
from sector.evaluation import PROTOCOLS, evaluate

TITLE = "The pretrained models"
SHOWN = ("start_f1", "start_ratio", "pk", "wd", "f1", "p1", "map", "section_ratio", "boundary_f1", "ece")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", nargs="*", default=list(sector.models()), help="names; by default all")
    parser.add_argument("--data", nargs="*", help="data sets for every model; by default the test documents of its own")
    parser.add_argument("--segmentation", nargs="*", default=[None], help="by default the model's own")
    parser.add_argument("--lines", nargs="*", default=list(LINES), choices=list(LINES), help="line breaks in the text")
    parser.add_argument("--protocol", nargs="*", default=["sections", "sector"], choices=list(PROTOCOLS))
    parser.add_argument("--limit", type=int, help="only the first documents of each data set")


def report(options: argparse.Namespace) -> Iterator[str]:
    head = ["model", "data", "documents", "line breaks", "segmentation", "protocol", *(MEASURES[key] for key in SHOWN)]
    yield from table(head, rows(options), names=6)


def rows(options: argparse.Namespace) -> Iterator[list[object]]:
    for name in options.model:
        model = ReadOnce(name)
        hidden = {"p1": None} if model.task == "topics" else {"f1": None}
        for data, lines in product(options.data or tests_of(name), options.lines):
            gold = [LINES[lines](document) for document in documents(data, options.limit)]
            for protocol, segmentation in product(options.protocol, options.segmentation):
                found = evaluate(model, gold, segmentation, protocol).to_dict()
                figures = cells([found | hidden], SHOWN)
                yield [f"`{name}`", data, found["documents"], lines, found["segmentation"], protocol, *figures]


def tests_of(model: str) -> list[str]:
    """Return the test documents of the data sets that a model was trained on."""
    name = Path(model).name.removesuffix("_accurate")
    return ["en_wiki_test", "en_docs_test"] if name == "en" else [f"{name}_test"]


def without_lines(document: Document) -> Document:
    """Return the document with spaces in the place of its line breaks, so that nothing tells of paragraphs."""
    text = document.text.replace("\n", " ")
    return Document(text, document.id, document.title, document.language, sections=document.sections)


LINES: dict[str, Callable[[Document], Document]] = {"with": lambda document: document, "without": without_lines}
