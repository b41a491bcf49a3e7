"""How long an evaluation takes without the model: synthetic documents, scored under every protocol.

python benchmarks/evaluation.py > benchmarks/results/evaluation.md
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from datetime import date
from functools import partial

import numpy as np

from sector.document import Distribution, Document, Section
from sector.evaluation import PROTOCOLS, rank, score
from sector.text.sentences import SentenceSpans

DOCUMENTS, SENTENCES, SECTIONS, LABELS = 2500, 55, 8, 30
WORDS, EXAMPLES = 3000, 5000
WIDTH = 80
NAMES = tuple(f"topic{i}" for i in range(LABELS))


def documents(random: np.random.Generator, *, scored: bool) -> list[Document]:
    return [make(random, number, scored=scored) for number in range(DOCUMENTS)]


def make(random: np.random.Generator, number: int, *, scored: bool) -> Document:
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


def seconds(task: Callable[[], object]) -> float:
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


def main() -> None:
    random = np.random.default_rng(0)
    gold, predicted = documents(random, scored=False), documents(random, scored=True)
    scores, relevant = random.random((EXAMPLES, WORDS)), random.random((EXAMPLES, WORDS)) < 2 / WORDS
    rows = {f"`score`, protocol `{name}`": seconds(partial(score, gold, predicted, name)) for name in PROTOCOLS}
    rows["`score`, protocol `sector`, 1000 resamples"] = seconds(lambda: score(gold, predicted, bootstrap=1000))
    headings = f"`rank` and average precision, {EXAMPLES} examples × {WORDS} words"
    rows[headings] = seconds(lambda: rank(scores, relevant).average_precision())
    print("# Time of an evaluation without the model\n")
    print(f"{DOCUMENTS} synthetic documents of {SENTENCES} sentences, {SECTIONS} sections, {LABELS} labels.")
    print(f"2-core {platform.machine()} VM, Python {platform.python_version()}, {date.today()}.\n")
    print("```\npython benchmarks/evaluation.py > benchmarks/results/evaluation.md\n```\n")
    print("| what | seconds |\n| --- | ---: |")
    for name, value in rows.items():
        print(f"| {name} | {value:.2f} |")


if __name__ == "__main__":
    main()
