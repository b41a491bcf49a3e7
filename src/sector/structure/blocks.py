"""Blocks: the parts that an author's layout divides a text into.

A block is a half-open character span of the document's text, markup included. What is read of it are its runs: the
span without markup, with a wrapped line's break as a space and a word that was hyphenated at a line's end as one word.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["heading", "paragraph", "list_item", "code", "table", "quote", "boilerplate", "turn"]
PROSE: frozenset[Kind] = frozenset({"heading", "paragraph", "list_item", "quote", "turn"})
"""Kinds that are split into sentences; the others are one unit each, which no model reads."""


class Run(NamedTuple):
    """A piece of what is read of a block."""

    begin: int
    end: int
    text: str | None = None
    """What is read in place of these characters; None: they themselves."""


@dataclass(frozen=True, slots=True)
class Block:
    """One heading, paragraph, list item, table, …"""

    begin: int
    end: int
    kind: Kind = "paragraph"
    level: int = 0
    """Of a heading: 1 is the main one. Of a list item or a quote: how deep it is nested, from 1."""
    page: int | None = None
    """The page that it begins on, from 1, where the format has pages."""
    runs: tuple[Run, ...] | None = field(default=None, repr=False, compare=False)
    """What is read of it; None: all of it."""
    source: str = field(default="", repr=False, compare=False)

    @property
    def text(self) -> str:
        """The characters of the span, markup included."""
        return self.source[self.begin : self.end]

    @property
    def content(self) -> str:
        """What is read of it: the text without markup, its wrapped lines joined."""
        if self.runs is None:
            return self.text
        return "".join(self.source[run.begin : run.end] if run.text is None else run.text for run in self.runs)

    @property
    def is_prose(self) -> bool:
        """Whether it is split into sentences."""
        return self.kind in PROSE


def shifted(block: Block, by: int, source: str) -> Block:
    """Return a block of a part of ``source`` that begins at ``by`` as one of the whole."""
    runs = block.runs and tuple(Run(run.begin + by, run.end + by, run.text) for run in block.runs)
    return replace(block, begin=block.begin + by, end=block.end + by, runs=runs, source=source)
