"""What chunks promise, counted: how full they are, that none is too long, and how many sections they begin with."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from statistics import mean

import sector
from harness.data import documents
from harness.page import table
from sector.baselines.base import with_sections
from sector.baselines.splitters.splitter import sentences_at
from sector.chunks import Chunk, token_counter
from sector.document import Document
from sector.evaluation import score
from sector.runtime import Model

TITLE = "What chunks promise"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", nargs="*", default=["en"], help="names or folders")
    parser.add_argument("--data", nargs="*", default=["en_wiki_test", "en_docs_test"])
    parser.add_argument("--limit", type=int, help="only the first documents of each data set")
    parser.add_argument("--tokens", type=int, nargs="*", default=[128, 256, 512], help="limits of a chunk")


def report(options: argparse.Namespace) -> Iterator[str]:
    yield "Tokens: the estimate that needs no vocabulary. Fill: mean share of the limit, of documents longer than it."
    yield "Begins: inner begins of chunks that are begins of sentences. Sections: exact starts, protocol `sector`.\n"
    for data in options.data:
        gold = documents(data, options.limit)
        bare = [Document(document.text, title=document.title, language=document.language) for document in gold]
        yield f"## {data}, {len(gold)} documents\n"
        rows = (line for name in options.model for line in lines(sector.load(name), gold, bare, options.tokens))
        head = ["limit", "chunks", "fill %", "longest ÷ limit", "begins %", "sections, F1", "recall", "precision"]
        yield from table(["model", *head], rows)
        yield ""


def lines(
    model: Model, gold: Sequence[Document], bare: Sequence[Document], limits: Sequence[int]
) -> Iterator[list[str]]:
    whole = [[section.begin for section in found.sections] for found in model.segment_all(bare)]
    nothing = ["–"] * 3
    yield [model.name, "sections", str(sum(map(len, whole))), *nothing, *starts(gold, whole)]
    for limit in limits:
        found = list(model.chunk_all(bare, limit))
        begins = [[chunk.begin for chunk in chunks] for chunks in found]
        yield [model.name, str(limit), str(sum(map(len, begins))), *counted(bare, found, limit), *starts(gold, begins)]


def counted(bare: Sequence[Document], found: Sequence[Sequence[Chunk]], limit: int) -> list[str]:
    """Return fill, the longest chunk and the share of begins that are sentences'."""
    count = token_counter()
    sizes = [count([chunk.text for chunk in chunks]) for chunks in found]
    totals = count([document.text for document in bare])
    long = [size for own, total in zip(sizes, totals, strict=True) if total > limit for size in own]
    inner = [
        chunk.begin in starts
        for document, chunks in zip(bare, found, strict=True)
        for starts in [set(document.spans.begin.tolist())]
        for chunk in chunks[1:]
    ]
    longest = max(size for own in sizes for size in own) / limit
    return [f"{100 * mean(long) / limit:.1f}", f"{longest:.2f}", f"{100 * mean(inner or [True]):.2f}"]


def starts(gold: Sequence[Document], begins: Sequence[Sequence[int]]) -> list[str]:
    found = [with_sections(one, sentences_at(one, own)) for one, own in zip(gold, begins, strict=True)]
    scores = score(gold, found).to_dict()
    return [f"{scores[name]:.1f}" for name in ("start_f1", "start_recall", "start_precision")]
