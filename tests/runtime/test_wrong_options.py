"""Whatever is given for an option: an answer, or an error of ours that says what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

import sector
from sector import Document, Section, SectorError, datasets, evaluation
from sector.runtime import Model
from tiny import HELD_OUT

VALUES: list[Any] = [True, -1, 0, 1, 1.5, float("nan"), float("inf"), 10**30, 1e300, "x", "\0", "", b"x", [], {}, [1]]
VALUES += [np.int64(3), np.float32(0.5), object(), 10**5000, -(10**5000), "x" * 5000, "\ud800", ["x"], {"x": 1}]
VALUES += [{1: "x"}, None, int, np.array([1, 2]), 1j, ..., Path("nowhere"), Document("A. B."), [None], [("x",)], set()]
Use = Callable[[Model, Any], object]
SEGMENTED = ["segmentation", "granularity", "sections", "max_chars", "min_chars", "headings", "labels"]
SEGMENTED += ["examples", "merge"]
GOLD = [Document(HELD_OUT, sections=(Section(0, len(HELD_OUT), "climate"),))]


def segmented(name: str, **others: Any) -> Use:
    return lambda model, value: model.segment(HELD_OUT, **{name: value}, **others)


def chunked(name: str) -> Use:
    return lambda model, value: model.chunk(HELD_OUT, **{name: value})


def evaluated(name: str) -> Use:
    return lambda model, value: evaluation.evaluate(**{"model": model, "documents": GOLD, name: value})


def searched(name: str) -> Use:
    def search(model: Model, value: Any) -> object:
        with TemporaryDirectory() as folder, sector.Index(Path(folder) / "i.db", model) as index:
            return index.search(**{"query": "snow", name: value})

    return search


def indexed(name: str) -> Use:
    def make(model: Model, value: Any) -> None:
        with TemporaryDirectory() as folder:
            sector.Index(**{"place": Path(folder) / "i.db", "model": model, name: value}).close()

    return make


def on_index(work: Callable[[sector.Index, Any], object]) -> Use:
    def act(model: Model, value: Any) -> object:
        with TemporaryDirectory() as folder, sector.Index(Path(folder) / "i.db", model) as index:
            return work(index, value)

    return act


USES: dict[str, Use] = {
    **{name: segmented(name) for name in SEGMENTED},
    "granularity of changepoint": segmented("granularity", segmentation="changepoint"),
    **{f"{name} of chunks": chunked(name) for name in ("max_tokens", "overlap", "fill", "headings")},
    "batch size": lambda model, value: list(model.segment_all([HELD_OUT], batch_size=value)),
    "text": lambda model, value: model.segment(value),
    "texts": lambda model, value: list(model.segment_all(value)),
    "texts of chunks": lambda model, value: list(model.chunk_all(value)),
    "documents": lambda model, value: model.read(value),
    "reading": lambda model, value: model.decode(Document(HELD_OUT), value),
    "document": lambda model, value: model.decode(value, model.read([Document(HELD_OUT)])[0]),
    "model": lambda model, value: sector.load(value) if value is not None else None,
    "file": lambda model, value: sector.read(value),
    "format": lambda model, value: sector.read(b"text", value),
    "encoding": lambda model, value: sector.read(b"text", encoding=value),
    "line": lambda model, value: Document.from_json(value),
    "record": lambda model, value: Document.from_dict(value),
    "scores": lambda model, value: model.segment(HELD_OUT).to_json(value),
    "window": lambda model, value: evaluation.pk([1, 1, 2], [1, 2, 2], value),
    "window of WindowDiff": lambda model, value: evaluation.window_diff([1, 1, 2], [1, 2, 2], value),
    "reference": lambda model, value: evaluation.pk(value, [1, 2, 2]),
    "references": lambda model, value: evaluation.window_size(value),
    "predicted": lambda model, value: evaluation.score(GOLD, value),
    **{f"{name} evaluated": evaluated(name) for name in ("model", "documents", "protocol", "task", "bootstrap")},
    "data set": lambda model, value: datasets.load(value),
    "described": lambda model, value: datasets.describe(value),
    **{f"{name} of an index": indexed(name) for name in ("place", "model", "max_tokens", "headings", "tokenizer")},
    **{f"{name} of a search": searched(name) for name in ("query", "limit", "labels", "mode")},
    "added": on_index(lambda index, value: index.add(value)),
    "removed": on_index(lambda index, value: index.remove(value)),
    "kept": on_index(lambda index, value: index.prune(value)),
}


@pytest.mark.parametrize("use", USES)
def test_any_value(use: str, tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    model = sector.load(tiny_model)
    for value in VALUES:
        with suppress(SectorError):
            USES[use](model, value)
