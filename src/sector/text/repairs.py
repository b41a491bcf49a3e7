"""Repairs of the sentence boundaries within one line: which cuts are none, and which were missed.

A cut is an offset at which a new sentence begins. Each is judged by the tokens next to it, in a window of
fixed size, so that the work per cut is constant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sector.text.abbreviations import ORDINAL_NOUNS, Vocabulary

REACH = 32
"""How many characters to each side of a cut are looked at."""
BRACKET_REACH = 256
"""How far back an open bracket or quotation mark is looked for."""
OPENING = "([{\"'„“”‚‘’«»‹›"
JOINING = "-–—/,;:"
CLOSING = re.compile(r"[\"'“”’»)\]]{1,4}\s+")
ENUMERATOR = re.compile(
    r"\s*(?:[-–—*•·]\s*)?[(\[]?(?:\d{1,3}(?:\.\d{1,3})*|[^\W\d_]|[ivxlcIVXLC]{1,6})[.)\]]{1,2}\s*"
)
ORDINAL = re.compile(r"(?:\d{1,3}\.?[/–-])?\d{1,3}")
ROMAN = re.compile(r"[IVXLC]+")
WORD = re.compile(r"[^\W\d_][\w-]*+")
CAPITAL = re.compile(r"\.\s+(?=([A-ZÀ-ÖØ-Þ]\w*+)[\s,])")
"""A full stop before a word with a capital letter."""


def repair(line: str, cuts: Sequence[int], words: Vocabulary) -> Sequence[int]:
    """Give the offsets at which the line's sentences begin, without the first, from those of sentencex."""
    missed = _missed(line, cuts, words)
    if missed:
        cuts = sorted({*cuts, *missed})
    if not cuts:
        return cuts
    edges = (0, *(_after_closing(line, cut) for cut in cuts), len(line))
    kept = [0]
    for before, cut, after in zip(edges, edges[1:], edges[2:], strict=False):
        if before < cut < after and not _continues(line, kept[-1], before, cut, after, words):
            kept.append(cut)
    return kept[1:]


def _after_closing(line: str, cut: int) -> int:
    """Move a cut behind the quotation marks that close the sentence before it."""
    if line[cut].isalnum() or line[cut - 1].isspace():
        return cut
    match = CLOSING.match(line, cut)
    return match.end() if match else cut


def _continues(line: str, start: int, before: int, cut: int, after: int, words: Vocabulary) -> bool:
    """Whether the sentence from ``start`` goes on across a cut between the cuts ``before`` and ``after``."""
    if not line[cut].isalnum() and _is_no_sentence(line, cut, after):
        return True
    left = line[before:cut].rstrip()
    if not left.endswith("."):
        return not left
    stop = before + len(left)
    if start == before and len(left) < REACH and ENUMERATOR.fullmatch(line, start, cut):
        return True
    token = _last_token(line, stop)
    return _is_suspect(token, words) and _is_open(token, line, stop, cut, words)


def _is_no_sentence(line: str, cut: int, after: int) -> bool:
    """Whether a cut is followed by mere signs, or by a hyphen right at the full stop, as in "K.-o.-Spiel"."""
    if line[cut] in JOINING and not line[cut - 1].isspace():
        return True
    return not any(map(str.isalnum, line[cut : min(after, cut + REACH)]))


def _last_token(line: str, stop: int) -> str:
    """Give the token whose full stop ends at ``stop``, without that and without opening brackets."""
    tokens = line[max(0, stop - REACH) : stop - 1].rsplit(None, 1)
    return tokens[-1].lstrip(OPENING) if tokens else ""


def _is_suspect(token: str, words: Vocabulary) -> bool:
    """Whether a token with a full stop may be more than a sentence's last word: a quick guess."""
    return token.lower() in words.suspects or token.isupper() or len(token) < 2 or token[0].isdecimal()


def _is_open(token: str, line: str, stop: int, cut: int, words: Vocabulary) -> bool:
    """Whether a token with a full stop needs what follows on its right."""
    right = line[cut : cut + REACH].lstrip()
    if ORDINAL.fullmatch(token):
        return right[:1].islower() or _is_ordinal(right, words)
    names = _names(token, line, stop)
    if not names.isdisjoint(words.never_end) or (right[:1].islower() and ROMAN.fullmatch(token)):
        return True
    if right[:1].isdecimal() and not names.isdisjoint(words.before_number):
        return True
    return (_is_initial(token) or not names.isdisjoint(words.may_end)) and not _is_starter(right, words)


def _names(token: str, line: str, stop: int) -> set[str]:
    """Give a token as the lists spell it, alone and with the single letters before it: ``b`` and ``z.b``."""
    tokens = line[max(0, stop - REACH) : stop - 1].rsplit(None, 4)[1:-1]
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


def _missed(line: str, cuts: Sequence[int], words: Vocabulary) -> list[int]:
    """Give the cuts that sentencex left out: at abbreviations that are last words, as the next word tells."""
    found = set(cuts)
    return [
        match.end()
        for match in CAPITAL.finditer(line)
        if match.end() not in found
        and match.group(1) in words.starters
        and _is_last(line, match.start() + 1, words)
        and not _is_enclosed(line[max(0, match.start() - BRACKET_REACH) : match.start()])
    ]


def _is_last(line: str, stop: int, words: Vocabulary) -> bool:
    """Whether the token with its full stop before ``stop`` is an abbreviation that can be a last word."""
    token = _last_token(line, stop)
    if not _is_suspect(token, words):
        return False
    names = _names(token, line, stop)
    return (
        _is_initial(token) or not names.isdisjoint(words.may_end) or not names.isdisjoint(words.before_number)
    )


def _is_enclosed(left: str) -> bool:
    """Whether a bracket or a quotation mark was opened and not closed."""
    pairs = [("(", ")"), ("[", "]"), ("«", "»"), ("„", "“") if "„" in left else ("“", "”")]
    return left.count('"') % 2 == 1 or any(
        left.rfind(opening) > left.rfind(closing) for opening, closing in pairs
    )
