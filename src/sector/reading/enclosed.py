"""Headings between equals signs, "== History ==" or "= = History = =": wikitext, DokuWiki, tokenized corpora."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sector.reading.lines import Line, make_line

ENCLOSED = re.compile(r"(=(?:[ \t]?=){0,5})[ \t]*([^=\s](?:[^=]*[^=\s])?)[ \t]*(=(?:[ \t]?=){0,5})$")


def enclosed_title(line: Line) -> tuple[int, Line] | None:
    """Return how many signs stand on both sides of a line's text, and that text; None for any other line."""
    match = ENCLOSED.match(line.text)
    if match is None or match[1].count("=") != match[3].count("="):
        return None
    return match[1].count("="), make_line(match[2], line.first + match.start(2))


def titles_apart(group: Sequence[Line]) -> Iterator[list[Line]]:
    """Return the parts of a paragraph of lines: enclosed titles, and what is between them."""
    part: list[Line] = []
    for line in group:
        if enclosed_title(line) is None:
            part.append(line)
            continue
        if part:
            yield part
        yield [line]
        part = []
    if part:
        yield part
