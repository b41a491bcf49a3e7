"""Calls to sentencex, such that any text is safe and the time stays linear.

sentencex decides by the paragraph, and in time that grows with the square of a long paragraph's length. So it
is given lines as paragraphs, many in one call, and a line that is too long in windows. A window begins where
the last sentence of the one before began, so that every sentence of usual length is seen as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

from sentencex import segment

WINDOW = 4096
"""Longest line, in characters, that sentencex sees as a whole."""
PARAGRAPH = "\n\n"
"""What ends a paragraph for sentencex, which gives it back as a piece of its own or leaves it out."""
LINE_BREAKS = "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""What ends a line besides ``\\n``: the same as for ``str.splitlines``."""
WIDE_SPACES = "\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
"""White space of several bytes, at which sentencex 1.0 fails."""
SURROGATES = re.compile("[\ud800-\udfff]")
RUST_PANIC = "PanicException"
"""What a failure inside of sentencex is called; its class cannot be imported."""


def normalize(text: str) -> str:
    """Give a text of the same length whose only line break is ``\\n`` and that has no wide space."""
    for line_break in LINE_BREAKS:
        text = text.replace(line_break, "\n")
    if not text.isascii():
        for space in WIDE_SPACES:
            text = text.replace(space, " ")
    return text


def line_cuts(lines: Sequence[str], language: str) -> Iterator[list[int]]:
    """Give, for each line, the offsets inside it at which sentencex begins a new sentence.

    The lines are those of a normalized text; none may be empty.
    """
    batch: list[str] = []
    for line in lines:
        if len(line) <= WINDOW:
            batch.append(line)
            continue
        yield from _batch_cuts(batch, language)
        batch = []
        yield list(_window_cuts(line, language))
    yield from _batch_cuts(batch, language)


def _batch_cuts(lines: Sequence[str], language: str) -> Iterator[list[int]]:
    pieces = _lengths(PARAGRAPH.join(lines), language)
    if sum(pieces) != sum(map(len, lines)):
        yield from _single_cuts(lines, language)
        return
    lengths = iter(pieces)
    for line in lines:
        cuts = [next(lengths)]
        while cuts[-1] < len(line):
            cuts.append(cuts[-1] + next(lengths))
        yield cuts[:-1]


def _single_cuts(lines: Sequence[str], language: str) -> Iterator[list[int]]:
    """Give the cuts of lines that failed together: none for the one that sentencex cannot read."""
    for line in lines:
        pieces = _lengths(line, language)
        yield list(accumulate(pieces[:-1])) if sum(pieces) == len(line) else []


def _window_cuts(line: str, language: str) -> Iterator[int]:
    begin = 0
    while begin < len(line):
        window = line[begin : begin + WINDOW]
        cuts = list(accumulate(_lengths(window, language)[:-1]))
        yield from (begin + cut for cut in cuts)
        at_end = begin + len(window) == len(line)
        begin += len(window) if at_end else _next_window(window, cuts)


def _next_window(window: str, cuts: list[int]) -> int:
    """Where the next window begins: at the last sentence, or at a space where that sentence is too long."""
    if cuts and cuts[-1] > WINDOW // 2:
        return cuts[-1]
    space = window.rfind(" ", WINDOW // 2)
    return space + 1 if space >= 0 else len(window)


def _lengths(text: str, language: str) -> list[int]:
    """Give the lengths of the pieces that sentencex finds, less ends of paragraphs; none where it fails."""
    try:
        pieces: list[str] = segment(language, text)
    except UnicodeEncodeError:
        pieces = segment(language, SURROGATES.sub("\ufffd", text))
    except BaseException as error:
        if type(error).__name__ != RUST_PANIC:
            raise
        return []
    return [len(piece) for piece in pieces if piece != PARAGRAPH]
