"""What the text formats show of a section: its first words on one line, and how many sentences it has."""

from __future__ import annotations

import unicodedata

import numpy as np

from sector.document import Document, Section

LOOK = 4
"""How many characters are read for each one that is shown: enough, however much white space there is."""


def first_words(section: Section, length: int) -> str:
    """Return the beginning of the text on one line without control characters, cut after ``length`` characters."""
    begin = section.text[: LOOK * length].split()
    line = "".join(_visible(letter) for letter in " ".join(begin))
    return line if len(line) <= length else f"{line[: length - 1].rstrip()}…"


def sentence_counts(document: Document) -> list[int]:
    """Return for each section how many sentences begin in it."""
    edges = [section.begin for section in document.sections] + [len(document.text)]
    counts: list[int] = np.diff(np.searchsorted(document.spans.begin, edges)).tolist()
    return counts


def _visible(letter: str) -> str:
    return "�" if unicodedata.category(letter) in ("Cc", "Cs") else letter
