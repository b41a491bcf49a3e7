"""A section's first words on one line and its number of sentences, for the text formats."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np

from sector.document import Document, Section
from sector.visible import visible

FAMILIAR = 0.5
"""The least share of a section that is like what a model was trained on."""
LOOK = 4
"""Characters read per character shown, because white space is collapsed."""


def first_words(section: Section, length: int) -> str:
    """Return the beginning of the text on one line, without control characters, at most ``length`` characters."""
    begin = section.text[: LOOK * length].split()
    line = visible(" ".join(begin))
    return _cut(line, length)


def previews(document: Document, length: int) -> list[str]:
    """Return the first words of each section as they are read: without markup and, where it is known, the heading."""
    if not document.blocks:
        return [first_words(section, length) for section in document.sections]
    headings = {block.begin for block in document.blocks if block.kind == "heading"}
    begins, texts = document.spans.begin.tolist(), document.sentence_texts
    found = []
    for section in document.sections:
        number, words = bisect_left(begins, section.begin), ""
        while number < len(begins) and begins[number] < section.end and len(words) <= length:
            if begins[number] not in headings or not section.heading:
                words = f"{words} {texts[number]}".strip()
            number += 1
        found.append(_cut(visible(words), length) if words else first_words(section, length))
    return found


def author(section: Section) -> str:
    """Return the author's heading and the page, as far as there are any."""
    page = f"page {section.page}" if section.page is not None else ""
    return " · ".join(filter(None, (visible(" ".join(section.heading.split())), page)))


def is_unfamiliar(section: Section) -> bool:
    """Return whether the section is rather unlike what the model was trained on, as far as it can tell."""
    return section.in_domain is not None and section.in_domain < FAMILIAR


def sentence_counts(document: Document) -> list[int]:
    """Return the number of sentences that begin in each section."""
    edges = [section.begin for section in document.sections] + [len(document.text)]
    counts: list[int] = np.diff(np.searchsorted(document.spans.begin, edges)).tolist()
    return counts


def _cut(line: str, length: int) -> str:
    return line if len(line) <= length else f"{line[: length - 1].rstrip()}…"
