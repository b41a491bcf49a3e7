"""Manual pages as they are written, in the macros man and mdoc of troff; offsets of the source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from sector.reading.inline import is_blank
from sector.reading.lines import Line, split_lines
from sector.structure.blocks import Block, Kind, Run
from sector.text.abbreviations import words

MACRO = re.compile(r"[.'][ \t]*([A-Za-z]{1,3}|\\\")?")
HEADINGS = {"SH": 1, "Sh": 1, "SS": 2, "Ss": 2}
PARAGRAPHS = frozenset(("PP", "LP", "P", "Pp", "TH", "sp", "HP", "RS", "RE", "Bl", "El", "br"))
ITEMS = frozenset(("TP", "IP", "TQ", "It"))
CODE = {"nf": "fi", "EX": "EE", "Bd": "Ed", "TS": "TE", "SY": "YS"}
JOINED = frozenset(("BI", "BR", "IB", "IR", "RB", "RI", "SB"))
"""Macros of two fonts that take turns: their words stand together, without blanks."""
FONTS = words("B I R BI BR IB IR RB RI SM SB Nm Fl Ar Xr Nd Pa Cm Em Sy Li Op Ic Va Dv Ev Er Ql Dq Sq UR UE MT ME")
"""Macros whose words are read as a part of the paragraph."""
ESCAPE = re.compile(
    r"(?P<sign>\\\((?:em|en|hy|bu|lq|rq|oq|cq|dq|aq|co|rs|mi|ti|ha|ga|pl|mu|<=|>=|->)|\\\[[^\]\n]{1,20}\])"
    r"|\\f(?:\[[^\]\n]{0,20}\]|\([A-Z]{2}|.)|\\s[-+]?\d{1,2}|\\[&|^/,)%:]|\\\*(?:\(..|\[[^\]\n]{0,20}\]|.)|\\\".*"
    r"|(?P<plain>\\[-e~ '`.])|\"(?=[^\s])|(?<=[^\s])\""
)
ARGUMENT = re.compile(r"\"((?:[^\"]|\"\")*)(?:\"|$)|(?:\\ |\S)+")
"""Of a macro: words in quotation marks are one."""
SIGNS = {"em": "—", "en": "–", "hy": "-", "lq": "“", "rq": "”", "oq": "‘", "cq": "’", "dq": '"', "aq": "'", "bu": "•"}


def blocks(text: str) -> tuple[Block, ...]:
    """Return the blocks of a manual page."""
    return tuple(_Scanner(text).blocks())


class _Scanner:
    """One pass over the lines."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines: list[tuple[Line, int]] = []
        """Lines of the paragraph, and how much of each is its macro."""
        self._kind: Kind = "paragraph"
        self._first: Line | None = None
        """The macro that began it."""
        self._joined_words: set[int] = set()
        """Where lines begin whose words stand together."""

    def blocks(self) -> Iterator[Block]:
        """Return the blocks in order."""
        lines = split_lines(self._text)
        for line in lines:
            match = MACRO.match(line.text) if line.indent == 0 else None
            name = match[1] or "" if match else ""
            if not line or (match and name in PARAGRAPHS):
                yield from self._flushed()
            elif match is None:
                self._lines.append((line, 0))
            elif name in HEADINGS:
                yield from self._flushed()
                yield from self._heading(line, match.end(), HEADINGS[name], lines)
            elif name in CODE:
                yield from self._flushed()
                yield self._code(line, CODE[name], lines)
            elif name in ITEMS:
                yield from self._flushed()
                self._kind, self._first = "list_item", line
                if name == "It" and line.text[match.end() :].strip():
                    self._lines.append((line, match.end()))
                elif name == "IP" and (mark := ARGUMENT.search(line.text, match.end())):
                    self._lines.append((_cut(line, mark.end()), match.end()))
            elif name in FONTS:
                self._lines.append((line, match.end()))
                self._joined_words |= {line.begin} if name in JOINED else set()
        yield from self._flushed()

    def _heading(self, line: Line, skipped: int, level: int, lines: Iterator[Line]) -> Iterator[Block]:
        last, begin = line, line.first + skipped
        if not line.text[skipped:].strip():
            last = next(lines, line)
            begin = last.first
        runs = tuple(_runs(self._text, begin, last.end))
        if not is_blank(self._text, runs):
            yield Block(line.first, last.end, "heading", level, runs=runs, source=self._text)

    def _code(self, line: Line, closing: str, lines: Iterator[Line]) -> Block:
        last = line
        for after in lines:
            if after:
                last = after
            match = MACRO.match(after.text)
            if match and match[1] in (closing, "SH", "Sh"):
                break
        return Block(line.first, last.end, "table" if closing == "TE" else "code", source=self._text)

    def _flushed(self) -> Iterator[Block]:
        lines, kind, first = self._lines, self._kind, self._first
        self._lines, self._kind, self._first = [], "paragraph", None
        if not lines:
            return
        runs = tuple(self._joined(lines))
        begin = (first or lines[0][0]).first
        blank = is_blank(self._text, runs)
        level = int(kind == "list_item")
        yield Block(begin, lines[-1][0].end, "boilerplate" if blank else kind, level, runs=runs, source=self._text)

    def _joined(self, lines: list[tuple[Line, int]]) -> Iterator[Run]:
        before: Line | None = None
        for line, skipped in lines:
            if before is not None:
                yield Run(before.end, line.first + skipped, " ")
            if line.begin in self._joined_words:
                yield from _arguments(self._text, line.first + skipped, line.end)
            else:
                yield from _runs(self._text, line.first + skipped, line.end)
            before = line


def _cut(line: Line, width: int) -> Line:
    """Return a line without what follows its first characters, such as how far an item is indented."""
    text = line.text[:width]
    return replace(line, end=line.first + len(text), text=text)


def _arguments(text: str, begin: int, end: int) -> Iterator[Run]:
    """Return what is read of a macro's words: all of them, without the blanks and marks between them."""
    place = begin
    for match in ARGUMENT.finditer(text, begin, end):
        first, last = match.span(1) if match[1] is not None else match.span()
        if place < first:
            yield Run(place, first, "")
        yield from _runs(text, first, last, stripped=False)
        place = last
    if place < end:
        yield Run(place, end, "")


def _runs(text: str, begin: int, end: int, *, stripped: bool = True) -> Iterator[Run]:
    place = begin = end - len(text[begin:end].lstrip()) if stripped else begin
    for match in ESCAPE.finditer(text, begin, end):
        if place < match.start():
            yield Run(place, match.start())
        yield Run(match.start(), match.end(), _shown(match))
        place = match.end()
    if place < end:
        yield Run(place, end)


def _shown(match: re.Match[str]) -> str:
    if match["plain"]:
        return {"e": "\\", "~": " "}.get(match["plain"][1], match["plain"][1])
    return SIGNS.get(match["sign"].strip("\\([]"), " ") if match["sign"] else ""
