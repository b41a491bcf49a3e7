"""Sentence spans: where each sentence begins and ends, exact to the character.

A line break always ends a sentence. Within a line sentencex proposes the boundaries (see ``segmenter``), and
``repairs`` corrects them where abbreviations, ordinals and enumerators misled it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from sector.arrays import Bools1d, Ints1d
from sector.text.abbreviations import vocabulary
from sector.text.repairs import repair
from sector.text.screening import trim
from sector.text.segmenter import normalize, sentence_starts

LINE = re.compile(r"\S.*")
"""A line of a normalized text from its first visible character on."""
NONE = np.zeros(0, dtype=np.int64)
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
    """Split a text into sentences.

    Args:
        text: any text.
        language: ISO 639-1 code such as ``de``; any other string works too. Empty where unknown: the rules of English
            and German then apply together.

    Returns:
        Spans in order, which begin and end with visible characters and miss none.
    """
    code = _language_code(language)
    normal = normalize(text)
    matches = list(LINE.finditer(normal))
    if not matches:
        return SentenceSpans(NONE, NONE, NONE.astype(np.bool_))
    lines = np.array([match.start() for match in matches], dtype=np.int64)
    starts = sentence_starts([match.group() for match in matches], lines, BASES.get(code, code))
    begin = repair(normal, starts, lines, vocabulary(code))
    return _spans(normal, begin, lines)


def _language_code(language: str) -> str:
    match = LANGUAGE.match(language.lower())
    return match.group() if match else ""


def _spans(text: str, begin: Ints1d, lines: Ints1d) -> SentenceSpans:
    """Return the spans from each begin to the next, without the white space at either end."""
    end = np.append(begin[1:], len(text))
    paragraph_end = np.zeros(len(begin), dtype=np.bool_)
    paragraph_end[np.searchsorted(begin, lines) - 1] = True
    begin, end = trim(text, begin, end)
    return SentenceSpans(begin, end, paragraph_end)
