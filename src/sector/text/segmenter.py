"""Calls to sentencex, such that any text is safe and the time stays linear.

sentencex decides by the paragraph, and in time that grows with the square of a long paragraph's length. So it
is given lines as paragraphs, many in one call, and a line that is too long in windows. A window begins where
the last sentence of the one before began, so that every sentence of usual length is seen as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

import numpy as np

from sector.arrays import Ints1d

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
    """Return a text of the same length whose only line break is ``\\n`` and that has no wide space."""
    for line_break in LINE_BREAKS:
        text = text.replace(line_break, "\n")
    if not text.isascii():
        for space in WIDE_SPACES:
            text = text.replace(space, " ")
    return text


def sentence_starts(lines: Sequence[str], begins: Ints1d, language: str) -> Ints1d:
    """Return the offsets in the text at which sentencex begins a sentence, the begins of the lines included.

    The lines are those of a normalized text; none may be empty.
    """
    parts: list[Ints1d] = []
    batch = 0
    for index in [index for index, line in enumerate(lines) if len(line) > WINDOW]:
        parts.append(_batch_starts(lines[batch:index], begins[batch:index], language))
        parts.append(np.array(list(_window_starts(lines[index], language)), dtype=np.int64) + begins[index])
        batch = index + 1
    parts.append(_batch_starts(lines[batch:], begins[batch:], language))
    return np.concatenate(parts)


def _batch_starts(lines: Sequence[str], begins: Ints1d, language: str) -> Ints1d:
    pieces = np.array(_lengths(PARAGRAPH.join(lines), language), dtype=np.int64)
    lengths = np.fromiter(map(len, lines), dtype=np.int64, count=len(lines))
    if pieces.sum() != lengths.sum():
        return _single_starts(lines, begins, language)
    starts = np.cumsum(pieces) - pieces
    line_starts = np.cumsum(lengths) - lengths
    line = np.searchsorted(line_starts, starts, side="right") - 1
    shifted: Ints1d = (begins - line_starts)[line] + starts
    return shifted


def _single_starts(lines: Sequence[str], begins: Ints1d, language: str) -> Ints1d:
    """Return the starts of lines that failed together: one for the line that sentencex cannot read."""
    if len(lines) == 1:
        return begins
    parts = [_batch_starts(lines[i : i + 1], begins[i : i + 1], language) for i in range(len(lines))]
    return np.concatenate(parts)


def _window_starts(line: str, language: str) -> Iterator[int]:
    yield 0
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


def segment(language: str, text: str) -> list[str]:
    """Call sentencex; it is imported here, so that training runs where it is not installed."""
    import sentencex

    pieces: list[str] = sentencex.segment(language, text)
    return pieces


def _lengths(text: str, language: str) -> list[int]:
    """Return the lengths of the pieces that sentencex finds, less ends of paragraphs; none where it fails."""
    try:
        pieces = segment(language, text)
    except UnicodeEncodeError:
        pieces = segment(language, SURROGATES.sub("\ufffd", text))
    except BaseException as error:
        if type(error).__name__ != RUST_PANIC:
            raise
        return []
    return [len(piece) for piece in pieces if piece != PARAGRAPH]
