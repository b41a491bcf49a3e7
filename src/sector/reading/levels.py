"""The levels of headings in a text whose layout alone tells them: by their styles, in the order of their first ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from sector.reading.lines import Line
from sector.reading.marks import NUMBERED

LOOSE = ("title", "outdented")
"""Styles without a number, several of which may stand beside numbered chapters: a preface, a list of tables."""


class Levels:
    """What is known so far about the headings of one text."""

    def __init__(self, underlined: Collection[str] = ()) -> None:
        self._underlined = frozenset(underlined)
        """The styles of underlined headings in the whole text, which a line that is not underlined stands below."""
        self._bases: dict[str, int] = {}
        self._counts: Counter[str] = Counter()
        self._depths: dict[int, int] = {}
        """The level of underlined headings by how many parts their number has."""
        self._number_level = 0
        """The level of the last heading with a number."""
        self._path: tuple[int, ...] = ()
        """Its number,"""
        self._item = 0
        """and that of the last list item below a heading."""

    def level(self, style: str, depth: int, title: Line) -> int:
        """Return the level of a heading; "Chapter 1" is above 1.1."""
        self._counts[style] += 1
        self._item = 0
        if style == "title" and self._number_level:
            self._path = ()
            return self._number_level + 1  # below the one with a number that it stands under
        found = self._bases.setdefault(style, self._base(style, depth)) + depth - 1
        match = NUMBERED.match(title.text)
        self._path = tuple(map(int, match[1].split("."))) if match and match[1] else ()
        if style in ("named", "numbered"):
            self._number_level = found
        elif match and style.startswith("underlined"):
            self._depths[len(self._path) or 1] = found
        return found

    def _base(self, style: str, depth: int) -> int:
        """Return the level that a style's main headings have when its first one comes."""
        above = set(self._bases)
        if style == "title":
            above |= self._underlined
        elif style in self._underlined:
            above -= {"title"}
        deepest = len(above) + 1
        if style == "outdented":
            return self._bases.get("numbered", deepest)
        if style not in ("named", "numbered"):
            return deepest
        if style == "named" and "numbered" in self._bases:
            return self._bases["numbered"]
        if style == "numbered" and "named" in self._bases:
            return self._bases["named"] + (depth == 1)
        if depth - 1 in self._depths:
            return self._depths[depth - 1] + 2 - depth
        beside = [self._bases[loose] for loose in LOOSE if self._is_main(loose)]
        return min(beside) if beside else max(1, deepest + 1 - depth)

    def _is_main(self, loose: str) -> bool:
        """Whether a style without a number has been seen before any with one; a single title says little."""
        return loose in self._bases and self._counts[loose] > (loose == "title")

    def is_item(self, title: Line) -> bool:
        """Whether a line with a number goes on with a list, or begins one below a heading such as 2.6.3."""
        match = NUMBERED.match(title.text)
        if match is None or match[1] is None or "." in match[1]:
            return False
        number = int(match[1])
        return (self._item > 0 and number == self._item + 1) or (len(self._path) > 1 and number <= self._path[0])

    def see_item(self, line: Line) -> None:
        """Take note of a list item."""
        match = NUMBERED.match(line.text)
        if match is not None and match[1] and "." not in match[1]:
            self._item = int(match[1])
