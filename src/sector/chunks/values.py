"""How good a place each unit is for a chunk to begin with: what the model learned, and what the layout says.

All values are log-odds: 0 is as good as not, a chunk gains what the values of its begin are above it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Bools1d, Ints1d
from sector.document import Document
from sector.segmentation import Decoded, Reading

Values = NDArray[np.float64]
SHIFT = 1.1
"""Added to learned log-odds, as "joint" does."""
MOST = 5.0
"""Learned log-odds beyond it are as sure."""
FOUND, NOT_FOUND = 2.0, -2.0
"""Without learned log-odds: where the model's segmentation begins a section, and elsewhere."""
MAIN = 2.0
"""Added where the learned log-odds of a main boundary are positive."""
HEADING, MAIN_HEADING = 6.0, 12.0
"""Where the author's heading stands, and a heading of the main level."""
INSIDE_PARAGRAPH = -2.0
UNREAD = -3.0
"""Code, tables and what else no model reads: they belong to the text before them."""
IN_LIST = -1.5
AFTER_COLON = -3.0
AFTER_HEADING = -1000.0
"""A heading is left behind only where it does not fit with the sentence below it."""
INSIDE_UNIT = -20.0
"""Inside a sentence, a table or code: only where one alone is too long."""


def values_of(document: Document, read: Bools1d, reading: Reading, found: Decoded) -> Values:
    """Return float64 [sentences], how good a begin each of the document's sentences and other units is.

    ``read`` says which of them the rows of the reading are.
    """
    values = np.full(len(document), UNREAD)
    values[read] = _learned(reading, found)
    values[~_paragraph_starts(document)] += INSIDE_PARAGRAPH
    if document.blocks:
        _add_layout(values, document)
    return values


def _learned(reading: Reading, found: Decoded) -> Values:
    begins = np.zeros(len(reading), np.bool_)
    begins[found.starts] = True
    if reading.boundary is None:
        return np.where(begins, FOUND, NOT_FOUND)
    odds = reading.boundary.astype(np.float64) + SHIFT
    values: Values = np.clip(odds.max(axis=1), -MOST, MOST)
    values[begins] = np.maximum(values[begins], 0.0)
    return values + MAIN * (odds[:, 0] > 0)


def _paragraph_starts(document: Document) -> Bools1d:
    ends = document.spans.paragraph_end
    return np.concatenate([np.ones(1, np.bool_), ends[:-1]])[: len(ends)]


def _add_layout(values: Values, document: Document) -> None:
    """Move values where the blocks say more: headings, lists, what follows them."""
    owners, firsts = document.flow.blocks, document.flow.is_first
    kinds = [block.kind for block in document.blocks]
    before = [""] + [block.kind for block in document.blocks[:-1]]
    after_colon = np.array([False] + [b.content.rstrip().endswith(":") for b in document.blocks[:-1]], np.bool_)
    in_list = np.array([kind == last == "list_item" for kind, last in zip(kinds, before, strict=True)], np.bool_)
    values[firsts & in_list[owners]] += IN_LIST
    values[firsts & after_colon[owners]] += AFTER_COLON
    for unit, value in _headings(document, owners, firsts):
        values[unit] = value
    glued = np.array([kind == "heading" for kind in before], np.bool_)
    values[firsts & glued[owners]] = AFTER_HEADING


def _headings(document: Document, owners: Ints1d, firsts: Bools1d) -> list[tuple[int, float]]:
    """Return the units that the author's sections begin with, and their values."""
    entries = document.constraints.entries if document.constraints else ()
    levels = [entry.level for entry in entries]
    main = min((level for level in levels if levels.count(level) > 1), default=min(levels, default=1))
    units = {int(owners[unit]): unit for unit in np.flatnonzero(firsts).tolist()}
    worth = ((entry.block, MAIN_HEADING if entry.level <= main else HEADING) for entry in entries)
    return [(units[block], value) for block, value in worth if block in units]
