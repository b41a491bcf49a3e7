"""Tables of contents in plain text: titles that stand again further down, below a heading that says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sector.reading.lines import END, Line
from sector.reading.marks import NUMBERED
from sector.structure.outline import CONTENTS

LONGEST_ENTRY = 120
LEAST_REPEATED = 0.5
"""Of the entries stand a second time in the text."""
FEWEST_NUMBERED = 3
"""Entries that are known by their numbers alone."""
MOST_GROUPS = 500


def contents_of(groups: Sequence[Sequence[Line]]) -> set[int]:
    """Return the positions of the paragraphs that make a table of contents, with its heading."""
    found: set[int] = set()
    counts: Counter[str] | None = None
    for number, group in enumerate(groups):
        if number in found or not CONTENTS.fullmatch(group[0].text.strip(" .:=-*#")):
            continue
        counts = counts or Counter(_key(line) for group in groups for line in group)
        own = [line for line in group[1:] if _key(line)]
        if own and not _lists_titles(own, counts):
            continue
        below, listed = number + 1, {"", *map(_key, own)}
        while below < min(len(groups), number + MOST_GROUPS) and _lists_titles(groups[below], counts):
            keys = set(map(_key, groups[below]))
            if keys <= listed:  # the first chapter
                break
            listed |= keys
            below += 1
        if own or below > number + 1:
            found |= set(range(number, below))
    return found


def _lists_titles(group: Sequence[Line], counts: Counter[str]) -> bool:
    titles = [line for line in group if _key(line)]
    if not titles or any(len(line.text) > LONGEST_ENTRY for line in group):
        return False
    repeated = sum(counts[_key(line)] > 1 for line in titles)
    numbered = sum(NUMBERED.match(line.text) is not None for line in titles)
    if len(titles) >= FEWEST_NUMBERED:
        repeated = max(repeated, numbered)
    ended = sum(END.search(line.text) is not None and not line.text.endswith("..") for line in titles)
    return repeated >= LEAST_REPEATED * len(titles) and (ended <= repeated / 2 or len(titles) == 1)


def _key(line: Line) -> str:
    """Return a title without its number, its page and the dots before it."""
    return "".join(filter(str.isalpha, line.text.casefold()))
