"""Repairs of the sentence boundaries within the lines of a text: which cuts are none, and which were missed.

A cut is an offset at which a new sentence begins. Each is judged by the tokens next to it, in a window of
fixed size, so that the work per cut is constant; ``sector.text.screening`` picks those worth a look.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import compress

import numpy as np

from sector.arrays import Ints1d
from sector.text.abbreviations import ORDINAL_NOUNS, Vocabulary
from sector.text.screening import Screen

REACH = 32
"""How many characters to each side of a cut are looked at."""
BRACKET_REACH = 256
"""How far back an open bracket or quotation mark is looked for."""
OPENING = "([{\"'„“”‚‘’«»‹›"
JOINING = "-–—/,;:"
CLOSING = re.compile(r"[\"'“”’»)\]]{1,4}\s+")
ENUMERATOR = re.compile(r"\s*(?:[-–—*•·]\s*)?[(\[]?(?:\d{1,3}(?:\.\d{1,3})*|[^\W\d_]|[ivxlcIVXLC]{1,6})[.)\]]{1,2}\s*")
ORDINAL = re.compile(r"(?:\d{1,3}\.?[/–-])?\d{1,3}")
ROMAN = re.compile(r"[IVXLC]+")
WORD = re.compile(r"[^\W\d_][\w-]*+")
CAPITAL = re.compile(r" +(?=([A-ZÀ-ÖØ-Þ]\w*+)[\s,])")
"""The blanks before a word with a capital letter."""


def repair(text: str, starts: Ints1d, lines: Ints1d, words: Vocabulary) -> Ints1d:
    """Return the offsets at which sentences begin, from those of sentencex; ``lines`` are those of lines."""
    screen = Screen(text, words)
    missed = [cut for cut in map(partial(_missed, text, words), screen.stops(starts).tolist()) if cut]
    if missed:
        starts = np.union1d(starts, missed)
    doubtful = ~screen.is_plain(starts)
    doubtful[np.searchsorted(starts, lines)] = False
    edges = [*starts.tolist(), len(text)]
    kept = [True] * len(starts)
    for index in np.flatnonzero(doubtful).tolist():
        before, after = edges[index - 1], edges[index + 1]
        cut = edges[index] = _after_closing(text, edges[index])
        kept[index] = before < cut < after and not _continues(text, before, cut, after, kept[index - 1], words)
    return np.array(list(compress(edges, kept)), dtype=np.int64)


def _after_closing(text: str, cut: int) -> int:
    """Move a cut behind the quotation marks that close the sentence before it."""
    if text[cut].isalnum() or text[cut - 1].isspace():
        return cut
    match = CLOSING.match(text, cut)
    return match.end() if match else cut


def _continues(text: str, before: int, cut: int, after: int, alone: bool, words: Vocabulary) -> bool:
    """Whether a sentence goes on across a cut between two others; ``alone`` if it began at the one before."""
    if not text[cut].isalnum() and _is_no_sentence(text, cut, after):
        return True
    left = text[before:cut].rstrip()
    if not left.endswith("."):
        return not left
    stop = before + len(left)
    if alone and len(left) < REACH and ENUMERATOR.fullmatch(text, before, cut):
        return True
    token = _last_token(text, stop)
    return _is_suspect(token, words) and _is_open(token, text, stop, cut, words)


def _is_no_sentence(text: str, cut: int, after: int) -> bool:
    """Whether a cut is followed by mere signs, or by a hyphen right at the full stop, as in "K.-o.-Spiel"."""
    if text[cut] in JOINING and not text[cut - 1].isspace():
        return True
    return not any(map(str.isalnum, text[cut : min(after, cut + REACH)]))


def _last_token(text: str, stop: int) -> str:
    """Return the token whose full stop ends at ``stop``, without that and without opening brackets."""
    tokens = text[max(0, stop - REACH) : stop - 1].rsplit(None, 1)
    return tokens[-1].lstrip(OPENING) if tokens else ""


def _is_suspect(token: str, words: Vocabulary) -> bool:
    """Whether a token with a full stop may be more than a sentence's last word: a quick guess."""
    return token.lower() in words.suspects or token.isupper() or len(token) < 2 or token[0].isdecimal()


def _is_open(token: str, text: str, stop: int, cut: int, words: Vocabulary) -> bool:
    """Whether a token with a full stop needs what follows on its right."""
    if token.lower() in words.never_end:
        return True
    right = text[cut : cut + REACH].lstrip()
    if ORDINAL.fullmatch(token):
        return right[:1].islower() or _is_ordinal(right, words)
    names = _names(token, text, stop)
    if not names.isdisjoint(words.never_end) or (right[:1].islower() and ROMAN.fullmatch(token)):
        return True
    if right[:1].isdecimal() and not names.isdisjoint(words.before_number):
        return True
    return (_is_initial(token) or not names.isdisjoint(words.may_end)) and not _is_starter(right, words)


def _names(token: str, text: str, stop: int) -> set[str]:
    """Return a token as the lists spell it, alone and with the single letters before it: ``b`` and ``z.b``."""
    tokens = text[max(0, stop - REACH) : stop - 1].rsplit(None, 4)[:-1]
    compound = token
    while tokens and len(letter := tokens.pop().lstrip(OPENING)) == 2 and letter[1] == ".":
        compound = letter + compound
    return {token.lower(), compound.lower()}


def _is_ordinal(right: str, words: Vocabulary) -> bool:
    match = WORD.match(right)
    noun = match.group() if match else ""
    return noun in ORDINAL_NOUNS or (words.ordinals and noun[:1].isupper() and noun not in words.starters)


def _is_initial(token: str) -> bool:
    return len(token) == 1 and token.isalpha()


def _is_starter(right: str, words: Vocabulary) -> bool:
    match = WORD.match(right)
    return match is not None and match.group() in words.starters and not right.startswith(".", match.end())


def _missed(text: str, words: Vocabulary, stop: int) -> int:
    """Return the cut after a full stop that ends at ``stop``, or 0 unless the words tell that it was missed."""
    match = CAPITAL.match(text, stop)
    if match is None or match.group(1) not in words.starters or not _is_last(text, stop, words):
        return 0
    return 0 if _is_enclosed(text[max(0, stop - BRACKET_REACH) : stop]) else match.end()


def _is_last(text: str, stop: int, words: Vocabulary) -> bool:
    """Whether the token with its full stop before ``stop`` is an abbreviation that can be a last word."""
    token = _last_token(text, stop)
    if not _is_suspect(token, words):
        return False
    names = _names(token, text, stop)
    return _is_initial(token) or not names.isdisjoint(words.may_end) or not names.isdisjoint(words.before_number)


def _is_enclosed(left: str) -> bool:
    """Whether a bracket or a quotation mark was opened in the last line and not closed."""
    left = left[left.rfind("\n") + 1 :]
    pairs = [("(", ")"), ("[", "]"), ("«", "»"), ("„", "“") if "„" in left else ("“", "”")]
    return left.count('"') % 2 == 1 or any(left.rfind(opening) > left.rfind(closing) for opening, closing in pairs)
