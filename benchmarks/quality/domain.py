"""How well a model tells what it was trained on from other text, and what that does to its confidences.

Every kind of text is compared with the held-out documents of the model's own data set, section by section.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import sector
from harness.data import documents
from harness.page import table
from sector.document import Document
from sector.evaluation import evaluate
from sector.runtime import Model, ModelFolder
from sector.runtime.folder import ModelConfig

TITLE = "Text that a model does not know"
OWN = {
    "en_disease": ("en_disease_validation", "en_disease_test"),
    "en_city": ("en_city_validation", "en_city_test"),
    "en": ("en_wiki_test", "en_docs_test"),
}
"""Data sets of a model, the last of which is what other text is compared with."""
OTHERS = ("en_disease_test", "en_city_test", "en_wiki_validation", "en_docs_validation", "choi", "de_wiki_validation")
EXAMPLES = Path(__file__).parents[2] / "examples"
TEXTS, WORDS = 40, 150
Scores = NDArray[np.float64]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", nargs="*", default=["en_disease", "en_city", "en"])
    parser.add_argument("--limit", type=int, default=60, help="documents of each data set")


def report(options: argparse.Namespace) -> Iterator[str]:
    for name in options.model:
        model = sector.load(name)
        own: tuple[str, ...] = OWN.get(name.removesuffix("_accurate"), ())
        yield f"\n## {name}\n"
        base = {data: documents(data, options.limit) for data in own}
        found = {data: scores(model, plain(texts)) for data, texts in base.items()}
        for data in OTHERS:
            if data not in own:
                found[data] = scores(model, plain(documents(data, options.limit)))
        found |= {kind: scores(model, texts) for kind, texts in generated().items()}
        yield from table(["text", "sections", "median", "5 %", "95 %", "AUC"], rows(found, own))
        if model.task == "topics":
            yield ""
            yield from calibration(model, own, base)
        yield ""
        yield f"Time of `segment` with the score beside without it: {ratio(model, base[own[-1]]):.3f}."


def plain(texts: Iterable[Document]) -> list[str]:
    return [document.text for document in texts]


def scores(model: Model, texts: Iterable[str]) -> Scores:
    """Return the in-domain score of every section."""
    found = (section.in_domain for document in model.segment_all(texts) for section in document)
    return np.array([share for share in found if share is not None], np.float64)


def rows(found: Mapping[str, Scores], own: tuple[str, ...]) -> Iterator[list[str]]:
    known = found[own[-1]]
    for name, values in found.items():
        low, middle, high = np.quantile(values, [0.05, 0.5, 0.95])
        apart = "own" if name in own else f"{100 * auc(known, values):.1f}"
        yield [name, f"{len(values):,}", f"{middle:.3f}", f"{low:.3f}", f"{high:.3f}", apart]


def auc(known: Scores, others: Scores) -> float:
    """Return how often a known section scores higher than another one."""
    ordered = np.sort(others)
    below = np.searchsorted(ordered, known, "left") + np.searchsorted(ordered, known, "right")
    return float(below.mean() / 2 / len(others))


def calibration(model: Model, own: tuple[str, ...], base: Mapping[str, list[Document]]) -> Iterator[str]:
    """Compare the calibration error of sections' confidences with and without the score."""
    without = unaware(model)
    yield from table(
        ["calibration error, percent", "without", "with"],
        ([data, *(f"{evaluate(one, base[data]).to_dict()['ece']:.2f}" for one in (without, model))] for data in own),
    )


class Unaware(ModelFolder):
    """A model folder without what its domain is."""

    def config(self) -> ModelConfig:
        return replace(ModelFolder(self.path).config(), domain={})


def unaware(model: Model) -> Model:
    return Model(Unaware(model.folder.path))


def ratio(model: Model, texts: list[Document], repeats: int = 3) -> float:
    """Return the processor time with the score relative to that without, of the fastest of some runs in turn."""
    given, without = plain(texts), unaware(model)
    spent: dict[int, list[float]] = {0: [], 1: []}
    for _ in range(repeats):
        for number, one in enumerate((model, without)):
            spent[number].append(seconds(partial(consume, one, given)))
    return min(spent[0]) / min(spent[1])


def consume(model: Model, texts: list[str]) -> None:
    for _ in model.segment_all(texts):
        pass


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def generated() -> dict[str, list[str]]:
    """Return text of our own by its kind."""
    chance = random.Random(11)
    files = {name: (EXAMPLES / name).read_text(encoding="utf-8") for name in NAMED.values()}
    code = sorted((Path(__file__).parents[2] / "src/sector/server/page").glob("*.js"))
    return {
        "numbers": [" ".join(f"{chance.random() * 100:.3f}" for _ in range(WORDS)) for _ in range(TEXTS)],
        "random letters": [" ".join(word(chance) for _ in range(WORDS)) for _ in range(TEXTS)],
        "random Chinese": [
            "".join(chr(chance.randint(0x4E00, 0x5FFF)) for _ in range(4 * WORDS)) for _ in range(TEXTS)
        ],
        "JavaScript": [file.read_text(encoding="utf-8") for file in code],
        **{kind: [files[name]] for kind, name in NAMED.items()},
    }


NAMED = {
    "a lease": "workshop-lease.txt",
    "a manual": "irrigation-controller.md",
    "minutes of a meeting": "allotment-meeting.txt",
    "a report of an outage": "outage-report.txt",
}


def word(chance: random.Random) -> str:
    return "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(2, 9)))
