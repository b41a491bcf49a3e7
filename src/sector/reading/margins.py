"""Where lines stand: headings to the left of an indented text, and lines in the middle of the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sector.reading.lines import Line
from sector.reading.marks import is_bullet, may_be_heading, stands_above

FEWEST = 8
SHARE = 0.5
"""Of the text's characters stand at its usual indentation at least, where it has one."""
LEAST_INDENT = 2
MOST_ALIKE = 2
"""Times that a line may stand to the left of the text: a speaker's name does so often."""
CENTRED = 8
"""Columns before a line in the middle, at least."""
OFF = 3
"""Columns that it may be away from the middle."""
NARROWEST = 50
MOST_DEPTHS = 3


class Margins:
    """The indentation of a text's paragraphs."""

    def __init__(self, groups: Sequence[Sequence[Line]], width: int) -> None:
        self._width = width
        self._first = groups[0][0].first if groups else 0
        sizes: Counter[int] = Counter()
        for group in groups:
            sizes[min(line.indent for line in group)] += sum(len(line.text) for line in group)
        indent, size = sizes.most_common(1)[0] if sizes else (0, 0)
        usual = indent >= LEAST_INDENT and size >= SHARE * sizes.total() and len(groups) >= FEWEST
        self._indent = indent if usual else 0
        alone = [group[0] for group in groups if len(group) == 1 and self._is_left(group[0])]
        counts = Counter(line.text for line in alone)
        self._repeated = {text for text, count in counts.items() if count > MOST_ALIKE}
        self._depths = sorted({line.indent for line in alone})

    def style(self, line: Line, below: Sequence[Line]) -> str:
        """Return the style of a line that stands alone and is a heading by its place; empty for none.

        On a title page nothing but its first line is one.
        """
        if (
            self._is_left(line)
            and self._fits(below)
            and not self.is_repeated(line)
            and line.indent in self._depths[:MOST_DEPTHS]
        ):
            return f"outdented {self._depths.index(line.indent) + 1}"
        may_be = may_be_heading(line.text) and (line.first == self._first or stands_above(below))
        return "centred" if may_be and self._is_centred(line) else ""

    def is_repeated(self, line: Line) -> bool:
        """Whether a line to the left of the text stands there often, as a speaker's name does."""
        return line.text in self._repeated

    def _fits(self, below: Sequence[Line]) -> bool:
        """Whether the text, or another heading, stands below."""
        return bool(below) and (below[0].indent == self._indent or (len(below) == 1 and self._is_left(below[0])))

    def _is_centred(self, line: Line) -> bool:
        middle = line.indent + len(line.text) / 2
        is_apart = line.indent >= max(CENTRED, self._indent + 4) and self._width >= NARROWEST
        return is_apart and abs(middle - self._width / 2) <= OFF

    def _is_left(self, line: Line) -> bool:
        return line.indent < self._indent and not is_bullet(line) and may_be_heading(line.text)
