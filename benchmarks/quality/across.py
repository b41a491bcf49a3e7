"""Models on data sets that they were not trained for: the paper's cross-data rows, under every protocol of the field.

Test documents whose titles are in the training or validation data of the heading models are left out.
"""

from __future__ import annotations

import argparse
import unicodedata
from collections.abc import Iterator

from harness.data import documents
from harness.page import table
from quality.reading import ReadOnce
from quality.scores import MEASURES, cells
from sector.document import Document
from sector.evaluation import evaluate

TITLE = "Across data sets"
LEARNED_FROM = ("en_wiki_train", "en_wiki_validation")
SECTIONS = ("wiki50", "clinical")
PROTOCOLS = ("koshorek", "per-document-k", "sector")
ARTICLES = ("en_disease_test", "en_city_test")
FIGURES = ("pk", "wd", "p1", "map", "section_ratio")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", nargs="*", default=["en_wiki"], help="models of heading words")
    parser.add_argument("--segmentation", nargs="*", default=["bemd", "joint", "main"])
    parser.add_argument("--limit", type=int, help="only the first documents of each data set")


def report(options: argparse.Namespace) -> Iterator[str]:
    yield "## Articles with headings: en_disease and en_city\n"
    known = {title(document) for name in LEARNED_FROM for document in documents(name)}
    gold = {name: documents(name, options.limit) for name in ARTICLES}
    left = {name: [document for document in found if title(document) not in known] for name, found in gold.items()}
    for name, found in left.items():
        yield f"{name}: {len(found)} of {len(gold[name])} documents; the others are in {' or '.join(LEARNED_FROM)}."
    yield "Protocol `sector`, headings, percent.\n"
    yield from table(["model", "data", "segmentation", *(MEASURES[key] for key in FIGURES)], rows(options, left), 3)
    yield "\n## Top-level sections: Wiki-50 and the clinical textbook, Pk under three protocols\n"
    other = {name: documents(name, options.limit) for name in SECTIONS}
    head = ["model", "segmentation", *(f"{name}: {protocol}" for name in SECTIONS for protocol in PROTOCOLS)]
    yield from table(head, pks(options, other), 2)


def title(document: Document) -> str:
    return unicodedata.normalize("NFC", document.title).replace("_", " ").strip().casefold()


def rows(options: argparse.Namespace, data: dict[str, list[Document]]) -> Iterator[list[str]]:
    for name in options.model:
        model = ReadOnce(name)
        for source, gold in data.items():
            for segmentation in options.segmentation:
                found = evaluate(model, gold, segmentation, task="headings").to_dict()
                yield [name, source, segmentation, *cells([found], FIGURES)]


def pks(options: argparse.Namespace, data: dict[str, list[Document]]) -> Iterator[list[str]]:
    for name in options.model:
        model = ReadOnce(name)
        for segmentation in options.segmentation:
            found = [
                evaluate(model, gold, segmentation, way).to_dict()["pk"] for gold in data.values() for way in PROTOCOLS
            ]
            yield [name, segmentation, *(f"{pk:.1f}" for pk in found)]
