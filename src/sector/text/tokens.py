"""Tokens: the normalised words that an encoder reads.

A token is a run of letters in lower case with their marks, and ``#`` for each run of digits ("3rd": ``#rd``).
All other signs separate tokens, hyphens and apostrophes too ("e-mail": ``e``, ``mail``). A letter of a script
that puts no spaces between words, such as Han or Thai, is a token of its own.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

DIGITS = re.compile(r"\d+")
ASCII_WORD = re.compile(r"[a-z#]+")
WORD = re.compile(r"[\w#]+")
UNSPACED = (
    "\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec6"  # Thai, Lao
    "\u1000-\u102a\u103f\u1780-\u17b3"  # Myanmar, Khmer
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # Hiragana, Katakana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
MARK_RANGE = range(0x300, 0x10000)
"""Where combining marks are looked for; beyond it the sets of `re` are slow and the scripts dead."""


def tokenize(text: str) -> list[str]:
    """Return the tokens of a text, in order."""
    if text.isascii():
        return ASCII_WORD.findall(DIGITS.sub("#", text.replace("#", " ").lower()))
    normal = unicodedata.normalize("NFKC", text).lower().replace("#", " ").replace("_", " ")
    normal = DIGITS.sub("#", normal)
    special, unspaced, word = _patterns()
    if not special.search(normal):
        return WORD.findall(normal)
    return word.findall(unspaced.sub(r" \g<0> ", normal))


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Compile what finds marks and letters without spaces, the latter alone, and words with marks."""
    marks = "".join(char for char in map(chr, MARK_RANGE) if unicodedata.category(char) in {"Mn", "Mc"})
    return (
        re.compile(rf"[{UNSPACED}{marks}]"),
        re.compile(rf"[{UNSPACED}][{marks}]*"),
        re.compile(rf"(?:[\w#]++[{marks}]*+)+"),
    )
