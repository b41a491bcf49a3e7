"""How long models take for the same documents, in one run: the fast and the accurate ones side by side.

python benchmarks/tiers.py DATA MODEL… [--documents N]
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from datetime import date
from functools import partial
from itertools import islice
from pathlib import Path

import sector
from sector import datasets
from sector.runtime import Model

REPEATS = 3
WARM = "A sentence to begin with. And a second one."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("models", nargs="+")
    parser.add_argument("--documents", type=int, default=None, help="only so many of the first")
    options = parser.parse_args()
    documents = list(islice(datasets.load(options.data, language="en"), options.documents))
    texts = [document.text for document in documents]
    sentences = sum(len(document) for document in documents) / len(documents)
    print(f"{os.cpu_count()}-core x86_64 VM, Python {sys.version.split()[0]}, {date.today().isoformat()};")
    print(f"load of the machine (1 minute) before the run: {os.getloadavg()[0]:.1f}.")
    print(f"{len(texts)} documents of {options.data.name.split('.')[0]}, {sentences:.0f} sentences on average;")
    print(f"median of {REPEATS} runs.\n")
    print("| model | load, s | documents/s | s per document | one by one, s per document | times the first's |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    first = 0.0
    for name in options.models:
        begun = time.perf_counter()
        model = sector.load(name)
        model.segment(WARM)
        loaded = time.perf_counter() - begun
        together = median(partial(segment_all, model, texts)) / len(texts)
        single = median(partial(one_by_one, model, texts)) / len(texts)
        first = first or together
        cells = (f"{loaded:.2f}", f"{1 / together:.1f}", f"{together:.4f}", f"{single:.4f}", f"{together / first:.1f}")
        print(f"| {model.name} | {' | '.join(cells)} |", flush=True)


def segment_all(model: Model, texts: list[str]) -> None:
    list(model.segment_all(texts))


def one_by_one(model: Model, texts: list[str]) -> None:
    for text in texts:
        model.segment(text)


def median(work: Callable[[], object]) -> float:
    times = []
    for _ in range(REPEATS):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return sorted(times)[REPEATS // 2]


if __name__ == "__main__":
    main()
