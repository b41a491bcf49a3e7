"""Tables of contents in plain text: titles that stand again further down, below a heading that says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sector.reading.lines import END, Line
from sector.structure.outline import CONTENTS

LONGEST_ENTRY = 120
LEAST_REPEATED = 0.5
"""Of the entries stand a second time in the text."""
MOST_GROUPS = 500


def contents_of(groups: Sequence[Sequence[Line]]) -> set[int]:
    """Return the positions of the paragraphs that are entries of a table of contents, without its heading."""
    found: set[int] = set()
    counts: Counter[str] | None = None
    for number, group in enumerate(groups):
        if number in found or not CONTENTS.fullmatch(group[0].text.strip(" .:=-*#")):
            continue
        counts = counts or Counter(_key(line) for group in groups for line in group)
        below = number + 1
        while below < min(len(groups), number + MOST_GROUPS) and _lists_titles(groups[below], counts):
            found.add(below)
            below += 1
    return found


def _lists_titles(group: Sequence[Line], counts: Counter[str]) -> bool:
    titles = [line for line in group if _key(line)]
    if not titles or any(len(line.text) > LONGEST_ENTRY for line in group):
        return False
    repeated = sum(counts[_key(line)] > 1 for line in titles)
    ended = sum(END.search(line.text) is not None and not line.text.endswith("..") for line in titles)
    return repeated >= LEAST_REPEATED * len(titles) and (ended <= repeated / 2 or len(titles) == 1)


def _key(line: Line) -> str:
    """Return a title without its number, its page and the dots before it."""
    return "".join(filter(str.isalpha, line.text.casefold()))
