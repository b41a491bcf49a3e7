"""reStructuredText: titles, directives, literal blocks, lists and tables; offsets of the source.

docutils tells lines only, and runs directives that read other files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sector.reading.inline import inline_runs, is_blank, rst_runs
from sector.reading.lines import Line, make_line, split_lines
from sector.structure.blocks import Block, Kind
from sector.text.abbreviations import words

ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1+$")
DIRECTIVE = re.compile(r"\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?([\w:+.-]+)::(?:[ \t]+|$)")
EXPLICIT = re.compile(r"\.\.(?:[ \t]|$)|__[ \t]")
READ = words(
    "note warning tip hint important caution danger attention error admonition seealso versionadded "
    "versionchanged deprecated rubric topic sidebar epigraph highlights pull-quote compound container "
    "function class method attribute data module exception py:function py:class py:method py:attribute "
    "py:data py:module py:exception c:function option describe object program envvar confval glossary "
    "deprecated-removed versionremoved only"
)
"""Directives whose content is prose."""
CODE = words("code code-block sourcecode literalinclude parsed-literal doctest testcode math highlight prompt")
TABLES = frozenset(["list-table", "csv-table", "table"])
ITEM = re.compile(r"(?:[-*+•‣]|\(?(?:\d{1,3}|[a-zA-Z#]|[ivxlc]{1,6})[.)])[ \t]+(?=\S)")
FIELD = re.compile(r":[\w][^:\n]{0,100}:(?:[ \t]|$)")
FAR = 400
"""Lines above a paragraph where two colons may announce it as a literal."""
GRID = re.compile(r"\+[-=+]{3,}\+$")
SIMPLE = re.compile(r"=+(?:[ \t]+=+)+$")


def blocks(text: str) -> tuple[Block, ...]:
    """Return the blocks of a text in reStructuredText."""
    return tuple(_Scanner(text, list(split_lines(text))).blocks())


@dataclass(slots=True)
class _Scanner:
    """One pass over the lines; it goes into indented parts only where they are read."""

    text: str
    lines: Sequence[Line]
    styles: list[str] = field(default_factory=list)
    """The adornments of titles, in the order in which they come: the level of each."""
    outer: Sequence[int] = field(init=False)
    """For each line the one above it with less indentation."""

    def __post_init__(self) -> None:
        self.outer = _outer_lines(self.lines)

    def blocks(self) -> Iterator[Block]:
        """Return the blocks in order."""
        number = 0
        while number < len(self.lines):
            if not self.lines[number]:
                number += 1
                continue
            end = self._end(number)
            yield from self._at(number, end)
            number = end

    def _end(self, number: int) -> int:
        """Return where the paragraph, title, table or directive ends that begins at a line."""
        line = self.lines[number]
        if self._title(number):
            return number + len(self._title(number))
        if EXPLICIT.match(line.text) and not _is_read(line):
            return self._below(number, line.indent)
        if _is_read(line):
            return number + 1
        if SIMPLE.match(line.text):
            return self._simple_table(number)
        end = number + 1
        while end < len(self.lines) and self.lines[end] and not self._breaks(number, end):
            end += 1
        return end

    def _breaks(self, number: int, later: int) -> bool:
        line = self.lines[later]
        if GRID.match(self.lines[number].text):
            return False
        item = ITEM.match(line.text) or FIELD.match(line.text)
        first = self.lines[number]
        starts = ITEM.match(first.text) or FIELD.match(first.text)
        return bool(item and line.indent <= first.indent and starts) or bool(self._title(later) and later > number + 1)

    def _below(self, number: int, indent: int) -> int:
        """Return the end of what is indented below a line."""
        end = last = number + 1
        while end < len(self.lines) and (not self.lines[end] or self.lines[end].indent > indent):
            if self.lines[end]:
                last = end + 1
            end += 1
        return last

    def _simple_table(self, number: int) -> int:
        borders = 0
        for end in range(number, len(self.lines)):
            if SIMPLE.match(self.lines[end].text):
                borders += 1
            blank_follows = end + 1 >= len(self.lines) or not self.lines[end + 1]
            if borders >= 2 and blank_follows and SIMPLE.match(self.lines[end].text):
                return end + 1
        return number + 1

    def _title(self, number: int) -> Sequence[Line]:
        """Return the lines of the title that begins at a line; none if there is none."""
        three = self.lines[number : number + 3]
        if three[0].indent == 0 and ADORNMENT.match(three[0].text):
            over = len(three) > 2 and three[1] and three[0].text == three[2].text
            return three if over and len(three[1].text) <= len(three[0].text) + 2 else ()
        under = three[1] if len(three) > 1 else None
        if under is None or three[0].indent or under.indent or not ADORNMENT.match(under.text):
            return ()
        before = self.lines[number - 1] if number else None
        fits = len(under.text) >= max(2, 0.7 * len(three[0].text)) and not EXPLICIT.match(three[0].text)
        return three[:2] if fits and not before else ()

    def _at(self, number: int, end: int) -> Iterator[Block]:
        lines = [line for line in self.lines[number:end] if line]
        first = lines[0]
        if title := self._title(number):
            yield self._heading(title)
        elif EXPLICIT.match(first.text):
            yield from self._explicit(lines)
        elif GRID.match(first.text) or SIMPLE.match(first.text):
            yield self._unit("table", lines)
        elif first.text.startswith(">>> ") or self._is_literal(number):
            yield self._unit("code", lines)
        elif ADORNMENT.match(first.text) and len(lines) == 1:
            yield self._unit("boilerplate", lines)
        else:
            yield from self._prose(lines)

    def _is_literal(self, number: int) -> bool:
        """Whether the paragraph above, with less indentation, ends with two colons; or is such a literal itself."""
        before = self.lines[self.outer[number]] if self.outer[number] >= max(0, number - FAR) else None
        return before is not None and before.text.endswith("::") and not _is_read(before)

    def _heading(self, title: Sequence[Line]) -> Block:
        over = len(title) == 3
        words, sign = title[1 if over else 0], title[-1].text[0]
        style = f"{sign}{over}"
        if style not in self.styles:
            self.styles.append(style)
        runs = inline_runs(self.text, [words], rst_runs)
        level = self.styles.index(style) + 1
        return Block(title[0].first, title[-1].end, "heading", level, runs=runs, source=self.text)

    def _explicit(self, lines: Sequence[Line]) -> Iterator[Block]:
        directive = DIRECTIVE.match(lines[0].text)
        name = directive[1].lower() if directive else ""
        kind: Kind = "code" if name in CODE else "table" if name in TABLES else "boilerplate"
        if not _is_read(lines[0]):
            yield self._unit(kind, lines)
            return
        assert directive is not None
        rest = make_line(lines[0].text[directive.end() :], lines[0].first + directive.end())
        if rest and name not in ("module", "py:module"):
            runs = inline_runs(self.text, [rest], rst_runs)
            shown: Kind = "paragraph" if " " in rest.text and "(" not in rest.text else "boilerplate"
            yield Block(lines[0].first, rest.end, shown, 1, runs=runs, source=self.text)
        else:
            yield self._unit("boilerplate", lines[:1])

    def _prose(self, lines: Sequence[Line]) -> Iterator[Block]:
        if FIELD.match(lines[0].text):
            content = lines
            kind: Kind = "list_item"
        elif mark := ITEM.match(lines[0].text):
            first = make_line(lines[0].text[mark.end() :], lines[0].first + mark.end())
            content, kind = [first, *lines[1:]], "list_item"
        elif lines[0].text.startswith("| "):
            yield self._block("quote", lines, lines)
            return
        else:
            is_term = len(lines) > 1 and all(line.indent > lines[0].indent for line in lines[1:])
            content, kind = lines, "list_item" if is_term else "paragraph"
        yield self._block(kind, lines, content)

    def _block(self, kind: Kind, lines: Sequence[Line], content: Sequence[Line]) -> Block:
        runs = inline_runs(self.text, content, rst_runs)
        level = int(kind != "paragraph" or lines[0].indent > 0)
        kind = "boilerplate" if is_blank(self.text, runs) else kind
        return Block(lines[0].first, lines[-1].end, kind, level, runs=runs, source=self.text)

    def _unit(self, kind: Kind, lines: Sequence[Line]) -> Block:
        begin = lines[0].begin if kind == "code" else lines[0].first
        return Block(begin, lines[-1].end, kind, source=self.text)


def _outer_lines(lines: Sequence[Line]) -> list[int]:
    """Return for each line the number of the nearest one above it that has less indentation; -1 where there is none."""
    found: list[int] = []
    waiting: list[int] = []
    for number, line in enumerate(lines):
        while line and waiting and lines[waiting[-1]].indent >= line.indent:
            waiting.pop()
        found.append(waiting[-1] if line and waiting else -1)
        if line:
            waiting.append(number)
    return found


def _is_read(line: Line) -> bool:
    match = DIRECTIVE.match(line.text)
    return match is not None and match[1].lower() in READ
