"""Headings that signs mark: "== History ==" (wikitext, tokenized corpora), "*** Notes ***", "** Bug fixes" (Emacs)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from sector.reading.lines import END, Line, make_line

ENCLOSED = re.compile(r"(=(?:[ \t]?=){0,5})[ \t]*([^=\s](?:[^=]*[^=\s])?)[ \t]*(=(?:[ \t]?=){0,5})$")
BETWEEN_STARS = re.compile(r"(\*{2,6})[ \t]*([^*\s](?:[^*]*[^*\s])?)[ \t]*\1$")
STARRED = re.compile(r"(\*{1,6})[ \t]+(\S.*)$")
FEWEST = 3
"""Lines that begin with stars has an outline,"""
MOST_LISTED = 0.5
"""of which at most this share stand one below the other, as in a list."""
MOST_MARKED = 0.7
"""Of the visible lines begin with stars in an outline; the others are its text."""
LONGEST = 100


class SignedTitles:
    """The headings of one text that signs mark."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._is_outline = _is_outline(lines)

    def title(self, line: Line) -> tuple[str, Line] | None:
        """Return the style of a heading and what is read of it; None for any other line."""
        match = ENCLOSED.match(line.text)
        if match is not None and match[1].count("=") == match[3].count("="):
            return f"enclosed {match[1].count('=')}", _inner(line, match)
        if match := BETWEEN_STARS.match(line.text):
            return f"between {match[1]}", _inner(line, match)
        if self._is_outline and (match := _starred(line)) and not END.search(line.text):
            return f"starred {len(match[1])}", _inner(line, match)
        return None

    def apart(self, group: Sequence[Line]) -> Iterator[list[Line]]:
        """Return the parts of a paragraph of lines: such titles, and what is between them."""
        part: list[Line] = []
        for line in group:
            if self.title(line) is None:
                part.append(line)
                continue
            if part:
                yield part
            yield [line]
            part = []
        if part:
            yield part


def _inner(line: Line, match: re.Match[str]) -> Line:
    return make_line(match[2], line.first + match.start(2))


def _starred(line: Line) -> re.Match[str] | None:
    short = line.indent == 0 and len(line.text) <= LONGEST
    return STARRED.match(line.text) if short and not BETWEEN_STARS.match(line.text) else None


def _is_outline(lines: Sequence[Line]) -> bool:
    """Whether lines with stars of several depths are headings, with text below them, and not items of a list."""
    depths = [len(match[1]) if (match := _starred(line)) else 0 for line in lines]
    marked = sum(map(bool, depths))
    if marked < FEWEST or max(depths) == 1 or marked > MOST_MARKED * sum(map(bool, lines)):
        return False
    return sum(0 < after <= depth for depth, after in pairwise(depths)) <= MOST_LISTED * marked
