"""The inventory of an open vocabulary: headings of training documents, cleaned to phrases that a person would write.

Forms of one heading (case, plural, punctuation) become one phrase, its most frequent form. What fits one document
alone is left out: numbers, questions, sentences, identifiers, templates of one project, names.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property

from sector.text.abbreviations import words
from sector.text.headings import PATH, heading_key
from sector.text.stopwords import stop_words

LEAST = 2
"""Documents that have a heading,"""
LEAST_NAMES = 4
"""and one that might be a name: a single word, or every word with a capital."""
WORDS = 6
LETTERS = 48
"""Of the longest phrase."""
LOWER = 3.0
"""A word inside a heading is written small if this many times as many others write it so."""
EDGES = " \t\u00a0.,;:!–—-*•·'\"“”‘’`"
NUMBERING = re.compile(
    r"^(?:\d{1,2}(?:\.\d+)*[.)]?\s+|(?:[ivx]+|[a-z])[.)]\s+|(?:chapter|section|part|step|appendix)\s+\S+[:.]\s*)", re.I
)
ALLOWED = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*(?:,? (?:& )?[^\W\d_]+(?:['’-][^\W\d_]+)*)*")
"""Words and what stands between them: no digit, no bracket, no markup."""
CENTURY = re.compile(r"(?:(?:early|mid|late)[ -])?\d{1,2}(?:st|nd|rd|th)(?:[ -]century)?\b", re.I)
EXCEPTIONS = re.compile(r"COVID-19", re.I)
INNER_CAPITAL = re.compile(r"[a-z][A-Z]")
QUESTION = re.compile(
    r"^(?:i|are|can|could|did|do|does|how|is|should|was|were|what|when|where|which|who|why|will|would)\b", re.I
)
SPEAKS = words(
    "i'm i've we we're us our you you're your you'll my me he she they it's don't doesn't isn't can't won't let's is "
    "are was were be been will should must can may has have had do does did this these that those isn't if when"
)
"""Words that make a sentence of a heading."""
ALONE = words(
    "additional all alternative another basic best better both brief common current different due each early either "
    "entire every existing extra few final finally first following former further furthermore general getting given "
    "good great high higher however important initial key last late later latest least less like long low lower main "
    "major making many minor misc miscellaneous modern more most much n/a na new next none normal notable note notes "
    "old older only open other others overall own particular possible post pre present previous recent related same "
    "second several short similar simple single small some special specific such third total true two usual various "
    "whole yes using one ones three four five six seven eight nine ten todo tbd unknown untitled unnamed etc"
)
"""Words that name nothing when they stand alone."""
FOLLOWED, MODIFIER = 8, 0.1
"""A word that is followed by others in so many headings and is the last in fewer than this share is an adjective."""
SMALL = 3
"""Letters that a single word has at least."""


def clean_inventory(
    documents: Mapping[str, int] | Iterable[str], least: int = LEAST, most: int | None = 20_000, language: str = "en"
) -> list[str]:
    """Return heading phrases, those of the most documents first.

    Args:
        documents: in how many documents each heading stands, as it is written; of a path the last part counts.
        least: documents that a phrase needs; those that might be names need twice as many.
        most: phrases that are kept; None for all.
        language: whose function words are no phrase.
    """
    forms = _Forms(documents if isinstance(documents, Mapping) else Counter(documents), stop_words(language))
    kept = [(count, phrase) for phrase, count in forms.phrases.items() if count >= _needed(phrase, least)]
    kept.sort(key=lambda pair: (-pair[0], pair[1]))
    return [phrase for _, phrase in kept[:most]]


def cleaned(heading: str, stop: frozenset[str] = stop_words("en")) -> str:
    """Return a heading without numbering and edges; empty for one that no other document would have."""
    text = " ".join(heading.rpartition(PATH)[2].split())
    if text.startswith(("-", "`", "–")):
        return ""
    text = NUMBERING.sub("", text).strip(EDGES)
    inner = text.split()
    small = [word.lower().strip(",") for word in inner]
    bare = EXCEPTIONS.sub("Covid", CENTURY.sub("Nth century", text) if "century" in text.lower() else text)
    if not ALLOWED.fullmatch(bare) or len(inner) > WORDS or len(text) > LETTERS:
        return ""
    if heading.rstrip().endswith("?") or QUESTION.match(text) or INNER_CAPITAL.search(text) or SPEAKS & set(small):
        return ""
    if all(word in stop or word in ALONE or len(word) < SMALL for word in small) or (
        small[-1] in stop and inner[-1] != "I"
    ):
        return ""
    return _capital(" ".join(word.capitalize() if len(word) > 5 and word.isupper() else word for word in inner))


class _Forms:
    """Headings by what they have in common, and how often a word is written small."""

    def __init__(self, documents: Mapping[str, int], stop: frozenset[str]) -> None:
        self._counts: Counter[str] = Counter()
        self._stop = stop
        for heading, count in documents.items():
            if phrase := cleaned(heading, stop):
                self._counts[phrase] += count

    @cached_property
    def phrases(self) -> dict[str, int]:
        """The most frequent form of each phrase and in how many documents it stands in any form."""
        groups: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for phrase, count in self._counts.items():
            written = self._sentence_case(phrase)
            groups[heading_key(written)][written] += count
        best = {forms.most_common(1)[0][0]: forms.total() for forms in groups.values()}
        return {phrase: count for phrase, count in best.items() if " " in phrase or not self.is_modifier(phrase)}

    def _sentence_case(self, phrase: str) -> str:
        """Write small what other headings write small, where every word of this one has a capital."""
        first, *rest = phrase.split()
        titled = [word for word in rest if word[:1].isupper()]
        if len(titled) < len([word for word in rest if word.lower() not in self._stop]) or self._is_name(first):
            return phrase
        return " ".join([first, *map(str.lower, rest)]) if all(map(self._is_small, titled)) else phrase

    def _is_small(self, word: str) -> bool:
        low, high = self._cases[word.lower().strip(",")]
        return not word.isupper() and low >= LOWER * max(1, high)

    def _is_name(self, word: str) -> bool:
        """Whether a word is mostly written with a capital where it is not the first."""
        low, high = self._cases[word.lower().strip(",")]
        return high > low

    def is_modifier(self, word: str) -> bool:
        """Whether other words mostly follow this one, as after an adjective; then it is no title alone."""
        followed, last = self._places[word.lower()]
        return followed >= FOLLOWED and last < MODIFIER * followed

    @cached_property
    def _places(self) -> defaultdict[str, list[int]]:
        """For each word of headings of several words: in how many another follows it, and in how many none does."""
        found: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
        for phrase in self._counts:
            several = phrase.lower().replace(",", " ,").split()
            for number, word in enumerate(several if len(several) > 1 else ()):
                after = several[number + 1] if number + 1 < len(several) else ","
                found[word][after == "," or after in self._stop] += 1
        return found

    @cached_property
    def _cases(self) -> defaultdict[str, list[int]]:
        """For each word inside a heading that is not all in capitals: how often it is small, and how often not."""
        found: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
        for phrase, count in self._counts.items():
            rest = [word.strip(",") for word in phrase.split()[1:]]
            if any(word[:1].islower() and word not in self._stop for word in rest):
                for word in rest:
                    found[word.lower()][word[:1].isupper()] += count
        return found


def _needed(phrase: str, least: int) -> int:
    """Return how many documents a phrase needs."""
    rest = phrase.split()[1:]
    might_be_name = not any(word[:1].islower() for word in rest)
    return max(least, LEAST_NAMES * least // LEAST) if might_be_name else least


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
