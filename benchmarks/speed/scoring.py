"""How long an evaluation takes without the model: synthetic documents, scored under every protocol."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial

import numpy as np

from harness.clock import seconds
from harness.page import table
from sector.distribution import Distribution
from sector.document import Document, Section
from sector.evaluation import PROTOCOLS, rank, score
from sector.text.sentences import SentenceSpans

TITLE = "Time of an evaluation without the model"
SENTENCES, SECTIONS, LABELS = 55, 8, 30
WORDS, EXAMPLES = 3000, 5000
WIDTH = 80
NAMES = tuple(f"topic{i}" for i in range(LABELS))


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--documents", type=int, default=2500)


def report(options: argparse.Namespace) -> Iterator[str]:
    random = np.random.default_rng(0)
    gold, predicted = ([made(random, i, scored) for i in range(options.documents)] for scored in (False, True))
    scores, relevant = random.random((EXAMPLES, WORDS)), random.random((EXAMPLES, WORDS)) < 2 / WORDS
    rows = {f"`score`, protocol `{name}`": partial(score, gold, predicted, name) for name in PROTOCOLS}
    rows["`score`, protocol `sector`, 1000 resamples"] = partial(score, gold, predicted, bootstrap=1000)
    yield f"{options.documents} synthetic documents of {SENTENCES} sentences, {SECTIONS} sections, {LABELS} labels.\n"
    yield from table(["what", "seconds"], ([name, f"{seconds(work):.2f}"] for name, work in rows.items()))
    taken = seconds(lambda: rank(scores, relevant).average_precision())
    yield f"| `rank` and average precision, {EXAMPLES} examples × {WORDS} words | {taken:.2f} |"


def made(random: np.random.Generator, number: int, scored: bool) -> Document:
    begin = np.arange(SENTENCES, dtype=np.int64) * WIDTH
    starts = np.sort(random.choice(np.arange(1, SENTENCES), SECTIONS - 1, replace=False)) * WIDTH
    edges = [0, *starts.tolist(), SENTENCES * WIDTH]
    values = random.random((SECTIONS, LABELS)).astype(np.float32)
    sections = tuple(
        Section(
            edges[i],
            edges[i + 1],
            NAMES[int(values[i].argmax())],
            distribution=Distribution(NAMES, values[i]) if scored else None,
        )
        for i in range(SECTIONS)
    )
    spans = SentenceSpans(begin, begin + WIDTH - 1, random.random(SENTENCES) < 0.3)
    return Document("x" * (SENTENCES * WIDTH), id=str(number), sections=sections, given_spans=spans)
