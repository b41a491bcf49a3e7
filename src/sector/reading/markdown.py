"""Markdown: blocks by the rules of CommonMark and its tables, offsets of the source.

markdown-it-py, which follows CommonMark to the letter, takes ten seconds for a megabyte and tells lines, not
characters; this scanner looks at each line once. `benchmarks/formats` compares the two on real files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sector.reading import html
from sector.reading.inline import inline_runs, is_blank, markdown_runs
from sector.reading.lines import Line, line_begin, make_line, split_lines
from sector.reading.markdown_links import without_ways
from sector.structure.blocks import Block, Kind, shifted

FENCE = re.compile(r"(`{3,}|~{3,})([^\n]*)$")
ATX = re.compile(r"(#{1,6})(?:[ \t]+|$)")
ATX_END = re.compile(r"(?:^|[ \t]+)#+$")
SETEXT = re.compile(r"(=+|-+)$")
RULE = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
ITEM = re.compile(r"(?:[-+*]|\d{1,9}[.)])(?:[ \t]{1,4}(?=\S)|[ \t]+|$)")
DELIMITERS = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$")
HTML_BLOCK = re.compile(
    r"<(?:!--|\?|![A-Z]|/?(?:address|article|aside|base|body|blockquote|caption|center|col|colgroup|dd|details|dialog|dir"
    r"|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|h[1-6]|head|header|hr|html|iframe|img|legend|li|link|main"
    r"|menu|nav|ol|optgroup|option|p|param|picture|pre|script|section|source|style|summary|svg|table|tbody|td|tfoot|th"
    r"|thead|title|tr|ul)\b|/?[a-zA-Z][\w-]*(?:\s[^<>]*)?/?>$)",
    re.IGNORECASE,
)
DEFINITION = re.compile(r"\[[^\]\n]{1,500}\]:\s*\S")
FRONT = ("---", "+++")
DEEPEST = 50
"""Marks of quotation of one line, each of which costs the length of the line."""
CONTAINER = re.compile(r":{3,}\s*(?:\S.*)?$|\{%.*%\}$|!!!\s|\?\?\?\+?\s")
"""Marks of admonitions and of templates, which hold Markdown."""


def blocks(text: str) -> tuple[Block, ...]:
    """Return the blocks of a Markdown text."""
    return without_ways(tuple(_Scanner(text).blocks()))


@dataclass(slots=True)
class _Scanner:
    """One pass over the lines."""

    text: str
    lines: list[Line] = field(default_factory=list)
    """Those of the paragraph that is being read,"""
    quoted: int = 0
    """how deep it is quoted,"""
    nested: int = 0
    """and in how many lists it is."""
    margins: list[int] = field(default_factory=list)
    """Where the content of each open list begins."""
    blank: bool = True
    """Whether nothing is open above the line at hand."""

    def blocks(self) -> Iterator[Block]:
        """Return the blocks in order."""
        all_lines = list(split_lines(self.text))
        number = 0
        if front := _front_matter(all_lines):
            yield self._unit("boilerplate", all_lines[: front + 1])
            number = front + 1
        while number < len(all_lines):
            found, number = self._at(all_lines, number)
            yield from found
        yield from self._flushed()

    def _at(self, lines: Sequence[Line], number: int) -> tuple[list[Block], int]:
        """Read what stands at a line; return the blocks that are finished, and the number of the next line."""
        line, depth = unquote(lines[number])
        if not line:
            found = list(self._flushed())
            self.blank = True
            return found, number + 1
        found = []
        if depth != self.quoted and not (depth < self.quoted and self.lines and not _begins(line)):
            found += self._flushed()
            self.quoted, self.margins = depth, [] if depth else self.margins
        if not (self.lines and not _begins(line)):
            self.margins = [margin for margin in self.margins if line.indent >= margin]
        base = self.margins[-1] if self.margins else 0
        special = self._special(lines, number, line, base)
        if special is not None:
            return found + special[0], special[1]
        if self.blank and not self.lines and line.indent >= base + 4:
            return self._indented_code(lines, number, base)
        self.lines.append(line)
        self.nested, self.blank = len(self.margins), False
        return found, number + 1

    def _special(self, lines: Sequence[Line], number: int, line: Line, base: int) -> tuple[list[Block], int] | None:
        """Read a line that is not one of a paragraph; None if it is."""
        deep = line.indent >= base + 4
        if deep and not ITEM.match(line.text):
            return None
        if (fence := FENCE.match(line.text)) and "`" not in fence[2]:
            return self._fenced(lines, number, fence[1], base)
        if atx := ATX.match(line.text):
            return [*self._flushed(), self._heading(line, len(atx[1]), atx.end())], number + 1
        if self.lines and SETEXT.match(line.text) and self.nested == len(self.margins) and not self.quoted:
            return [self._underlined(line)], number + 1
        if RULE.match(line.text):
            return [*self._flushed(), self._unit("boilerplate", [line])], number + 1
        if item := ITEM.match(line.text):
            return self._item(line, item, base, number)
        if DELIMITERS.match(line.text) and "|" in line.text and len(self.lines) and "|" in self.lines[-1].text:
            return self._table(lines, number)
        if not self.lines and (
            HTML_BLOCK.match(line.text) or DEFINITION.match(line.text) or CONTAINER.match(line.text)
        ):
            return self._markup(lines, number)
        return None

    def _heading(self, line: Line, level: int, skipped: int) -> Block:
        self.margins, self.blank = [], True
        end = ATX_END.search(line.text, skipped)
        inner = make_line(line.text[skipped : end.start() if end else None], line.first + skipped)
        runs = inline_runs(self.text, [inner], markdown_runs)
        return Block(line.first, line.end, "heading", level, runs=runs, source=self.text)

    def _underlined(self, line: Line) -> Block:
        runs = inline_runs(self.text, self.lines, markdown_runs)
        begin, self.lines, self.blank = self.lines[0].first, [], True
        level = 1 if line.text[0] == "=" else 2
        return Block(begin, line.end, "heading", level, runs=runs, source=self.text)

    def _item(self, line: Line, item: re.Match[str], base: int, number: int) -> tuple[list[Block], int] | None:
        """Begin a list item; what follows its mark is read as a line of its own."""
        ordered = line.text[0].isdigit()
        if self.lines and not self.margins and ordered and not line.text.startswith(("1.", "1)")):
            return None
        if self.lines and not line.text[item.end() :]:
            return None
        found = list(self._flushed())
        self.margins = [margin for margin in self.margins if line.indent >= margin]
        self.margins.append(line.indent + item.end())
        rest = make_line(line.text[item.end() :], line.first + item.end())
        self.blank = not rest
        self.nested = len(self.margins)
        if rest:
            whole = Line(line.begin, line.end, line.indent + item.end(), line.text)
            self.lines.append(whole)
        return found, number + 1

    def _table(self, lines: Sequence[Line], number: int) -> tuple[list[Block], int]:
        head = self.lines.pop()
        found = list(self._flushed())
        last = number
        while last + 1 < len(lines) and "|" in lines[last + 1].text and unquote(lines[last + 1])[1] == self.quoted:
            last += 1
        self.blank = True
        return [*found, self._unit("table", [head, lines[last]])], last + 1

    def _markup(self, lines: Sequence[Line], number: int) -> tuple[list[Block], int]:
        """Pass lines of HTML up to a blank one, a comment up to its end, definitions of links line by line."""
        first = lines[number]
        last = number
        is_comment = unquote(first)[0].text.startswith("<!--")
        if is_comment or HTML_BLOCK.match(unquote(first)[0].text):
            while last + 1 < len(lines) and not _ends_markup(lines[last], lines[last + 1], is_comment):
                last += 1
        self.blank = True
        begin, end = unquote(first)[0].first, lines[last].end
        inner = () if is_comment else html.blocks(self.text[begin:end])
        if any(block.is_prose for block in inner):
            return [shifted(block, begin, self.text) for block in inner], last + 1
        return [self._unit("boilerplate", [first, lines[last]])], last + 1

    def _indented_code(self, lines: Sequence[Line], number: int, base: int) -> tuple[list[Block], int]:
        last = ahead = number
        while ahead < len(lines) and (not lines[ahead] or unquote(lines[ahead])[0].indent >= base + 4):
            if lines[ahead]:
                last = ahead
            ahead += 1
        self.blank = True
        return [self._unit("code", [lines[number], lines[last]])], last + 1

    def _fenced(self, lines: Sequence[Line], number: int, sign: str, base: int) -> tuple[list[Block], int]:
        end = _fence_end(lines, number, sign, base, self.quoted)
        last = end - 1
        while last > number and not lines[last]:
            last -= 1
        self.blank = True
        return [*self._flushed(), self._unit("code", [lines[number], lines[last]])], end

    def _flushed(self) -> Iterator[Block]:
        """End the paragraph that is being read."""
        if not self.lines:
            return
        lines, self.lines = self.lines, []
        if self.nested and (mark := ITEM.match(lines[0].text)):
            content = [make_line(lines[0].text[mark.end() :], lines[0].first + mark.end()), *lines[1:]]
        else:
            content = lines
        runs = inline_runs(self.text, content, markdown_runs)
        kind: Kind = "quote" if self.quoted else "list_item" if self.nested else "paragraph"
        begin = lines[0].first if kind != "quote" else line_begin(self.text, lines[0].first)
        if is_blank(self.text, runs):
            kind = "boilerplate"
        level = self.quoted or self.nested
        yield Block(begin, lines[-1].end, kind, level, runs=runs, source=self.text)

    def _unit(self, kind: Kind, lines: Sequence[Line]) -> Block:
        begin = lines[0].begin if kind == "code" else lines[0].first
        return Block(begin, lines[-1].end, kind, len(self.margins), source=self.text)


def unquote(line: Line) -> tuple[Line, int]:
    """Return a line without its marks of quotation, and how many it had."""
    depth = 0
    while line.text[:1] == ">" and line.indent < 4 and depth < DEEPEST:
        raw = line.text[1:]
        raw = raw.removeprefix(" ")
        line = make_line(raw, line.end - len(raw))
        depth += 1
    return line, depth


def _begins(line: Line) -> bool:
    """Whether a line begins something of its own, so that it goes on with no paragraph."""
    text = line.text
    return bool(FENCE.match(text) or ATX.match(text) or ITEM.match(text) or RULE.match(text))


def _front_matter(lines: Sequence[Line]) -> int:
    """Return the last line of the front matter; 0 if there is none."""
    if not lines or lines[0].text not in FRONT or lines[0].begin:
        return 0
    for number, line in enumerate(lines[1:200], 1):
        if line.text == lines[0].text or (line.text == "..." and lines[0].text == "---"):
            return number
        if not line or line.text[0] == "#":
            continue
        if number == 1 and not re.match(r"[\w\"'-]+\s*[:=]", line.text):
            return 0
    return 0


def _fence_end(lines: Sequence[Line], number: int, sign: str, base: int, quoted: int) -> int:
    """Return the number of the line after a fenced block."""
    for later in range(number + 1, len(lines)):
        line, depth = unquote(lines[later]) if quoted else (lines[later], 0)
        if depth < quoted or (line and line.indent < base):
            return later
        if line.text.startswith(sign) and not line.text.strip(sign[0]) and line.indent < base + 4:
            return later + 1
    return len(lines)


def _ends_markup(line: Line, after: Line, is_comment: bool) -> bool:
    return "-->" in line.text if is_comment else not after
