"""Subtitles, SubRip and WebVTT: what is said between the numbers and time stamps; offsets of the source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sector.reading.inline import is_blank
from sector.reading.lines import Line, paragraphs, split_lines
from sector.structure.blocks import Block, Run

CUE = re.compile(r"(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}\s*-->\s*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}")
SPEAKER = re.compile(r"<v[.\w]*\s+([^<>\n]{1,80})>|(?:[-–—]\s*)?([^\W\d_a-z][\w.'’ -]{0,40}):\s|>>\s?|[-–—]\s?")
"""What begins another speaker's turn."""
TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,100}>|<[\d:.]+>|\{\\[^{}\n]{0,60}\}|>>\s?")
SENTENCE_END = re.compile(r"[.!?…]['\"’”)]*$")
LONG = 250
"""Characters after which a turn without a change of speaker ends with a sentence,"""
LONGEST = 1500
"""and those after which it ends with the next cue."""


def blocks(text: str) -> tuple[Block, ...]:
    """Return the turns: cues up to a change of the speaker or, in long speech, up to the end of a sentence."""
    found: list[Block] = []
    cues: list[Line] = []
    for group in paragraphs(list(split_lines(text))):
        spoken = _spoken(group)
        if not spoken:
            found.append(Block(group[0].first, group[-1].end, "boilerplate", source=text))
            continue
        if cues and (SPEAKER.match(spoken[0].text) or _is_full(cues)):
            found.append(_turn(text, cues))
            cues = []
        if not cues:
            cues = [group[0]]
        cues += spoken
    if cues:
        found.append(_turn(text, cues))
    return tuple(sorted(found, key=lambda block: block.begin))


def _spoken(group: Sequence[Line]) -> list[Line]:
    """Return the lines below the time stamp; none in a group without one."""
    for number, line in enumerate(group[:3]):
        if CUE.match(line.text):
            return list(group[number + 1 :])
    return []


def _is_full(cues: Sequence[Line]) -> bool:
    spoken = sum(len(line.text) for line in cues)
    return spoken > LONGEST or (spoken > LONG and SENTENCE_END.search(cues[-1].text) is not None)


def _turn(text: str, cues: Sequence[Line]) -> Block:
    runs = tuple(_runs(cues[1:]))
    kind = "boilerplate" if is_blank(text, runs) else "turn"
    return Block(cues[0].first, cues[-1].end, kind, runs=runs, source=text)  # type: ignore[arg-type]


def _runs(lines: Sequence[Line]) -> Iterator[Run]:
    for number, line in enumerate(lines):
        if number:
            yield Run(lines[number - 1].end, line.first, " ")
        place = line.first
        for match in TAG.finditer(line.text):
            yield Run(place, line.first + match.start())
            yield Run(line.first + match.start(), line.first + match.end(), "")
            place = line.first + match.end()
        yield Run(place, line.end)
