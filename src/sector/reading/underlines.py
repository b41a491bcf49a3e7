"""Headings that a line of signs underlines: ``=====``, with another one above them or without."""

from __future__ import annotations

from collections.abc import Sequence

from sector.reading.lines import RULE, Line

LONGEST = 120
DEEPEST = 40
"""Columns before a title, at most."""


def underlined(group: Sequence[Line]) -> tuple[str, int]:
    """Return the style of the underlined heading that a paragraph begins with and where it stands; "" for none."""
    over = int(len(group) > 2 and RULE.match(group[0].text) is not None and RULE.match(group[2].text) is not None)
    for under in group[over + 1 : over + 2]:
        match = RULE.match(under.text)
        if match is not None and _marks_title(group[over], under):
            return f"underlined {'over ' * over}{match[1]}", over
    return "", over


def _marks_title(title: Line, under: Line) -> bool:
    """Whether a line of signs underlines a title."""
    short = len(title.text) <= LONGEST and not RULE.match(title.text)
    long_enough = len(under.text) >= min(len(title.text) - 2, 0.6 * len(title.text))
    return short and long_enough and title.indent <= DEEPEST
