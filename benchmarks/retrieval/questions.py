"""Chroma's chunking evaluation: questions whose answers are spans of a text, and how much of them is retrieved."""

from __future__ import annotations

import argparse
import csv
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

import numpy as np

from harness.data import find
from harness.page import table
from retrieval.budget import Found, Span, found, within
from retrieval.encoder import TextEncoder
from retrieval.options import add_options, ways_of
from retrieval.ways import Cut, Way, cut_to
from sector.document import Document
from sector.errors import DataError
from sector.files import read_file

TITLE = "Questions whose answers are spans"


@dataclass(frozen=True, slots=True)
class SpanQuestion:
    text: str
    answers: list[Span]


def arguments(parser: argparse.ArgumentParser) -> None:
    add_options(parser)
    parser.add_argument("--data", default="retrieval", help="the folder of questions.csv and its texts")
    parser.add_argument("--tokens", type=int, nargs="*", default=[200, 400], help="mean lengths of a chunk")
    parser.add_argument("--budget", type=int, default=4000, help="characters that are retrieved for a question")
    parser.add_argument("--corpus", nargs="*", help="only these texts")


def report(options: argparse.Namespace) -> Iterator[str]:
    folder = find(options.data)
    corpora = {name: own for name, own in questions(folder).items() if name in (options.corpus or [name])}
    encoder = TextEncoder(options.encoder, options.cache)
    documents = {name: Document(text(folder / f"{name}.md"), id=name, language="en") for name in corpora}
    asked = ", ".join(f"{name} {len(own)} questions, {len(documents[name].text):,}" for name, own in corpora.items())
    yield f"{asked} characters. A question retrieves {options.budget:,} characters.\n"
    for tokens in options.tokens:
        yield f"## {tokens} tokens on average\n"
        rows = (row(way, tokens, options.budget, documents, corpora, encoder) for way in ways_of(options, encoder))
        head = [*(f"recall, {name} ↑" for name in corpora), "recall ↑", "precision ↑", "IoU ↑", "mean tokens", "size"]
        yield from table(["chunks", *head], rows)
        yield ""


def row(
    way: Way,
    tokens: int,
    budget: int,
    documents: Mapping[str, Document],
    corpora: Mapping[str, Sequence[SpanQuestion]],
    encoder: TextEncoder,
) -> list[str]:
    results, cuts = [], []
    for name, own in corpora.items():
        cuts.append(cut_to(way, [documents[name]], tokens, encoder.count))
        results.append(answered(documents[name], cuts[-1], own, budget, encoder))
    recalls = [100 * mean(one.recall for one in found) for found in results]
    precision = 100 * mean(mean(one.precision for one in found) for found in results)
    iou = 100 * mean(mean(one.iou for one in found) for found in results)
    lengths = "/".join(f"{cut.mean:.0f}" for cut in cuts), "/".join(str(cut.size) for cut in cuts)
    return [way.title, *(f"{value:.1f}" for value in (*recalls, mean(recalls), precision, iou)), *lengths]


def answered(
    document: Document, cut: Cut, own: Sequence[SpanQuestion], budget: int, encoder: TextEncoder
) -> list[Found]:
    """Return what the best pieces hold of the answer to each question."""
    (pieces,) = cut.pieces
    vectors = encoder([piece.read for piece in pieces])
    orders = np.argsort(-(encoder([question.text for question in own]) @ vectors.T), axis=1, kind="stable")
    spans = [(piece.begin, piece.end) for piece in pieces]
    bought = [within((spans[place] for place in order), budget) for order in orders]
    return [found(one.answers, spent, len(document.text)) for one, spent in zip(own, bought, strict=True)]


def questions(folder: Path) -> dict[str, list[SpanQuestion]]:
    """Return the questions by the text that they are about."""
    asked: defaultdict[str, list[SpanQuestion]] = defaultdict(list)
    for record in csv.DictReader(text(folder / "questions.csv").splitlines(keepends=True)):
        answers = [(one["start_index"], one["end_index"]) for one in json.loads(record["references"])]
        asked[record["corpus_id"]].append(SpanQuestion(record["question"], answers))
    return dict(asked)


def text(file: Path) -> str:
    """Return a file's characters, line ends as they are."""
    if not file.is_file():
        raise DataError("There is no such file; --data is the folder with questions.csv and its texts.", file=file)
    return read_file(file, 1 << 30).decode("utf-8")
