"""A section's key phrase: the words that it has and the rest of the document has not (c-TF-IDF, Grootendorst 2022).

A candidate is a run of one to three words between stop words and punctuation. It counts for how often it stands in the
section, for how few of the document's sections have it, and for its length. Where headings are known, its last word is
one that headings end with: a noun, mostly.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from math import log

from sector.document import Document
from sector.segmentation import SectionSpans
from sector.text.abbreviations import words
from sector.text.stopwords import stop_words

LONGEST = 3
"""Words of a phrase."""
CHARACTERS = 20_000
"""Of a section that are looked at."""
LENGTH_BONUS = 0.35
"""What each further word of a phrase is worth: one alone says little."""
WORD = re.compile(r"[^\W\d_][\w'’-]*[^\W_]|[^\W\d_]")
BETWEEN = re.compile(r"[ \t\r\n]+")
VERBS = re.compile(r"(?:ed|ing|ly|ize|ise|ify)$")
"""Endings of words that are seldom the last one of a title."""
VAGUE = frozenset(
    words(
        "also are been being called can come could day days does done etc even example first found four "
        "gave get gets give given gives go goes going good had has have held him however include included "
        "includes including it known last later like long made make makes making many may means might "
        "more most much must new next number often old one ones order other others part parts people "
        "person put said same say says second see seen set several shall should since six small so some "
        "such take taken takes tell than that them then there these they thing things third this those "
        "three thus time times today took two type types use used useful uses using want was way ways "
        "well went were what when where which while who whole whose will with work works would year years "
        "yes"
    )
)
"""Words that name nothing, whatever their frequency."""


class KeyPhrases:
    """The key phrases of a document's sections; nothing is counted before the first one is asked for."""

    def __init__(self, read: Document, spans: SectionSpans, heads: frozenset[str] = frozenset()) -> None:
        """``heads`` are words that titles end with, in lower case; a phrase must, too. Without any, every word may."""
        self._read, self._spans, self._heads = read, spans, heads
        self._stop = stop_words(read.language or "") | VAGUE

    def best(self, section: int) -> str:
        """Return the phrase of a section as a title would write it; empty if it has no word that names anything."""
        counts = self._counts[section]
        total = sum(counts.values())
        if not total:
            return ""
        best = max(counts, key=lambda phrase: (self._weight(phrase, counts[phrase], total), phrase))
        return self._written(section, best)

    def _weight(self, phrase: tuple[str, ...], count: int, total: int) -> float:
        """Return the frequency in the section, squeezed, times its rarity among sections, times the length's worth."""
        rarity = log(1 + len(self._counts) / self._sections[phrase])
        weak = 0.5 if VERBS.search(phrase[-1]) else 1.0
        return log(1 + count) * rarity * (1 + LENGTH_BONUS * (len(phrase) - 1)) * weak

    @cached_property
    def _counts(self) -> list[Counter[tuple[str, ...]]]:
        return [Counter(tuple(found) for found, _ in self._phrases(number)) for number in range(len(self._spans))]

    @cached_property
    def _sections(self) -> Counter[tuple[str, ...]]:
        """In how many sections each phrase stands."""
        return Counter(phrase for counts in self._counts for phrase in counts)

    def _phrases(self, section: int) -> Iterator[tuple[list[str], str]]:
        """Return the candidates of a section, in lower case and as they are written."""
        first, last = int(self._spans.first[section]), int(self._spans.last[section])
        text = "\0".join(self._read.sentence_texts[first:last])[:CHARACTERS]
        run: list[re.Match[str]] = []
        for word in WORD.finditer(text):
            if run and not BETWEEN.fullmatch(text, run[-1].end(), word.start()):
                run = []
            if len(word[0]) < 3 or word[0].lower() in self._stop:
                run = []
                continue
            run = [*run[-LONGEST + 1 :], word]
            if self._heads and word[0].lower() not in self._heads:
                continue
            for length in range(1, len(run) + 1):
                chosen = run[-length:]
                yield [part[0].lower() for part in chosen], text[chosen[0].start() : chosen[-1].end()]

    def _written(self, section: int, phrase: tuple[str, ...]) -> str:
        """Return the phrase as the section mostly writes it, with a capital."""
        forms = Counter(" ".join(form.split()) for found, form in self._phrases(section) if tuple(found) == phrase)
        form = forms.most_common(1)[0][0]
        return form[:1].upper() + form[1:]
