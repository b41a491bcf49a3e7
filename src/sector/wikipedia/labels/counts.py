"""What is counted in the headings of a data set before anything is clustered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from sector.wikipedia.labels.matching import MatchedHeading, Matcher

Pair = tuple[str, str]
"""Two lemmas in the order of the alphabet."""


@dataclass
class Counts:
    """Headings as lemmas, document by document, and how often they occur."""

    sections: Counter[str] = field(default_factory=Counter)
    """Sections by the lemma that leads their heading."""
    mentions: Counter[str] = field(default_factory=Counter)
    """Heading parts by each lemma that is in them."""
    joined: Counter[Pair] = field(default_factory=Counter)
    """Heading parts that join two lemmas: "Signs and symptoms"."""
    headings: Counter[str] = field(default_factory=Counter)
    outlines: list[list[MatchedHeading]] = field(default_factory=list)
    """The headings of each document, in order."""

    def add(self, headings: Sequence[str], matcher: Matcher) -> None:
        """Count one document."""
        outline = [matcher.match(heading) for heading in headings]
        self.outlines.append(outline)
        self.headings.update(headings)
        for matched in outline:
            self._count(matched)

    def head(self, share: float = 1.0) -> list[str]:
        """Return the lemmas of the head by the head/tail rule: those that lead no fewer sections than the mean.

        ``share`` lowers the mean. The most frequent lemma comes first.
        """
        mean = share * self.sections.total() / max(len(self.sections), 1)
        return [lemma for lemma, count in ranked(self.sections) if count >= mean]

    def _count(self, matched: MatchedHeading) -> None:
        leading = leading_lemma(matched)
        if leading is not None:
            self.sections[leading] += 1
        for part in matched:
            lemmas = sorted({candidates[0] for candidates in part})
            self.mentions.update(lemmas)
            self.joined.update(combinations(lemmas, 2))


def leading_lemma(matched: MatchedHeading) -> str | None:
    """Return the first lemma of a heading: the paper's topics follow the outermost part."""
    return next((candidates[0] for part in matched for candidates in part), None)


def ranked(counts: Counter[str]) -> list[tuple[str, int]]:
    """Return the entries, most frequent first; ties in the order of the alphabet, so that a run can be repeated."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def count(documents: Iterable[Sequence[str]], matcher: Matcher) -> Counts:
    """Count the headings of documents."""
    counts = Counts()
    for headings in documents:
        counts.add(headings, matcher)
    return counts
