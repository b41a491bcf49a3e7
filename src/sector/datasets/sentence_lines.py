"""Documents whose sentences are given, one per line: what all line formats are put together with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from sector.document import Document, Section
from sector.errors import DataError
from sector.text import SentenceSpans


@dataclass
class GivenSection:
    """A section while its lines are gathered."""

    label: str = ""
    heading: str = ""
    sentences: list[str] = field(default_factory=list)


def assemble(sections: Iterable[GivenSection], id: str, place: str, title: str = "") -> Document:
    """Make a document of sections that follow one another; empty ones vanish.

    Each sentence is a line of the text, so a line break follows each.
    """
    filled = [section for section in sections if section.sentences]
    lines = [line for section in filled for line in section.sentences]
    if not lines:
        raise DataError("The document has no sentence; remove it.", file=place, record=id)
    text = "\n".join(lines) + "\n"
    edges = np.cumsum([0] + [len(line) + 1 for line in lines])
    spans = SentenceSpans(edges[:-1], edges[1:] - 1, np.ones(len(lines), dtype=np.bool_))
    return Document(text, id, title, sections=_spread(filled, edges.tolist(), text), given_spans=spans)


def _spread(sections: list[GivenSection], edges: list[int], text: str) -> tuple[Section, ...]:
    placed, at = [], 0
    for section in sections:
        after = at + len(section.sentences)
        span = Section(edges[at], edges[after], section.label, section.heading, source=text)
        placed.append(span)
        at = after
    return tuple(placed)
