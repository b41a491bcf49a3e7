"""A section's first words on one line and its number of sentences, for the text formats."""

from __future__ import annotations

import numpy as np

from sector.document import Document, Section
from sector.visible import visible

LOOK = 4
"""Characters read per character shown, because white space is collapsed."""


def first_words(section: Section, length: int) -> str:
    """Return the beginning of the text on one line, without control characters, at most ``length`` characters."""
    begin = section.text[: LOOK * length].split()
    line = visible(" ".join(begin))
    return line if len(line) <= length else f"{line[: length - 1].rstrip()}…"


def sentence_counts(document: Document) -> list[int]:
    """Return the number of sentences that begin in each section."""
    edges = [section.begin for section in document.sections] + [len(document.text)]
    counts: list[int] = np.diff(np.searchsorted(document.spans.begin, edges)).tolist()
    return counts
