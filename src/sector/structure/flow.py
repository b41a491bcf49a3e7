"""From blocks to sentences: the prose is split as it is read, and every sentence knows its place in the text.

The contents of all blocks of prose are put together, one below the other, and split into sentences; each position of
that text is mapped back through the runs it came from. Code, tables and boilerplate are one unit each.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sector.arrays import Bools1d, Ints1d
from sector.structure.blocks import Block
from sector.text.sentences import SentenceSpans, split_sentences

BLANK_LINE = re.compile(r"\n[ \t\r]*\n")


@dataclass(frozen=True, slots=True, eq=False)
class Flow:
    """The sentences of a document with blocks, in order."""

    spans: SentenceSpans
    texts: list[str]
    """What is read of each; empty for a unit that is no prose."""
    blocks: Ints1d
    """int64 [sentences]: the block that each belongs to."""
    is_first: Bools1d
    """bool [sentences]: whether it is the first one of its block."""


def flow(text: str, blocks: Sequence[Block], language: str = "") -> Flow:
    """Return the sentences of a text whose blocks are given, in order, not overlapping.

    A sentence never reaches over the end of its block; the first begins where the block does, the last ends there.
    """
    joined = _Joined.of(text, blocks)
    read = split_sentences(joined.text, language)
    block = joined.block_at(read.begin)
    begin, end = joined.origin(read.begin), joined.origin(read.end - 1, after=True)
    units = np.setdiff1d(np.arange(len(blocks)), block)
    units = units[[blocks[unit].begin < blocks[unit].end for unit in units]]
    first, last = _edges(block)
    begin[first] = [blocks[i].begin for i in block[first]]
    end[last] = [blocks[i].end for i in block[last]]
    _close_gaps(text, begin, end, first)
    texts = [" ".join(joined.text[i:j].split()) for i, j in zip(read.begin.tolist(), read.end.tolist(), strict=True)]
    return _merged(blocks, units, block, begin, end, texts)


def _merged(
    blocks: Sequence[Block], units: Ints1d, block: Ints1d, begin: Ints1d, end: Ints1d, texts: list[str]
) -> Flow:
    """Put the units that are no prose between the sentences."""
    owner = np.concatenate([block, units])
    order = np.argsort(owner, kind="stable")
    owner = owner[order]
    begins = np.concatenate([begin, np.array([blocks[unit].begin for unit in units], np.int64)])[order]
    ends = np.concatenate([end, np.array([blocks[unit].end for unit in units], np.int64)])[order]
    both = texts + [""] * len(units)
    first, last = _edges(owner)
    return Flow(SentenceSpans(begins, ends, last), [both[i] for i in order.tolist()], owner, first)


def _edges(owner: Ints1d) -> tuple[Bools1d, Bools1d]:
    """Return which sentences are the first and the last of their blocks."""
    changes = owner[1:] != owner[:-1]
    edge = np.ones(min(1, len(owner)), np.bool_)
    return np.concatenate([edge, changes]), np.concatenate([changes, edge])


def _close_gaps(text: str, begin: Ints1d, end: Ints1d, first: Bools1d) -> None:
    """Give markup between two sentences of a block to the one that it touches."""
    for i in np.flatnonzero(~first).tolist():
        low, high = int(end[i - 1]), int(begin[i])
        gap = text[low:high]
        if not gap or gap.isspace():
            continue
        if blank := BLANK_LINE.search(gap):  # e.g. between two subtitles: what stands below it belongs to the next
            end[i - 1] = low + len(gap[: blank.start()].rstrip())
            begin[i] = high - len(gap[blank.end() :].lstrip())
            continue
        words = gap.split()
        if len(words) == 1 and gap.strip() == gap:
            end[i - 1] = high
            continue
        begin[i] = low + len(gap) - (0 if gap[-1].isspace() else len(words[-1]))
        end[i - 1] = low + (0 if gap[0].isspace() else len(words[0]))


@dataclass(frozen=True, slots=True, eq=False)
class _Joined:
    """The contents of all blocks of prose, each on lines of its own, and where its pieces come from."""

    text: str
    starts: Ints1d
    """Where each piece begins here,"""
    begins: Ints1d
    ends: Ints1d
    """its span in the document's text,"""
    is_same: Bools1d
    """and whether it is the same there, so that positions inside it can be told."""
    block_starts: Ints1d
    block_numbers: Ints1d

    @classmethod
    def of(cls, text: str, blocks: Sequence[Block]) -> _Joined:
        pieces: list[str] = []
        rows: list[tuple[int, int, int, bool]] = []
        starts: list[tuple[int, int]] = []
        length = 0
        for number, block in enumerate(blocks):
            if not block.is_prose:
                continue
            starts.append((length, number))
            for begin, end, instead in block.runs if block.runs is not None else ((block.begin, block.end, None),):
                piece = text[begin:end] if instead is None else instead
                rows.append((length, begin, end, instead is None))
                pieces.append(piece)
                length += len(piece)
            pieces.append("\n")
            length += 1
        table = np.array(rows, np.int64).reshape(-1, 4).T
        places = np.array(starts, np.int64).reshape(-1, 2).T
        return cls("".join(pieces), table[0], table[1], table[2], table[3].astype(np.bool_), places[0], places[1])

    def block_at(self, positions: Ints1d) -> Ints1d:
        """Return the number of the block that each position is in."""
        return self.block_numbers[np.searchsorted(self.block_starts, positions, side="right") - 1]

    def origin(self, positions: Ints1d, *, after: bool = False) -> Ints1d:
        """Return where the characters stand in the document's text; ``after``: where they end."""
        piece = np.searchsorted(self.starts, positions, side="right") - 1
        inside = self.begins[piece] + (positions - self.starts[piece]) + after
        outside = self.ends[piece] if after else self.begins[piece]
        return np.where(self.is_same[piece], inside, outside)
