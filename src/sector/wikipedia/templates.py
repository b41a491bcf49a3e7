"""The few templates that stand for words of a sentence: ``{{convert|5|km}}`` is read as "5 km".

All other templates are boxes, notes and references; they vanish. Without this table sentences would have
holes: "sees of precipitation". Names are compared in lower case.
"""

from __future__ import annotations

import re
from itertools import takewhile

_ARGUMENT = {
    **dict.fromkeys(("nowrap", "nobr", "nobreak", "small", "smaller", "big", "sup", "sub", "abbr", "tooltip"), 1),
    **dict.fromkeys(("quote", "blockquote", "cquote", "quotation", "zitat", "citation bloc", "formatnum", "val"), 1),
    **dict.fromkeys(("lang", "langue", "sprache"), 2),
}
"""Which argument is shown."""
_FIXED = {
    **dict.fromkeys(("ndash", "snd", "spaced ndash", "spnd", "–"), " – "),
    **dict.fromkeys(("mdash", "spaced mdash", "—"), " — "),
    **dict.fromkeys(("nbsp", "space", "thinsp"), " "),
    "'": "'",
    "!": "|",
    "=": "=",
    "·": " · ",
}
_LAST = ("transl", "transliteration")
"""Templates that show their last argument."""
_CONVERSIONS = ("convert", "cvt")
_CIRCA = ("circa", "c.", "ca.")
_BETWEEN = ("to", "-", "–", "and", "x", "×", "by", "or", "and(-)", "to(-)", "+/-", "±")
_NAMED = re.compile(r"[\w -]++=")
_NUMBER = re.compile(r"[-−+]?[\d.,/+ ]+")


def shown(name: str, content: str) -> str:
    """Return the words that a template stands for; empty for those that show none."""
    key = name.casefold()
    if key in _FIXED:
        return _FIXED[key]
    rank = 1 if key.startswith("lang-") else _ARGUMENT.get(key, 0)
    if rank:
        return _argument(content, rank)
    if key in _LAST:
        return next(reversed(_arguments(content)), "")
    if key in _CONVERSIONS:
        return _measure(_arguments(content))
    return f"c. {_argument(content, 1)}" if key in _CIRCA else ""


def _arguments(content: str) -> list[str]:
    return [part for part in map(str.strip, content.split("|")[1:]) if not _NAMED.match(part)]


def _argument(content: str, rank: int) -> str:
    """Return an argument by its place or, as templates do where it contains ``=``, by its number or ``text``."""
    for name in (f"{rank}", "text"):
        found = re.search(rf"\|\s*{name}\s*=([^|]*)", content)
        if found:
            return found[1].strip()
    return next(iter(_arguments(content)[rank - 1 :]), "")


def _measure(arguments: list[str]) -> str:
    """Return the numbers and the first unit of a conversion, which may be a range."""
    numbers = list(takewhile(lambda each: each in _BETWEEN or _NUMBER.fullmatch(each), arguments))
    return " ".join(arguments[: len(numbers) + 1]) if numbers else ""
