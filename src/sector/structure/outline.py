"""The outline: which blocks begin the author's sections, and the path of headings that each has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sector.structure.blocks import Block
from sector.text.headings import PATH

CONTENTS = re.compile(
    r"(?:table of )?contents|inhalt(?:sverzeichnis|sübersicht)?|table des matières|sommaire|índice|sumário|indice",
    re.IGNORECASE,
)
"""The heading of a table of contents, which no other heading stands below."""


class Entry(NamedTuple):
    """A section of the author's."""

    block: int
    """The block of its first heading."""
    path: str
    """Its heading below those of the sections it lies in: "Guide | Install | Linux"."""
    level: int


def outline(blocks: Sequence[Block]) -> list[Entry]:
    """Return the author's sections in order; none without headings.

    Headings that follow one another without any text between them begin one section, which has the path of the last.
    """
    above: list[tuple[int, str]] = []
    found: list[Entry] = []
    for number, block in _headings(blocks):
        above = [pair for pair in above if pair[0] < block.level and not CONTENTS.fullmatch(pair[1])]
        above.append((block.level, " ".join(block.content.split())))
        path = PATH.join(title for _, title in above if title)
        follows = number > 0 and blocks[number - 1].kind == "heading" and bool(found)
        first = found.pop().block if follows else number
        found.append(Entry(first, path, block.level))
    return found


def _headings(blocks: Sequence[Block]) -> Iterator[tuple[int, Block]]:
    return ((number, block) for number, block in enumerate(blocks) if block.kind == "heading")
