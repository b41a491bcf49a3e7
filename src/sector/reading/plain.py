"""Plain text: paragraphs, hard-wrapped lines, headings, lists, quotes, code and tables, by how the lines look."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from sector.reading.boxes import unboxed
from sector.reading.contents import contents_of
from sector.reading.enclosed import SignedTitles
from sector.reading.furniture import find_furniture, without
from sector.reading.letters import is_machine_made
from sector.reading.levels import Levels
from sector.reading.lines import ENDS_CLAUSE, QUOTE, RULE, Line, line_begin, make_line, paragraphs, split_lines
from sector.reading.margins import Margins
from sector.reading.marks import (
    LONGEST_TITLE,
    ends_item,
    heading_style,
    is_bullet,
    is_code,
    is_hanging,
    is_minor,
    is_table,
    marker_width,
)
from sector.reading.run_in import run_in_headings
from sector.reading.transcripts import is_transcript, turns
from sector.reading.underlines import underlined
from sector.reading.wrapping import is_wrapped, joined_runs, width_of, without_hyphens
from sector.structure.blocks import Block, Kind, Run

STRUCTURE = re.compile(r"[\n\r][ \t]*[\n\r>#|]|\f|[^\n]\n[ \t]+\S|[\n\r](?:[-=*+~_]{3,}|={1,6}[ \t]|`{3}|[-*+•][ \t])")
"""What a text of plain lines, one paragraph each, does not have."""
SAMPLE = 1 << 16
ONE_LINE = 200
"""Mean characters of a line above which lines are paragraphs."""
LONG_ITEM = 300
"""Characters of a numbered paragraph above which it is no list item."""
SIGNATURE = "--"


def is_bare(text: str) -> bool:
    """Whether each line is a paragraph and nothing else can be told from the layout: a quick look."""
    head = text[:SAMPLE]
    if STRUCTURE.search(head):
        return False
    breaks = head.count("\n")
    return breaks == 0 or len(head) > ONE_LINE * breaks


def blocks(text: str, begin: int = 0, end: int | None = None, *, is_letter: bool = False) -> tuple[Block, ...]:
    """Return the blocks of a plain text, or of a part of it; short lines of a letter are greetings, not headings."""
    lines = unboxed(list(split_lines(text, begin, end)))
    furniture = find_furniture(lines)
    page = [Block(lines[i].first, lines[i].end, "boilerplate", source=text) for i in sorted(furniture)]
    kept = without(lines, furniture) if furniture else lines
    found = turns(text, kept) if is_transcript(kept) else _Plain(text, kept, is_letter).blocks()
    return _ordered([*found, *page])


def _ordered(found: list[Block]) -> tuple[Block, ...]:
    """Sort blocks by place and drop those inside of others."""
    kept: list[Block] = []
    for block in sorted(found, key=lambda block: (block.begin, -block.end)):
        if not kept or block.begin >= kept[-1].end:
            kept.append(block)
    return tuple(kept)


class _Plain:
    """The paragraphs of one text and what is known about all of them."""

    def __init__(self, text: str, lines: Sequence[Line], is_letter: bool) -> None:
        self._text, self._is_letter = text, is_letter
        self._signed = SignedTitles(lines)
        self._groups = [part for group in paragraphs(lines) for part in self._signed.apart(group)]
        self._contents, self._run_in = contents_of(self._groups), run_in_headings(self._groups)
        prose = [group for group in self._groups if not is_code(group) and not is_table(group)]
        self._wrapped = is_wrapped(prose)
        widths = sorted(line.width for group in prose for line in group[:-1]) or [0]
        self._usual = widths[int(0.95 * (len(widths) - 1))]
        self._levels = Levels({underlined(group)[0] for group in self._groups} - {""})
        self._margins = Margins(prose, self._usual)

    def blocks(self) -> list[Block]:
        """Return the blocks in order."""
        found: list[Block] = []
        for number, group in enumerate(self._groups):
            below = self._groups[number + 1] if number + 1 < len(self._groups) else []
            if group[0].text == SIGNATURE and number:
                rest = [line for other in self._groups[number:] for line in other]
                return [*found, self._block("boilerplate", rest)]
            if number in self._contents:
                found.append(self._block("boilerplate", group))
            elif number in self._run_in:
                title, depth, rest = self._run_in[number]
                found += [self._titled([title], title, f"numbered {depth + 1}"), *self._prose(rest)]
            else:
                found += self._of(group, below)
        return found

    def _of(self, group: list[Line], below: Sequence[Line]) -> Iterator[Block]:
        if self._is_letter and is_machine_made(group):
            yield self._block("boilerplate", group)
        elif any(QUOTE.match(line.text) for line in group):
            for is_quote, lines in groupby(group, key=lambda line: QUOTE.match(line.text) is not None):
                part = list(lines)
                yield from self._quote(part) if is_quote else self._unquoted(part, below)
        else:
            yield from self._unquoted(group, below)

    def _unquoted(self, group: list[Line], below: Sequence[Line]) -> Iterator[Block]:
        head, rest = self._heading(group, below)
        if head is not None:
            yield head
        if not rest:
            return
        if all(RULE.match(line.text) for line in rest):
            yield self._block("boilerplate", rest)
        elif is_table(rest) and not any(map(marker_width, rest)):
            yield self._block("table", rest)
        elif is_code(rest):
            yield self._block("code", rest)
        else:
            yield from self._prose(rest)

    def _heading(self, group: list[Line], below: Sequence[Line]) -> tuple[Block | None, list[Line]]:
        """Return the heading that a paragraph begins with, if it does, and its other lines."""
        if len(group) == 1 and (signed := self._signed.title(group[0])):
            style, inner = signed
            return self._titled(group, inner, style), []
        style, over = underlined(group)
        title = group[over]
        if style:
            return self._titled(group[: over + 2], title, style), group[over + 2 :]
        if len(group) == 1:
            style = self._style(title, below)
        else:
            above_text = title.indent <= 3 and is_hanging(group) and not marker_width(title)
            style = heading_style(title, group[1:]) if len(title.text) <= LONGEST_TITLE else ""
            style = style if above_text or (style == "capitals" and not group[1].text.isupper()) else ""
        return (self._titled(group[:1], title, style), group[1:]) if style else (None, group)

    def _style(self, title: Line, below: Sequence[Line]) -> str:
        """Return the style of a line that stands alone; empty where it is no heading."""
        style = "" if self._margins.is_repeated(title) else heading_style(title, below)
        if self._is_letter:
            return "" if style == "title" else style
        if style.startswith("numbered"):
            return "" if self._levels.is_item(title) else style
        placed = "" if style in ("named", "capitals") or marker_width(title) else self._margins.style(title, below)
        return placed or style

    def _titled(self, lines: list[Line], title: Line, style: str) -> Block:
        level = self._levels.level(*_parted(style), title)
        runs = (Run(title.first, title.end),)
        return Block(lines[0].first, lines[-1].end, "heading", level, runs=runs, source=self._text)

    def _prose(self, group: list[Line]) -> Iterator[Block]:
        """Part a paragraph at list items, indented first lines and, unless it is wrapped, at every line."""
        own = len(group) > 3 and is_wrapped([group])
        width = width_of(group, self._usual) if own or self._wrapped else None
        items = _item_begins(group)
        if not items and is_hanging(group) and group[0].indent > 0 and len(group[0].text) < ONE_LINE:
            yield self._block("list_item", group, 1, width)
            return
        begins = items or (_indented(group) if width is not None else set(range(1, len(group))))
        edges = sorted({0, len(group)} | begins)
        for first, last in pairwise(edges):
            part = group[first:last]
            yield self._part(part, first in items, width)

    def _part(self, lines: list[Line], is_item: bool, width: int | None) -> Block:
        length = lines[-1].end - lines[0].begin
        if is_item:
            self._levels.see_item(lines[0])
        if is_item and (is_minor(lines[0]) or length <= LONG_ITEM):
            return self._block("list_item", lines, 1, width)
        return self._block("paragraph", lines, 0, width)

    def _quote(self, lines: list[Line]) -> Iterator[Block]:
        """Return the paragraphs of quoted lines, each of one depth."""
        bare = [_unquote(line) for line in lines]
        inner = [line for line, _ in bare if line]
        wrapped = self._wrapped or is_wrapped([inner])
        width = max((line.width for line in inner), default=0) if wrapped else None
        for (depth, visible), part in groupby(
            zip(bare, lines, strict=True), key=lambda pair: (pair[0][1], bool(pair[0][0]))
        ):
            if visible:
                block = self._block("quote", [pair[0][0] for pair in part], depth, width)
                yield replace(block, begin=line_begin(self._text, block.begin))

    def _block(self, kind: Kind, lines: Sequence[Line], level: int = 0, width: int | None = None) -> Block:
        begin, end = lines[0].first, lines[-1].end
        if kind in ("code", "table", "boilerplate"):
            begin = lines[0].begin if kind != "boilerplate" else begin
            return Block(begin, end, kind, level, source=self._text)
        runs = without_hyphens(self._text, list(joined_runs(lines, width)))
        return Block(begin, end, kind, level, runs=runs, source=self._text)


def _parted(style: str) -> tuple[str, int]:
    """Return a style and how deep its heading lies among those of the style."""
    name, _, depth = style.partition(" ")
    return (name, int(depth)) if name in ("numbered", "outdented", "enclosed", "starred") else (style, 1)


def _item_begins(group: Sequence[Line]) -> set[int]:
    """Return the lines with which list items begin; one mark amid a paragraph of full lines is none."""
    marks = {number for number, line in enumerate(group) if marker_width(line)}
    real = {number for number in marks if is_bullet(group[number]) or not number or ends_item(group[number - 1])}
    return real if 0 in real or len(real) > 1 else {number for number in real if number in _after_clauses(group)}


def _after_clauses(group: Sequence[Line]) -> set[int]:
    return {number for number, line in enumerate(group[:-1], 1) if ENDS_CLAUSE.search(line.text)}


def _indented(group: Sequence[Line]) -> set[int]:
    """Return the lines that begin a paragraph by their indentation."""
    base = min(line.indent for line in group)
    found = set()
    for number, (line, after) in enumerate(pairwise(group), 1):
        last = number + 1 == len(group)
        if after.indent >= base + 2 and line.indent == base and (last or group[number + 1].indent == base):
            found.add(number)
    return found


def _unquote(line: Line) -> tuple[Line, int]:
    """Return a line without its marks of quotation, and how many it had."""
    match = QUOTE.match(line.text)
    assert match is not None
    rest = line.text[match.end() :]
    return make_line(rest, line.first + match.end()), match.group().count(">")
