"""Where sections may and must begin: an author's structure as a constraint on every segmentation.

A heading begins a section and never ends one. Lists, code and tables are not cut inside, paragraphs and speaker turns
only if they are very long.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from sector.arrays import Bools1d
from sector.errors import ConfigError
from sector.structure.blocks import Block
from sector.structure.flow import Flow
from sector.structure.outline import Entry, outline
from sector.text.sentences import SentenceSpans
from sector.visible import brief

HEADINGS = ("use", "only", "ignore")
"""How the author's headings are used."""
LONG_SECTION = 3000
"""Characters of an author's section above which a model may divide it."""
LONG_BLOCK = 3000
"""Characters of a paragraph or a turn above which a section may begin at a sentence inside it."""


@dataclass(frozen=True, slots=True, eq=False)
class Constraints:
    """What the structure says about each sentence."""

    candidates: Bools1d
    """bool [sentences]: whether a section may begin with it."""
    forced: Bools1d
    """bool [sentences]: whether a section must begin with it."""
    read: Bools1d
    """bool [sentences]: whether a model reads it."""
    entries: tuple[Entry, ...]
    """The author's sections, as far as they are used."""


def check_headings(headings: str) -> None:
    """Raise ConfigError for a way to use headings that there is not."""
    if not isinstance(headings, str) or headings not in HEADINGS:
        raise ConfigError(f"'headings' is {brief(headings)}; choose one of: {', '.join(HEADINGS)}.")


def constrain(blocks: Sequence[Block], sentences: Flow, headings: str = "use") -> Constraints:
    """Return the constraints for ``headings``: "use", "only" or "ignore"."""
    check_headings(headings)
    entries = tuple(outline(blocks)) if headings != "ignore" else ()
    may = _block_candidates(blocks)
    if headings == "only":
        may[:] = False
    elif entries:
        _keep_short_whole(blocks, entries, may)
    must = np.zeros(len(blocks), np.bool_)
    must[[entry.block for entry in entries]] = True
    candidates = sentences.is_first & may[sentences.blocks]
    if headings != "only":
        candidates |= ~sentences.is_first & _is_long(blocks)[sentences.blocks]
    forced = sentences.is_first & must[sentences.blocks]
    read = np.array([bool(text) for text in sentences.texts], np.bool_)
    if headings == "ignore":
        read &= ~np.array([block.kind == "heading" for block in blocks], np.bool_)[sentences.blocks]
    return Constraints(candidates | forced, forced, read, entries)


def paragraph_candidates(spans: SentenceSpans) -> Bools1d | None:
    """Return bool [sentences], where sections may begin in a text without blocks; None in one of a single paragraph.

    They begin with paragraphs, and at sentences inside of very long ones.
    """
    starts = np.concatenate([np.ones(min(1, len(spans)), np.bool_), spans.paragraph_end[:-1]])
    first = np.flatnonzero(starts)
    if len(first) < 2:
        return None
    last = np.append(first[1:], len(spans)) - 1
    is_long = spans.end[last] - spans.begin[first] > LONG_BLOCK
    return np.asarray(starts | np.repeat(is_long, np.diff(first, append=len(spans))))


def _block_candidates(blocks: Sequence[Block]) -> Bools1d:
    """Return with which blocks a section may begin, whatever the headings say."""
    found = np.zeros(len(blocks), np.bool_)
    before: Block | None = None
    in_list = False
    small = _writes_small(blocks)
    for number, block in enumerate(blocks):
        found[number] = _may_begin(block, before, in_list) and (small or number == 0 or not _goes_on(block))
        if block.is_prose:
            in_list = block.kind == "list_item"
        before = block if block.kind != "boilerplate" else before
    return found


def _may_begin(block: Block, before: Block | None, in_list: bool) -> bool:
    if before is None or not block.is_prose:
        return before is None
    if before.kind == "heading":
        return False
    if block.kind == "list_item":
        return not in_list and block.level <= 1 and not before.content.rstrip().endswith(":")
    if block.kind == "quote":
        return before.kind != "quote"
    return not (block.kind == "paragraph" and block.level)


def _goes_on(block: Block) -> bool:
    """Whether a paragraph seems to go on with a sentence that code, a table or a list interrupted."""
    return block.kind == "paragraph" and block.content.lstrip()[:1].islower()


def _writes_small(blocks: Sequence[Block]) -> bool:
    """Whether the author seldom writes capitals, so that a lower-case letter says nothing."""
    firsts = [block.content.lstrip()[:1] for block in blocks if block.kind == "paragraph"]
    return sum(map(str.islower, firsts)) > sum(map(str.isupper, firsts))


def _keep_short_whole(blocks: Sequence[Block], entries: Sequence[Entry], may: Bools1d) -> None:
    """Leave only long sections of the author's to be divided."""
    for first, last in pairwise([0, *(entry.block for entry in entries), len(blocks)]):
        if first < last and blocks[last - 1].end - blocks[first].begin <= LONG_SECTION:
            may[first:last] = False


def _is_long(blocks: Sequence[Block]) -> Bools1d:
    kinds = ("paragraph", "turn", "quote")
    long = [block.kind in kinds and not block.level and block.end - block.begin > LONG_BLOCK for block in blocks]
    return np.array(long, np.bool_)
