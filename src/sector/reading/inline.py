"""Markup within the lines of Markdown and reStructuredText: what of a line is read, and where it stands."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from sector.reading.lines import Line
from sector.structure.blocks import Run

Inline: TypeAlias = Callable[[str, int, int], Iterator[Run]]
"""Source, begin and end of a piece of a line to its runs."""
TARGET = r"\((?:[^()\s\\]|\\.|\([^()\s]{0,500}\)){0,2000}(?:\s+(?:\"[^\"]{0,500}\"|'[^']{0,500}'))?\s?\)"
MARKDOWN = re.compile(
    rf"(?P<code>(?P<ticks>`+)(?!`)[^\n]{{1,500}}?(?<!`)(?P=ticks)(?!`))"
    rf"|(?P<image>\[?!\[[^\[\]]{{0,500}}\](?:{TARGET}|\[[^\[\]]{{0,200}}\])(?:\](?:{TARGET}|\[[^\[\]]{{0,200}}\]))?)"
    rf"|(?P<link>\](?:{TARGET}|\[[^\[\]]{{0,200}}\]))"
    r"|(?P<note>\[\^[^\s\[\]]{1,50}\])"
    r"|(?P<address><(?=(?:https?|mailto|ftp):)|(?<=[\w/])>)"
    r"|(?P<tag></?[a-zA-Z][^<>\n]{0,500}>|<!--[^\n]{0,500}?-->)"
    r"|(?P<entity>&#?\w{1,32};)"
    r"|(?P<escape>\\(?=[!-/:-@\[-`{-~]))"
    r"|(?P<sign>[\[\]]+|`+|\*+|~~+|(?<!\w)_+(?=\w)|(?<=[\w.!?,])_+(?!\w))"
)
RST = re.compile(
    r"(?P<role>:[a-zA-Z][\w:+-]{0,60}:(?=`))"
    r"|(?P<target>\s?<[^<>`\n]{1,500}>`(?:__?)?)"
    r"|(?P<sign>``|`__?|`|\*\*?(?=\S)|(?<=\S)\*\*?|\|(?=\w[^|\n]{0,80}\|)|(?<=\w)\|_?|(?<=\w)__?(?=[\s.,;:)!?]|$))"
    r"|(?P<note>\[(?:\#?\w{0,40}|\*)\]_)"
    r"|(?P<escape>\\(?=\S))"
)


def markdown_runs(source: str, begin: int, end: int) -> Iterator[Run]:
    """Return what is read of a piece of Markdown."""
    return _runs(MARKDOWN, source, begin, end)


def rst_runs(source: str, begin: int, end: int) -> Iterator[Run]:
    """Return what is read of a piece of reStructuredText."""
    return _runs(RST, source, begin, end)


def _runs(pattern: re.Pattern[str], source: str, begin: int, end: int) -> Iterator[Run]:
    place = begin
    for match in pattern.finditer(source, begin, end):
        if place < match.start():
            yield Run(place, match.start())
        place = match.end()
        if match.lastgroup == "code":
            yield from _code(match)
            continue
        instead = html.unescape(match.group()) if match.lastgroup == "entity" else ""
        yield Run(match.start(), match.end(), instead)
    if place < end:
        yield Run(place, end)


def _code(match: re.Match[str]) -> Iterator[Run]:
    """Return what is read of code in a line: all that stands between the marks."""
    width = len(match["ticks"])
    yield Run(match.start(), match.start() + width, "")
    yield Run(match.start() + width, match.end() - width)
    yield Run(match.end() - width, match.end(), "")


def inline_runs(source: str, lines: Sequence[Line], inline: Inline) -> tuple[Run, ...]:
    """Return what is read of the lines of a paragraph, which are joined; two blanks at an end break the line."""
    runs: list[Run] = []
    for number, line in enumerate(lines):
        if number:
            before = lines[number - 1]
            is_break = source[before.end : before.end + 2] == "  " or before.text.endswith("\\")
            runs.append(Run(before.end, line.first, "\n" if is_break else " "))
        runs += inline(source, line.first, line.end)
    return tuple(runs)


def is_blank(source: str, runs: Sequence[Run]) -> bool:
    """Whether nothing is left to read."""
    return not any((source[run.begin : run.end] if run.text is None else run.text).strip() for run in runs)
