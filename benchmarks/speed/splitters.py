"""Splitters that people use today beside ours, on the same texts in one run: text in, begins of sections out."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import sector
from harness.clock import seconds
from harness.data import documents
from harness.page import NOTHING, table
from sector.baselines.base import Material, Task, with_sections
from sector.baselines.registry import find
from sector.baselines.splitters.splitter import Splitter, sentences_at
from sector.baselines.splitters.vectors import vectors_of
from sector.document import Document
from sector.evaluation import score
from sector.runtime import Model
from speed.by_size import SemanticTextSplitter, SemChunk

TITLE = "Splitters beside ours"
PEERS = ("changepoint", "ruptures", "textsplit", "haystack", "chonkie", "llama-index", "langchain")
BY_SIZE = {"semchunk": SemChunk, "semantic-text-splitter": SemanticTextSplitter}
OURS: Mapping[str, Mapping[str, Any]] = {"default": {}, "--merge": {"merge": True}}
WARM_UP, REPEATS, QUICK = 5, 3, 30.0
"""Texts before the clock starts; timed runs; and seconds after which a slow splitter is not run again."""
SplitAll: TypeAlias = Callable[[Sequence[str]], list[Sequence[int]]]
"""Texts to the characters where their sections begin."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", default="en_city", help="a data set with a _test and a _validation part")
    parser.add_argument("--limit", type=int, help="only the first test documents")
    parser.add_argument("--tune", type=int, default=40, help="validation documents that choose the others' settings")
    parser.add_argument("--model", nargs="*", default=["en_city"], help="models of ours: names or folders")
    parser.add_argument("--splitter", nargs="*", default=[*PEERS, *BY_SIZE])


def report(options: argparse.Namespace) -> Iterator[str]:
    os.environ |= {"HF_HUB_OFFLINE": "1", "HAYSTACK_TELEMETRY_ENABLED": "False"}
    test, validation = (documents(f"{options.data}_{part}") for part in ("test", "validation"))
    test, validation = test[: options.limit], validation[: options.tune]
    lengths = [f"{sum(map(len, part)) / len(part):.0f}" for part in (validation, test)]
    yield f"{options.data}_test: {len(test)} documents, {sum(map(len, test)):,} sentences. Settings of the others: the"
    yield f"best of five on the first {len(validation)} validation documents, which have {lengths[0]} sentences on"
    yield f"average, those of the test {lengths[1]}: a setting may not carry over. Pk: protocol `sector`, percent.\n"
    base: list[float] = []
    rows = (row(make, title, test, base) for title, make in makers(options, validation))
    yield from table(["splitter", "time ÷ that of the first", "documents/s", "Pk ↓", "sections", "setting"], rows)
    yield "\n`sections`: per document."


Made: TypeAlias = tuple[SplitAll, str]


def makers(options: argparse.Namespace, validation: list[Document]) -> Iterator[tuple[str, Callable[[], Made]]]:
    for name in options.model:
        model = sector.load(name)
        for setting, given in OURS.items():
            yield f"sector {name}", partial(split_by, model, given, setting)
    for name in options.splitter:
        made = BY_SIZE[name]() if name in BY_SIZE else find(name).make()
        title = name if name in BY_SIZE else find(name).title
        assert isinstance(made, Splitter)
        yield title, partial(tuned, made, validation)


def split_by(model: Model, options: Mapping[str, Any], setting: str) -> Made:
    return lambda texts: [[s.begin for s in found.sections] for found in model.segment_all(texts, **options)], setting


def tuned(splitter: Splitter, validation: Sequence[Document]) -> Made:
    """Return the splitter with the setting that has the lowest Pk on the validation documents."""
    embed = vectors_of(Material.of(), Task(language="en"), Path())

    def error(value: Any) -> float:
        split = splitter.splitting(value, embed)
        return pk(validation, [split(document) for document in validation])

    value = min(splitter.grid, key=error)
    split = splitter.splitting(value, embed)
    setting = f"{splitter.parameter} {value} ({splitter.versions()})"
    return lambda texts: [split(Document(text, language="en")) for text in texts], setting


def pk(gold: Sequence[Document], begins: Sequence[Sequence[int]]) -> float:
    found = [with_sections(one, sentences_at(one, each)) for one, each in zip(gold, begins, strict=True)]
    return float(score(gold, found).to_dict()["pk"])


def row(make: Callable[[], Made], title: str, test: list[Document], base: list[float]) -> list[str]:
    try:
        split, setting = make()
        found, taken = timed(split, [document.text for document in test])
    except Exception as error:  # whatever a foreign library raises belongs into its row
        return [title, *[NOTHING] * 4, f"not run: {' '.join(str(error).split())[:120]}"]
    base.append(taken)
    sections = sum(len({0, *begins}) for begins in found) / len(found)
    figures = (f"{taken / base[0]:.2f}", f"{len(test) / taken:,.0f}", f"{pk(test, found):.1f}", f"{sections:.1f}")
    return [title, *figures, setting]


def timed(split: SplitAll, texts: Sequence[str]) -> tuple[list[Sequence[int]], float]:
    """Return what the splitter found and the mean time of its runs."""
    split(texts[:WARM_UP])
    runs: list[float] = []
    found: list[Sequence[int]] = []
    while len(runs) < REPEATS and sum(runs) < QUICK:
        found.clear()
        runs.append(seconds(lambda: found.extend(split(texts))))
    return found, sum(runs) / len(runs)
