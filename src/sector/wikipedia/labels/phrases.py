"""Headings to phrases: the parts of a path, the members of a list, and in each the words that can be its noun.

"History | Cities and towns of the region (1910–1933)" has the parts "history" and "cities and towns of the
region (1910–1933)"; the second has the phrases "cities" and "towns". Brackets, numbers and what a preposition
adds are left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sector.text.abbreviations import words

PATH = " | "
"""What joins the parts of an unfolded heading."""
_BRACKETS = re.compile(r"\[[^\]]*\]|\([^)]*\)")
_BREAKS = re.compile(r"[,;:/&+–—]| - ")
_WORD = re.compile(r"(?<![\w])[^\W\d_][\w'’-]*")

Phrase = tuple[str, ...]
"""The words of a phrase in lower case."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """What is needed of a language to find the noun of a phrase."""

    conjunctions: frozenset[str] = frozenset()
    prepositions: frozenset[str] = frozenset()
    """Words that end a phrase: its noun stands before them."""
    openers: frozenset[str] = frozenset()
    """Articles and fillers that are dropped at the beginning."""
    head_first: bool = False
    """Whether adjectives follow the noun, as in Romance languages."""
    compounds: bool = False
    """Whether a word that the lexicon does not have may end in a noun that it has: pathophysiology."""
    closed: bool = False
    """Whether that is so common that words it has are split as well, if nothing else fits: Kulturgeschichte."""


GRAMMARS = {
    "en": Grammar(
        words("and or vs versus"),
        words(
            "of in for by with from to on at as during after before among between against within without under over "
            "through around near since about involving affecting associated based"
        ),
        words("the a an other others its their more further some"),
        compounds=True,
    ),
    "de": Grammar(
        words("und oder sowie bzw"),
        words(
            "von vom in im ins an am auf aus bei beim mit nach seit für durch über unter zu zum zur um vor während "
            "zwischen gegen ohne ab bis der des den dem als wegen"
        ),
        words("der die das den dem des ein eine eines einer weitere andere sonstige allgemeine"),
        compounds=True,
        closed=True,
    ),
    "nl": Grammar(
        words("en of"),
        words("van in op aan bij met voor door over na tot uit om"),
        words("de het een"),
        compounds=True,
        closed=True,
    ),
    "pt": Grammar(
        words("e ou"),
        words("de da do das dos em na no nas nos por para com sem sobre entre desde até pelo pela"),
        words("o a os as um uma outros outras"),
        head_first=True,
    ),
    "es": Grammar(
        words("y e o u"),
        words("de del en por para con sin sobre entre desde hasta a al"),
        words("el la los las un una otros otras"),
        head_first=True,
    ),
    "fr": Grammar(
        words("et ou"),
        words("de du des d en dans par pour avec sans sur entre depuis à au aux"),
        words("le la les l un une autres"),
        head_first=True,
    ),
    "it": Grammar(
        words("e ed o"),
        words("di del della dei delle da dal in nel nella per con su tra fra a al alla"),
        words("il lo la i gli le un una altri altre"),
        head_first=True,
    ),
}
"""By ISO 639-1 code; another language is read as nouns that stand last, without lists."""


def grammar_of(language: str) -> Grammar:
    """Return the rules of a language, or none."""
    return GRAMMARS.get(language, Grammar())


def phrases(heading: str, grammar: Grammar) -> list[list[Phrase]]:
    """Return the phrases of every part of a heading, the outermost part first; a part may have none."""
    return [_part(part, grammar) for part in heading.lower().split(PATH)]


def expressions(phrase: Phrase, grammar: Grammar) -> list[Phrase]:
    """Return what to look up, the most specific first: cognitive behavioral therapy, behavioral therapy, therapy."""
    size = len(phrase)
    if grammar.head_first:
        return [phrase[:end] for end in range(size, 0, -1)]
    return [phrase[start:] for start in range(size)]


def _part(part: str, grammar: Grammar) -> list[Phrase]:
    pieces: list[list[str]] = [[]]
    for piece in _BREAKS.split(_BRACKETS.sub(" ", part)):
        pieces.append([])
        for word in _WORD.findall(piece.replace("’", "'")):
            if word in grammar.conjunctions:
                pieces.append([])
            else:
                pieces[-1].append(word)
    found = (_noun_phrase(piece, grammar) for piece in pieces)
    return [phrase for phrase in found if phrase]


def _noun_phrase(piece: list[str], grammar: Grammar) -> Phrase:
    skipped = grammar.openers | grammar.prepositions
    start = next((i for i, word in enumerate(piece) if word not in skipped), len(piece))
    rest = piece[start:]
    end = next((i for i, word in enumerate(rest) if word in grammar.prepositions), len(rest))
    return tuple(rest[:end])
