"""Whatever is given for an option: an answer, or an error of ours that says what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sector
from sector import Document, SectorError
from sector.runtime import Model
from tiny import HELD_OUT

VALUES: list[Any] = [True, -1, 0, 1, 1.5, float("nan"), float("inf"), 10**30, 1e300, "x", "\0", "", b"x", [], {}, [1]]
VALUES += [np.int64(3), np.float32(0.5), object()]
Use = Callable[[Model, Any], object]
SEGMENTED = ("segmentation", "granularity", "sections", "max_chars", "min_chars", "headings", "labels")


def segmented(name: str, **others: Any) -> Use:
    return lambda model, value: model.segment(HELD_OUT, **{name: value}, **others)


def chunked(name: str) -> Use:
    return lambda model, value: model.chunk(HELD_OUT, **{name: value})


USES: dict[str, Use] = {
    **{name: segmented(name) for name in SEGMENTED},
    "granularity of changepoint": segmented("granularity", segmentation="changepoint"),
    **{f"{name} of chunks": chunked(name) for name in ("max_tokens", "overlap", "fill")},
    "batch size": lambda model, value: list(model.segment_all([HELD_OUT], batch_size=value)),
    "text": lambda model, value: model.segment(value),
    "file": lambda model, value: sector.read(value),
    "format": lambda model, value: sector.read(b"text", value),
    "encoding": lambda model, value: sector.read(b"text", encoding=value),
    "line": lambda model, value: Document.from_json(value),
    "record": lambda model, value: Document.from_dict(value),
}


@pytest.mark.parametrize("use", USES)
def test_any_value(use: str, tiny_model: Path) -> None:
    model = sector.load(tiny_model)
    for value in VALUES:
        with suppress(SectorError):
            USES[use](model, value)
