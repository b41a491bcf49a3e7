"""Lines and lists of nothing but links in Markdown: ways to other pages, and a text's own table of contents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from sector.reading.html_links import WAYS
from sector.structure.blocks import Block

LINK = re.compile(
    r"\[(?:[^\[\]]|!\[[^\[\]]{0,500}\]){0,500}\]"
    r"\((?P<target>[^()\s]{0,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,200})?)(?:\s+\"[^\"\n]{0,500}\")?\)"
)
FEWEST = 3
"""Links of a list into its own text that are a table of contents."""


def without_ways(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Return the blocks with the ways to other places as boilerplate."""
    entries = {
        place
        for is_entry, run in groupby(range(len(blocks)), key=lambda place: _is_entry(blocks[place]))
        if is_entry and len(places := list(run)) >= FEWEST
        for place in places
    }
    return tuple(
        replace(block, kind="boilerplate", level=0, runs=None) if place in entries or _is_way(block) else block
        for place, block in enumerate(blocks)
    )


def _is_entry(block: Block) -> bool:
    if block.kind != "list_item" or "](#" not in block.text:
        return False
    links = list(LINK.finditer(block.text))
    return bool(links) and all(link["target"].startswith("#") for link in links) and not _rest(block)


def _is_way(block: Block) -> bool:
    return block.kind == "paragraph" and len(LINK.findall(block.text)) > 1 and not _rest(block)


def _rest(block: Block) -> bool:
    """Whether anything but links stands in a block."""
    return any(map(str.isalpha, WAYS.sub("", LINK.sub("", block.text))))
