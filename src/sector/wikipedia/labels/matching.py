"""Headings to lemmas: each phrase is looked up, and what a lexicon does not have backs off to its head."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sector.wikipedia.labels.lexicons.base import LexicalEntry, Synset, SynsetLexicon
from sector.wikipedia.labels.phrases import Grammar, Phrase, expressions, phrases

SHORTEST_HEAD, SHORTEST_MODIFIER = 4, 3
"""Letters that the two halves of a word like "pathophysiology" have at least."""
CLOSED_HEAD, CLOSED_MODIFIER = 5, 4
"""The same where the lexicon has the whole word, too: "Ausbildung" is no kind of "Bildung"."""
HEAD_SENSES = 2
"""So many senses of its head stand above a compound that the lexicon does not have."""

Candidates = tuple[str, ...]
"""The lemmas of one phrase, the most specific first, the bare head noun last."""
MatchedHeading = tuple[tuple[Candidates, ...], ...]
"""By part, outermost first, and phrase; a phrase without a lemma is left out, a part may be empty."""


@dataclass
class Matcher:
    """Looks headings up in a lexicon and remembers what it found."""

    lexicon: SynsetLexicon
    grammar: Grammar
    entries: dict[str, LexicalEntry] = field(default_factory=dict)
    """Every lemma that was matched so far, with its senses."""
    _taught: dict[Phrase, LexicalEntry] = field(default_factory=dict)
    _headings: dict[str, MatchedHeading] = field(default_factory=dict)
    _found: dict[Phrase, LexicalEntry | None] = field(default_factory=dict)

    def match(self, heading: str) -> MatchedHeading:
        """Return the lemmas of a heading."""
        if heading not in self._headings:
            parts = phrases(heading, self.grammar)
            candidates = ((self._candidates(phrase) for phrase in part) for part in parts)
            self._headings[heading] = tuple(tuple(found for found in part if found) for part in candidates)
        return self._headings[heading]

    def teach(self, expression: str) -> str:
        """Add an expression that the lexicon does not have as a sense of its own; return its lemma."""
        words = tuple(expression.lower().split())
        entry = self._look_up(words)
        if entry is None:
            *modifiers, last = words
            head = self._look_up((last,))
            lemma = " ".join((*modifiers, head.lemma if head else last))
            entry = _own_entry(lemma, head)
            self._taught[tuple(lemma.split())] = entry
            self._found.clear()
        self.entries.setdefault(entry.lemma, entry)
        return entry.lemma

    def synset(self, id: str) -> Synset | None:
        """Return a sense by its id, made here or known to the lexicon."""
        if id.startswith(_OWN):
            return self.entries[id.removeprefix(_OWN)].synsets[0]
        return self.lexicon.synset(id)

    def _candidates(self, phrase: Phrase) -> Candidates:
        found = [entry for entry in map(self._look_up, expressions(phrase, self.grammar)) if entry is not None]
        if not found and phrase and self.grammar.compounds:
            found = [entry for entry in [self._compound(phrase[-1])] if entry is not None]
        if found and self.grammar.closed:
            found += [head for _, head in self._heads(phrase[-1], CLOSED_MODIFIER, CLOSED_HEAD)]
        for entry in found:
            self.entries.setdefault(entry.lemma, entry)
        return tuple(dict.fromkeys(entry.lemma for entry in found))

    def _look_up(self, phrase: Phrase) -> LexicalEntry | None:
        if phrase not in self._found:
            text = " ".join(phrase)
            spellings = dict.fromkeys((text, text.replace("-", " "), text.replace("-", "")))
            entries = (self.lexicon.find(spelling) for spelling in spellings)
            found = next((entry for entry in entries if entry is not None), None)
            self._found[phrase] = found or self._look_up_taught(phrase)
        return self._found[phrase]

    def _look_up_taught(self, phrase: Phrase) -> LexicalEntry | None:
        if not self._taught or phrase in self._taught:
            return self._taught.get(phrase)
        head = self._look_up(phrase[-1:]) if len(phrase) > 1 else None
        return self._taught.get((*phrase[:-1], *head.lemma.split())) if head else None

    def _compound(self, word: str) -> LexicalEntry | None:
        """Return a word that ends in a known noun a sense of its own below that noun's senses."""
        found = next(self._heads(word, SHORTEST_MODIFIER, SHORTEST_HEAD), None)
        if found is None:
            return None
        modifier, head = found
        return _own_entry(modifier + head.lemma, head)

    def _heads(self, word: str, modifier: int, head: int) -> Iterator[tuple[str, LexicalEntry]]:
        """Split a word before each known noun at its end, the longest first."""
        for start in range(modifier, len(word) - head + 1):
            if word[start:].isalpha() and (entry := self._look_up((word[start:],))) is not None:
                yield word[:start], entry


def _own_entry(lemma: str, head: LexicalEntry | None) -> LexicalEntry:
    above = tuple(synset.id for synset in head.synsets[:HEAD_SENSES]) if head else ()
    return LexicalEntry(lemma, (Synset(_OWN + lemma, (lemma,), "", above),))


_OWN = "own:"
