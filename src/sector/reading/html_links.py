"""Lists and lines of nothing but links, such as a page's table of contents: navigation.

They are not if the page is little else.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from sector.structure.blocks import Block

LINK = re.compile(r"<a\b[^<>]*\bhref\b[^<>]*>(?:[^<]|<(?!/a\s*>)){0,2000}</a\s*>", re.IGNORECASE)
TAG = re.compile(r"<[^<>]*>")
WAYS = re.compile(
    r"\b(?:next|prev(?:ious)?|up|top|home|back|contents|index|weiter|zurück|nach oben|inhalt)\b", re.IGNORECASE
)
"""What stands beside the links to other pages."""
FEWEST = 5
"""Items or lines that follow one another; fewer links may be what an author recommends."""
LEAST_PROSE = 1.0
"""Times as much other text as text of links has a page that is not made for its links."""


def without_link_lists(blocks: Sequence[Block], *, is_whole: bool) -> tuple[Block, ...]:
    """Return the blocks of a page with its lists of links as boilerplate."""
    links = {place for run in _runs(blocks) if len(run) >= FEWEST for place in run}
    links |= {place for place, block in enumerate(blocks) if _is_way(block)}
    linked = sum(len(blocks[place].content) for place in links)
    prose = sum(len(block.content) for block in blocks if block.is_prose) - linked
    if not links or (is_whole and prose < LEAST_PROSE * linked):
        return tuple(blocks)
    return tuple(_navigation(block) if place in links else block for place, block in enumerate(blocks))


def _runs(blocks: Sequence[Block]) -> Iterator[list[int]]:
    """Return the positions of neighbouring items that are links."""
    for is_link, run in groupby(range(len(blocks)), key=lambda place: _is_link(blocks[place])):
        if is_link:
            yield list(run)


def _is_link(block: Block) -> bool:
    if block.kind not in ("list_item", "paragraph") or "<a" not in block.text.lower():
        return False
    return not any(map(str.isalpha, TAG.sub("", LINK.sub("", block.text))))


def _is_way(block: Block) -> bool:
    """Whether a paragraph holds several links, to the pages around this one, and nothing else."""
    if block.kind != "paragraph" or len(LINK.findall(block.text)) < 2:
        return False
    rest = TAG.sub("", LINK.sub("", html.unescape(block.text)))
    return not any(map(str.isalpha, WAYS.sub("", rest)))


def _navigation(block: Block) -> Block:
    return replace(block, kind="boilerplate", level=0, runs=None)
