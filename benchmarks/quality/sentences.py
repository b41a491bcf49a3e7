"""How well sentence ends are found again when texts with one sentence per line lose their line breaks."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

from harness.data import documents
from harness.page import table
from sector.document import Document
from sector.text import split_sentences

TITLE = "Sentence ends without line breaks"
CLOSING = '.!?…")'
"""Only lines that end so are taken for sentences: list items and captions are no test."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", default="de_wiki_test")
    parser.add_argument("--language", nargs="*", default=["de", ""], help="what the splitter is told; '' for nothing")
    parser.add_argument("--limit", type=int, help="only the first documents")


def report(options: argparse.Namespace) -> Iterator[str]:
    gold = documents(options.data, options.limit)
    yield f"{options.data}, {len(gold)} documents.\n"
    rows = ([f"`{code}`" if code else "unknown", *counts(gold, code)] for code in options.language)
    yield from table(["language", "found", "more", "missed"], rows)


def counts(gold: list[Document], language: str) -> list[str]:
    total = sum((np.array(compared(document.text, language)) for document in gold), np.zeros(3, int))
    return [f"{count:,}" for count in total.tolist()]


def compared(lines: str, language: str) -> tuple[int, int, int]:
    text = lines.replace("\n", " ")
    breaks = (i for i, char in enumerate(lines) if char == "\n")
    gold = {i for i in breaks if lines[:i].rstrip()[-1:] in tuple(CLOSING)}
    ends = {int(end) for end in split_sentences(text, language).end[:-1] if text[end - 1] in CLOSING}
    found = {end for end in ends if text[end : end + 1].isspace() and end in gold}
    missed = {i for i in gold if i < len(text.rstrip()) and i not in ends}
    return len(found), len(ends - gold), len(missed)
