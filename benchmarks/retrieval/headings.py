"""Questions made from held-back headings: "TITLE heading" asks for the section below it, in all documents."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import log2
from statistics import mean

import numpy as np

from harness.data import documents
from harness.page import table
from retrieval.encoder import TextEncoder
from retrieval.options import add_options, ways_of
from retrieval.ways import RetrievedPiece, Way, cut_to
from sector.arrays import Floats1d
from sector.document import Document
from sector.text.headings import PATH

TITLE = "Questions made from held-back headings"
HALF = 0.5
"""A piece is right that lies in the section by this share, or holds this share of it."""
DEPTH = 10
"""Places that nDCG looks at."""


@dataclass(frozen=True, slots=True)
class HeadingQuestion:
    text: str
    document: int
    begin: int
    end: int


def arguments(parser: argparse.ArgumentParser) -> None:
    add_options(parser)
    parser.add_argument("--data", nargs="*", default=["en_wiki_test", "en_docs_test"])
    parser.add_argument("--limit", type=int, default=100, help="documents of each data set")
    parser.add_argument("--tokens", type=int, default=200, help="mean length of a chunk")


def report(options: argparse.Namespace) -> Iterator[str]:
    encoder = TextEncoder(options.encoder, options.cache)
    for data in options.data:
        gold = documents(data, options.limit)
        asked = questions(gold)
        bare = [replace(document, sections=()) for document in gold]
        yield f"## {data}\n"
        yield f"{len(gold)} documents, {len(asked):,} questions; chunks of {options.tokens} tokens on average.\n"
        rows = (row(way, bare, asked, options.tokens, encoder) for way in ways_of(options, encoder, titled=True))
        head = ["recall@1 ↑", "recall@5 ↑", "MRR ↑", f"nDCG@{DEPTH} ↑", "chunks", "mean tokens", "size"]
        yield from table(["chunks", *head], rows)
        yield ""


def questions(gold: Sequence[Document]) -> list[HeadingQuestion]:
    """Return a question for each section with a heading, in the words of title and heading path."""
    return [
        HeadingQuestion(" ".join([document.title, *section.heading.split(PATH)]), number, section.begin, section.end)
        for number, document in enumerate(gold)
        for section in document.sections
        if document.title and section.heading.strip() and section.heading != document.title
    ]


def row(
    way: Way, bare: Sequence[Document], asked: Sequence[HeadingQuestion], tokens: int, encoder: TextEncoder
) -> list[str]:
    cut = cut_to(way, bare, tokens, encoder.count)
    pieces = [(number, piece) for number, own in enumerate(cut.pieces) for piece in own]
    vectors = encoder([piece.read for _, piece in pieces])
    gains = []
    for question, scores in zip(asked, encoder([one.text for one in asked]) @ vectors.T, strict=True):
        own = np.array([gain(piece, question) if number == question.document else 0.0 for number, piece in pieces])
        gains.append(own[np.argsort(-scores, kind="stable")])
    first = [int(np.argmax(own > 0)) + 1 if own.any() else 0 for own in gains]
    recalls = (100 * mean(0 < place <= most for place in first) for most in (1, 5))
    others = (100 * mean(1 / place if place else 0.0 for place in first), 100 * mean(map(ndcg, gains)))
    figures = (f"{value:.1f}" for value in (*recalls, *others))
    return [way.title, *figures, str(len(pieces)), f"{cut.mean:.0f}", str(cut.size)]


def gain(piece: RetrievedPiece, question: HeadingQuestion) -> float:
    """Return how much of a piece is in the section, 0 for a piece that is not the right one."""
    common = min(piece.end, question.end) - max(piece.begin, question.begin)
    inside, held = common / (piece.end - piece.begin), common / (question.end - question.begin)
    return inside if max(inside, held) >= HALF else 0.0


def ndcg(gains: Floats1d) -> float:
    """Return the discounted gain of the first places, as a share of what the best order has."""
    best = dcg(np.sort(gains)[::-1])
    return dcg(gains) / best if best else 0.0


def dcg(gains: Floats1d) -> float:
    return sum(float(gain) / log2(place + 2) for place, gain in enumerate(gains[:DEPTH]))
