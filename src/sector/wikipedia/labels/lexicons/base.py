"""What a lexicon is: expressions in, noun synsets out, and the relations between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sector.errors import SectorError


class LexiconError(SectorError):
    """A lexicon is missing, broken or cannot be reached; the message says where it comes from."""


@dataclass(frozen=True, slots=True)
class Synset:
    """One sense: the nouns that share it and what it is near to."""

    id: str
    lemmas: tuple[str, ...]
    """The nouns of the sense in lower case, words separated by spaces, the best one first."""
    gloss: str = ""
    """A definition in the lexicon's words; empty where there is none."""
    broader: tuple[str, ...] = ()
    """Ids of the senses right above it."""
    kin: tuple[str, ...] = ()
    """Ids of what it is derived from, of any part of speech: two senses with a common one are related."""


@dataclass(frozen=True, slots=True)
class LexicalEntry:
    """What a lexicon holds for an expression."""

    lemma: str
    """The expression as the lexicon writes it: the singular of a plural, in lower case."""
    synsets: tuple[Synset, ...]
    """Its senses as a common noun, the most usual first."""


class SynsetLexicon(Protocol):
    """Any source of noun synsets; a new one is a new file, listed in `lexicons/__init__.py`."""

    @property
    def name(self) -> str:
        """What users type after ``--lexicon``."""
        ...

    def find(self, expression: str) -> LexicalEntry | None:
        """Look up an expression in lower case, inflected or not; None where it is no common noun."""
        ...

    def synset(self, id: str) -> Synset | None:
        """Return the sense with an id of `Synset.broader`; None where the lexicon does not have it."""
        ...


def distinct(synsets: Sequence[Synset]) -> tuple[Synset, ...]:
    """Return each sense once, at its first place."""
    return tuple({synset.id: synset for synset in synsets}.values())
