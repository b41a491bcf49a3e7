"""Hard wrapping: which line breaks stand where a line was full, and how wrapped lines are read as one.

A text is wrapped if most of its line breaks stand where the next word would not have fitted, or before a lower-case
word, or seldom at a sentence's end. Where each paragraph is one line, every line break ends a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from sector.reading.lines import END, Line
from sector.structure.blocks import Run

WIDEST = 160
"""Columns above which a line is no wrapped one."""
NARROWEST = 30
RAGGED = 0.8
"""The share of the widest line that a full line reaches at least, with the word that did not fit."""
SHARE = 0.6
"""Of the line breaks must look like wrapping for a text to be wrapped."""
HYPHEN = re.compile(r"[^\W\d_]{2,}(?:-|\xad|\u2010)$")
WORD = re.compile(r"\S+")


def is_wrapped(groups: Sequence[Sequence[Line]]) -> bool:
    """Whether the lines of these paragraphs were broken at a right margin."""
    pairs = [pair for group in groups for pair in pairwise(group)]
    if not pairs:
        return False
    widths = sorted(line.width for line, _ in pairs)
    widest = widths[int(0.95 * (len(widths) - 1))]
    if not NARROWEST <= widest <= WIDEST:
        return False
    full = sum(is_full(line, after, widest) and not END.search(line.text) for line, after in pairs)
    inside = sum(after.text[0].islower() and not END.search(line.text) for line, after in pairs)
    ended = sum(END.search(line.text) is not None for line, _ in pairs)
    return max(full, inside) >= SHARE * (len(pairs) - ended) and ended <= SHARE * len(pairs)


def width_of(group: Sequence[Line], usual: int) -> int:
    """Return the width at which a paragraph was wrapped; short ones take the ``usual`` one."""
    own = max((line.width for line in group[:-1]), default=0)
    return own if len(group) > 3 or own > usual else usual


def is_full(line: Line, after: Line, width: int) -> bool:
    """Whether the first word of the next line would not have fitted, or hardly."""
    match = WORD.match(after.text)
    assert match is not None
    return line.width + 1 + len(match.group()) > max(RAGGED * width, width - 12)


def goes_on(line: Line, after: Line, width: int) -> bool:
    """Whether a sentence may go on across the break between two lines of one paragraph."""
    if line.text.endswith(("-", ",", "(", "/", "\u2014", "\u2013", "&", "\xad")):
        return True
    return after.text[0].islower() or is_full(line, after, width)


def joined_runs(lines: Sequence[Line], width: int | None) -> Iterator[Run]:
    """Return what is read of lines that were wrapped at ``width``; None: every break ends a sentence."""
    for line, after in pairwise(lines):
        yield from _visible(line)
        if width is None or not goes_on(line, after, width):
            yield Run(line.end, after.first, "\n")
        elif HYPHEN.search(line.text) and after.text[0].islower():
            yield Run(line.end, after.first, "")
        else:
            yield Run(line.end, after.first, " ")
    yield from _visible(lines[-1])


def _visible(line: Line) -> Iterator[Run]:
    yield Run(line.first, line.end)


def without_hyphens(text: str, runs: Sequence[Run]) -> tuple[Run, ...]:
    """Drop the hyphens that parted a word at a line's end."""
    kept: list[Run] = []
    for run in runs:
        if run.text == "" and kept and text[kept[-1].end - 1] in "-\xad\u2010":
            last = kept.pop()
            kept += [Run(last.begin, last.end - 1), Run(last.end - 1, run.end, "")]
        else:
            kept.append(run)
    return tuple(kept)
