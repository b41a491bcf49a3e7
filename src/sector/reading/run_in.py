"""Run-in headings, as in contracts and licences: "4. Grant of Licence. Subject to the terms …"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from sector.reading.lines import Line, make_line
from sector.text.abbreviations import words

RUN_IN = re.compile(r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,3})\.?[ \t]+(?P<title>[A-Z][^.!?:;\n]{2,80})\.(?=[ \t]+\S|$)")
ALONE = re.compile(r"(\d{1,3}(?:\.\d{1,3}){0,3})\.?[ \t]+[A-Z][^.!?:;\n]{2,80}\.?$")
SMALL = words("a an and as at by for from in into nor of on or the to under upon with without")
FEWEST = 3
MOST_WORDS = 10


class RunIn(NamedTuple):
    """A heading at the beginning of a paragraph."""

    title: Line
    depth: int
    rest: list[Line]
    """The other lines of the paragraph, and what stands behind the heading on its line."""


def run_in_headings(groups: Sequence[Sequence[Line]]) -> dict[int, RunIn]:
    """Return the paragraphs, by position, that begin with a heading: several, whose numbers follow one another."""
    found: dict[int, RunIn] = {}
    numbers: dict[str, int] = {}
    for position, group in enumerate(groups):
        match = RUN_IN.match(group[0].text)
        if match is not None and _is_title(match["title"]) and (len(group) > 1 or match.end() < len(group[0].text)):
            found[position] = _split(group, match)
            numbers.setdefault(match["number"], position)
        elif len(group) == 1 and (alone := ALONE.match(group[0].text)):
            numbers.setdefault(alone[1], position)
    kept = {at: each for at, each in found.items() if _has_neighbour(each.title.text.split()[0], numbers)}
    return kept if len(kept) >= FEWEST else {}


def _is_title(text: str) -> bool:
    parts = text.split()
    written = [word for word in parts if word.lower() not in SMALL]
    return len(parts) <= MOST_WORDS and all(word[0].isupper() or not word[0].isalpha() for word in written)


def _split(group: Sequence[Line], match: re.Match[str]) -> RunIn:
    first = group[0]
    title = make_line(first.text[: match.end()], first.first)
    rest = first.text[match.end() :].lstrip()
    after = replace(first, indent=first.indent + len(first.text) - len(rest), text=rest)
    return RunIn(title, match["number"].count("."), [*([after] if after else []), *group[1:]])


def _has_neighbour(number: str, numbers: dict[str, int]) -> bool:
    """Whether the number before or after this one stands at a title, too."""
    *above, last = map(int, number.rstrip(".").split("."))
    return any(".".join(map(str, (*above, other))) in numbers for other in (last - 1, last + 1))
