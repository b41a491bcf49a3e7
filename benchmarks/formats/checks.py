"""What is counted in a segmented file: sections, headings that begin one, and cuts where there should be none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from formats.others import Span
from sector.document import Document
from sector.structure.blocks import Block

ENDS = ".!?…:;。"
CLOSING = "\"'”’»)]*_>"


def counts(document: Document, units: Sequence[Span]) -> Counter[str]:
    """Return the figures of one segmented document; ``units``: code and tables as another parser sees them."""
    begins = [section.begin for section in document.sections][1:]
    blocks = document.blocks
    unread = [block for block in blocks if block.kind in ("code", "table")]
    items = [(block.begin, block.end) for block in blocks if block.kind == "list_item"]
    return Counter(
        sections=len(document.sections),
        headings=sum(block.kind == "heading" for block in blocks),
        begun=len(begun(document)),
        left=sum(_ends_with_heading(blocks, begins)),
        sentences=inside(begins, [(sentence.begin, sentence.end) for sentence in document.sentences]),
        units=inside(begins, [(block.begin, block.end) for block in unread]) + inside(begins, units),
        items=inside(begins, items),
        small=sum(1 for _ in small_letters(blocks, begins)),
    )


def begun(document: Document) -> list[Block]:
    """Return the headings that begin a section, or follow the one that does without any text between them."""
    begins = {section.begin for section in document.sections}
    begins |= {block.begin for block in document.blocks[:1]}  # white space may stand before it
    found: list[Block] = []
    before: Block | None = None
    for block in document.blocks:
        if block.kind == "heading" and (block.begin in begins or before in found[-1:]):
            found.append(block)
        before = block
    return found


def inside(begins: Iterable[int], spans: Iterable[Span]) -> int:
    """Return how many places lie inside of spans, and not at the edges."""
    edges = np.array(sorted(spans), np.int64).reshape(-1, 2)
    places = np.array(list(begins), np.int64)
    at = np.searchsorted(edges[:, 0], places, side="left") - 1
    known = at >= 0
    return int((edges[at[known], 1] > places[known]).sum())


def _ends_with_heading(blocks: Sequence[Block], begins: Sequence[int]) -> Iterator[bool]:
    wanted = set(begins)
    for before, block in pairwise(blocks):
        yield block.begin in wanted and before.kind == "heading"


def small_letters(blocks: Sequence[Block], begins: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Return both sides of the cuts that look as if they were inside a sentence: no end of one, then a small letter."""
    wanted = set(begins)
    prose = [block for block in blocks if block.is_prose]
    for before, block in pairwise(prose):
        left, right = before.content.strip(), block.content.strip()
        is_cut = block.begin in wanted and "heading" not in (block.kind, before.kind)
        if is_cut and right[:1].islower() and left.rstrip(CLOSING)[-1:] not in ENDS:
            yield left[-60:], right[:60]
