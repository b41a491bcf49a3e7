"""Boxes of signs around lines, ``* like this *`` between two rules: what stands in them is read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from sector.reading.lines import Line, make_line

RULE = re.compile(r"([*#|])\1{9,}$")
INNER = re.compile(r"([*#|])(?:[ \t].*[ \t])?\1$")
FEWEST = 3


def unboxed(lines: Sequence[Line]) -> list[Line]:
    """Return the lines with those of boxes as if the box were not there."""
    if not any(RULE.match(line.text) for line in lines):
        return list(lines)
    return [found for is_blank, run in groupby(lines, key=lambda line: not line) for found in _run(is_blank, list(run))]


def _run(is_blank: bool, run: list[Line]) -> Iterator[Line]:
    boxed = not is_blank and len(run) >= FEWEST and all(map(_is_side, (run[0], run[-1]))) and all(map(_is_of_box, run))
    return map(_inner, run) if boxed else iter(run)


def _is_side(line: Line) -> bool:
    return RULE.match(line.text) is not None


def _is_of_box(line: Line) -> bool:
    return _is_side(line) or INNER.match(line.text) is not None


def _inner(line: Line) -> Line:
    raw = "" if _is_side(line) else line.text[1:-1]
    return make_line(raw, line.first + 1, line.breaks_page)
