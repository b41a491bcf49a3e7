"""Word pieces (Devlin et al. 2019) without a package: what encoders of the BERT kind read, from their ``vocab.txt``.

Text is cleaned, words are separated from punctuation, and each word is cut into the longest pieces of the vocabulary,
from left to right. Each character's part is found once and kept, and so are each word's pieces.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any

from sector.errors import ModelError

CACHED_WORDS = 2**17
"""Words that keep their pieces; then the table starts anew, so that memory stays bounded."""
ASCII_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
REMOVED = ("Cc", "Cf", "Co", "Cs")
"""Categories of characters that are left out."""
IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
"""Each of these characters is a word."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """How text is changed before words are looked up, and what stands for one that has no pieces."""

    lower: bool = True
    strip_accents: bool = True
    ideographs: bool = True
    """Let each Chinese character be a word."""
    unknown: str = "[UNK]"
    prefix: str = "##"
    """What a piece within a word begins with."""
    longest: int = 100
    """Characters of the longest word that is cut into pieces."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON."""
        return asdict(self)


class WordPieces:
    """Cuts sentences into the numbers of their pieces. Safe to use from several threads."""

    def __init__(self, vocabulary: Sequence[str], spelling: Spelling) -> None:
        """The number of a piece is its place in the vocabulary."""
        self.vocabulary, self.spelling = vocabulary, spelling
        numbers = {piece: number for number, piece in enumerate(vocabulary)}
        if spelling.unknown not in numbers:
            raise ModelError(f"The vocabulary has no piece {spelling.unknown!r} for unknown words; is it whole?")
        self._characters = _Characters(spelling)
        self._words = _Words(numbers, spelling)

    def numbers(self, sentences: Sequence[str]) -> list[list[int]]:
        """Return each sentence's pieces."""
        pieces, characters = self._words.__getitem__, self._characters
        return [list(chain.from_iterable(map(pieces, text.translate(characters).split()))) for text in sentences]


class _Characters(dict[int, str]):
    """Code point → what it becomes: nothing, itself in another spelling, or a word of its own between spaces."""

    def __init__(self, spelling: Spelling) -> None:
        super().__init__()
        self._spelling = spelling

    def __missing__(self, code: int) -> str:
        self[code] = found = self._spelled(chr(code))
        return found

    def _spelled(self, character: str) -> str:
        if character in "\t\n\r":
            return " "
        category = unicodedata.category(character)
        if character == "\ufffd" or category in REMOVED:
            return ""
        if category[0] == "Z":
            return " "
        spelled = character
        if self._spelling.strip_accents:
            spelled = "".join(c for c in unicodedata.normalize("NFD", spelled) if unicodedata.category(c) != "Mn")
        if self._spelling.lower:
            spelled = "".join(map(str.lower, spelled))
        alone = self._spelling.ideographs and _is_ideograph(character)
        return f" {spelled} " if alone else "".join(map(_apart, spelled))


class _Words(dict[str, tuple[int, ...]]):
    """Word → its pieces."""

    def __init__(self, numbers: dict[str, int], spelling: Spelling) -> None:
        super().__init__()
        self._numbers, self._spelling = numbers, spelling
        self._longest = max(map(len, numbers))

    def __missing__(self, word: str) -> tuple[int, ...]:
        if len(self) >= CACHED_WORDS:
            self.clear()
        self[word] = found = self._cut(word)
        return found

    def _cut(self, word: str) -> tuple[int, ...]:
        unknown = (self._numbers[self._spelling.unknown],)
        if len(word) > self._spelling.longest:
            return unknown
        found: list[int] = []
        begin = 0
        while begin < len(word):
            number, begin = self._next(word, begin)
            if number is None:
                return unknown
            found.append(number)
        return tuple(found)

    def _next(self, word: str, begin: int) -> tuple[int | None, int]:
        """Return the longest piece that begins here, and where it ends."""
        prefix = self._spelling.prefix if begin else ""
        for end in range(min(len(word), begin + self._longest), begin, -1):
            number = self._numbers.get(prefix + word[begin:end])
            if number is not None:
                return number, end
        return None, begin


def _is_ideograph(character: str) -> bool:
    return any(first <= ord(character) <= last for first, last in IDEOGRAPHS)


def _apart(character: str) -> str:
    """Put spaces around punctuation."""
    alone = character in ASCII_PUNCTUATION or unicodedata.category(character)[0] == "P"
    return f" {character} " if alone else character
