"""Sentence spans: where each sentence begins and ends, exact to the character.

A line break always ends a sentence. Within a line sentencex proposes the boundaries (see ``segmenter``), and
``repairs`` corrects them where abbreviations, ordinals and enumerators misled it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from sector.arrays import Bools1d, Ints1d
from sector.text.abbreviations import vocabulary
from sector.text.repairs import repair
from sector.text.segmenter import line_cuts, normalize

LINE = re.compile(r"\S.*")
"""A line of a normalized text from its first visible character on."""
BASES = {"": "en", "de": "en"}
"""Whose rules sentencex takes; its German ones end no sentence before a number: "… Stadt. 1968 wurde …"."""
LANGUAGE = re.compile(r"[a-z]{2,3}(?![a-z])")


@dataclass(frozen=True, slots=True, eq=False)
class SentenceSpans:
    """The positions of a document's sentences, in order, as arrays of one length."""

    begin: Ints1d
    end: Ints1d
    paragraph_end: Bools1d
    """Whether a line break, or the end of the text, follows the sentence."""

    def __len__(self) -> int:
        return len(self.begin)


def split_sentences(text: str, language: str = "") -> SentenceSpans:
    """Split a text into sentences; any text and any language code work.

    ``language`` is an ISO 639-1 code such as ``de``, or empty where it is unknown: then the rules of English
    and German hold together. The spans are in order, begin and end with visible characters and miss none.
    """
    code = _language_code(language)
    matches = list(LINE.finditer(normalize(text)))
    lines = [match.group() for match in matches]
    begin: list[int] = []
    end: list[int] = []
    last: list[int] = []
    for match, line, cuts in zip(matches, lines, line_cuts(lines, BASES.get(code, code)), strict=True):
        for sentence, offset in _sentences(line, repair(line, cuts, vocabulary(code))):
            begin.append(match.start() + offset)
            end.append(begin[-1] + len(sentence))
        last.append(len(begin) - 1)
    return _spans(begin, end, last)


def _sentences(line: str, cuts: Sequence[int]) -> Iterator[tuple[str, int]]:
    """Give each sentence without the white space around it, and where it begins in the line."""
    for left, right in pairwise((0, *cuts, len(line))):
        sentence = line[left:right].lstrip()
        offset = right - len(sentence)
        yield sentence.rstrip(), offset


def _language_code(language: str) -> str:
    match = LANGUAGE.match(language.lower())
    return match.group() if match else ""


def _spans(begin: list[int], end: list[int], last: list[int]) -> SentenceSpans:
    paragraph_end = np.zeros(len(begin), dtype=np.bool_)
    paragraph_end[last] = True
    return SentenceSpans(np.array(begin, dtype=np.int64), np.array(end, dtype=np.int64), paragraph_end)
