"""Transcripts and chats: speaker turns and time stamps, after which cuts fall between turns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from sector.reading.lines import Line
from sector.reading.wrapping import WIDEST, is_wrapped, joined_runs, width_of
from sector.structure.blocks import Block, Run
from sector.text.abbreviations import words

TIME = r"\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?(?:\s?[AaPp]\.?[Mm]\.?)?"
DATE = r"(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2}\.? [A-Z][a-zä]{2,3}\.?(?: \d{4})?|[A-Z][a-z]{2} \d{1,2})"
STAMP = rf"[\[(<]?(?:{DATE},?[T ]\s?)?{TIME}(?:\s*(?:-->?|–|-)\s*{TIME})?[\])>]?"
NAME = r"[^\W\d_a-z][\w.'’&()-]*(?:[ \t](?:[^\W\d_a-z][\w.'’&()-]*|de|van|von|der|of|the|\d+)){0,4}"
PHONE = r"\+\d[\d ()\xa0-]{6,20}\d"
TURN = re.compile(
    rf"(?P<stamp>{STAMP})?\s*(?:[–—]\s+|-\s+(?={NAME}:\s))?"
    rf"(?:(?P<name>{NAME}|{PHONE})\s*(?:\(?{STAMP}\)?)?\s*:(?=\s|$)|<(?P<nick>[@+\w.|^`-]+)(?:![^\s<>]+)?>"
    rf"|\*\s(?P<actor>[\w|-]+)\s)"
)
FIELD = words(
    "abstract achtung added advantage advantages api arguments args author authors beispiel bug bugs "
    "caution changed con cons copyright date default defaults definition deprecated description downside environment "
    "error example examples fix fixed fixes from hint hinweis important input it license math motivation name new "
    "note notes option options or output parameters path pro pros purpose rationale reason removed requires "
    "result returns security see source status subject summary syntax the tip title to todo type usage use value "
    "version vorteil warning was why"
)
"""What stands before a colon in lists of fields, and nobody is called."""
STAMPED = re.compile(rf"{STAMP}(?=\s|$)")
HEADED = re.compile(rf"(?P<name>{NAME})\s+[\[(]?{TIME}[\])]?$")
"""A line with a speaker and a time above what is said."""
FEWEST = 4
SHARE = 0.25
"""Of the visible lines begin a turn where they are not wrapped; of paragraphs where they are."""


def is_transcript(lines: Sequence[Line]) -> bool:
    """Whether many paragraphs or lines begin with a speaker's name, most of whom speak more than once."""
    names: Counter[str] = Counter()
    visible = opened = 0
    before: Line | None = None
    for line in lines:
        if line:
            visible += 1
            opened += not before
            if name := _speaker(line, sure=True):
                names[name] += 1
        before = line
    found = sum(names.values())
    repeated = sum(count for count in names.values() if count > 1)
    long = sum(len(line.text) for line in lines) > WIDEST * visible
    base = max(FEWEST, SHARE * (visible if long else min(visible, max(opened, visible // 8))))
    return found >= base and len(names) > 1 and repeated >= 0.6 * found


def _speaker(line: Line, *, sure: bool = False) -> str:
    """Return who begins to speak, empty for nobody; ``sure``: "* Anna waves" needs a time stamp, or it is an item."""
    match = TURN.match(line.text) or HEADED.match(line.text)
    if match is None:
        return ""
    groups = match.groupdict()
    actor = groups.get("actor") if groups.get("stamp") or not sure else None
    name = groups.get("name") or groups.get("nick") or actor or ""
    return "" if name.lower() in FIELD else name


def turns(text: str, lines: Sequence[Line]) -> list[Block]:
    """Return the turns, each from its speaker's name to the next; what stands before the first is a paragraph."""
    found: list[list[Line]] = [[]]
    for line in lines:
        if line and (_speaker(line) or (STAMPED.match(line.text) and len(line.text) > 12)):
            found.append([])
        if line:
            found[-1].append(line)
    width = _width(found)
    return [_turn(text, turn, width, bool(number)) for number, turn in enumerate(found) if turn]


def _width(found: Sequence[Sequence[Line]]) -> int | None:
    spoken = [turn for turn in found if len(turn) > 1]
    return max((width_of(turn, 0) for turn in spoken), default=0) if is_wrapped(spoken) else None


def _turn(text: str, lines: list[Line], width: int | None, spoken: bool) -> Block:
    runs = tuple(_runs(lines, width))
    kind = "turn" if spoken else "paragraph"
    return Block(lines[0].first, lines[-1].end, kind, runs=runs, source=text)  # type: ignore[arg-type]


def _runs(lines: list[Line], width: int | None) -> Iterator[Run]:
    """Return what is said, without the time stamp and, where there is more on the line, the name."""
    first = lines[0]
    match = TURN.match(first.text) or STAMPED.match(first.text)
    skipped = match.end() if match else (len(first.text) if HEADED.match(first.text) else 0)
    rest = first.text[skipped:].lstrip()
    runs = list(joined_runs(lines, width))
    if skipped:
        head = Run(first.end - len(rest), first.end) if rest else Run(first.end, first.end)
        runs[0] = head
    yield from runs
