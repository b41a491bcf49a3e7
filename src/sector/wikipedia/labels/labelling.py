"""From a data set's headings to a topic for each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sector.errors import DataError
from sector.wikipedia.labels.counts import Counts, count
from sector.wikipedia.labels.lexicons.base import SynsetLexicon
from sector.wikipedia.labels.matching import Candidates, MatchedHeading, Matcher
from sector.wikipedia.labels.overrides import Overrides
from sector.wikipedia.labels.phrases import grammar_of
from sector.wikipedia.labels.tail import Tail
from sector.wikipedia.labels.topics import OTHER, Topic, TopicRange, find_topics


@dataclass
class Labelling:
    """The topics of a data set, and which of them a heading has."""

    topics: Sequence[Topic]
    matcher: Matcher
    overrides: Overrides = field(default_factory=Overrides)
    independent: frozenset[tuple[int, int]] = frozenset()
    """Pairs of topics, outer and inner, whose inner one counts: see `independent_pairs`."""

    def __post_init__(self) -> None:
        self._by_lemma = {lemma: i for i, topic in enumerate(self.topics) for lemma in topic.lemmas}
        self._tail = Tail(self.topics, self.matcher)
        self._labels: dict[str, str] = {}

    def label(self, heading: str) -> str:
        """Return the topic's name for a heading, or `other`."""
        if heading not in self._labels:
            topic = self._topic(self.matcher.match(heading))
            self._labels[heading] = OTHER if topic is None else self.topics[topic].name
        return self._labels[heading]

    def outer_and_inner(self, matched: MatchedHeading) -> tuple[int | None, int | None]:
        """Return the topics of the first two parts, as far as they are of the head."""
        first, second = ((part[0] if part else ()) for part in (*matched, (), ())[:2])
        return self._direct(first), self._direct(second)

    def _topic(self, matched: MatchedHeading) -> int | None:
        """Prefer the outer parts to the inner ones, and the head's lemmas anywhere to the tail's."""
        outer, inner = self.outer_and_inner(matched)
        if outer is not None and inner is not None and (outer, inner) in self.independent:
            return inner
        phrases = [candidates for part in matched for candidates in part if not self._is_ignored(candidates)]
        known = next((topic for candidates in phrases if (topic := self._direct(candidates)) is not None), None)
        if known is not None:
            return known
        near = (self._tail.nearest(lemma) for candidates in phrases for lemma in candidates)
        return next((topic for topic in near if topic is not None), None)

    def _direct(self, candidates: Candidates) -> int | None:
        return next((self._by_lemma[lemma] for lemma in candidates if lemma in self._by_lemma), None)

    def _is_ignored(self, candidates: Candidates) -> bool:
        return any(lemma in self.overrides.other for lemma in candidates)


def build_labelling(
    documents: Iterable[Sequence[str]],
    lexicon: SynsetLexicon,
    language: str = "en",
    wanted: TopicRange | None = None,
    overrides: Overrides | None = None,
) -> tuple[Labelling, Counts]:
    """Find the topics of documents, each given as its headings in order."""
    matcher = Matcher(lexicon, grammar_of(language))
    overrides = (overrides or Overrides()).resolved(matcher)
    counts = count(documents, matcher)
    if not counts.sections:
        raise DataError(_nothing_matched(counts, lexicon, language))
    left = (wanted or TopicRange()).less(len(overrides.topics))
    topics = overrides.apply(find_topics(counts, matcher.entries, left, overrides.steered), matcher)
    plain = Labelling(topics, matcher, overrides)
    return Labelling(topics, matcher, overrides, independent_pairs(plain, counts)), counts


def independent_pairs(labelling: Labelling, counts: Counts) -> frozenset[tuple[int, int]]:
    """Find inner topics that are at home below an outer one, like the climate below the geography of a city.

    A section's topic is that of its outermost heading. But a topic that stands below one outer topic more often
    than by itself would lose most of its sections that way.
    """
    alone: Counter[int] = Counter()
    below: Counter[tuple[int, int]] = Counter()
    for matched in (matched for outline in counts.outlines for matched in outline):
        outer, inner = labelling.outer_and_inner(matched)
        if outer is not None:
            alone[outer] += 1
        if outer is not None and inner is not None and outer != inner:
            below[outer, inner] += 1
    return frozenset(pair for pair, number in below.items() if number > alone[pair[1]])


def _nothing_matched(counts: Counts, lexicon: SynsetLexicon, language: str) -> str:
    if not counts.headings.keys() - {""}:
        return "The data has no headings, so there is nothing to make topics of; choose data with sectionHeading."
    message = f"None of its {len(counts.headings):,} headings is in the lexicon '{lexicon.name}'"
    return f"{message} as {language}; check --language and --lexicon."
