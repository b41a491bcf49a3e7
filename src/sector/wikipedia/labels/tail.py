"""The tail of the lemmas: which topic a rare lemma belongs to, by what its senses are near to.

Chemotherapy is below therapy, so it is about treatment; the gloss of prevalence mentions epidemiology. A lemma
whose senses lead nowhere, or to many topics a little, is left alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sector.wikipedia.labels.graph import sense_shares
from sector.wikipedia.labels.lexicons.base import Synset
from sector.wikipedia.labels.matching import Matcher
from sector.wikipedia.labels.topics import Topic

STEPS_UP, PER_STEP = 3, 0.5
"""How far up the broader senses are followed, and what each step leaves of a sense's weight."""
KIN, GLOSS = 0.3, 0.3
"""What a common origin, and a topic's lemma in the gloss, are worth of a sense's weight."""
LEAST = 0.1
"""A topic must have so much of a lemma's weight."""
_WORD = re.compile(r"[^\W\d_]{4,}")


@dataclass
class Tail:
    """Finds the nearest topic of lemmas that were not clustered."""

    topics: Sequence[Topic]
    matcher: Matcher
    _near: dict[str, int | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._by_lemma = {lemma: i for i, topic in enumerate(self.topics) for lemma in topic.lemmas}
        self._by_synset = {id: i for i, topic in enumerate(self.topics) for id in topic.synsets}
        self._by_origin: dict[str, set[int]] = defaultdict(set)
        for id, topic in self._by_synset.items():
            synset = self.matcher.synset(id)
            for origin in synset.kin if synset else ():
                self._by_origin[origin].add(topic)

    def nearest(self, lemma: str) -> int | None:
        """Return the number of the topic that a lemma belongs to, if it is near to any."""
        if lemma not in self._near:
            weights = self._weights(lemma)
            best = min(weights, key=lambda topic: (-weights[topic], topic), default=None)
            self._near[lemma] = best if best is not None and weights[best] >= LEAST else None
        return self._near[lemma]

    def _weights(self, lemma: str) -> Mapping[int, float]:
        weights: dict[int, float] = defaultdict(float)
        entry = self.matcher.entries[lemma]
        for synset, share in zip(entry.synsets, sense_shares(entry).values(), strict=True):
            if synset.id in self._by_synset:
                weights[self._by_synset[synset.id]] += share
            for topic, weight in self._above(synset):
                weights[topic] += share * weight
            for topic in {topic for origin in synset.kin for topic in self._by_origin.get(origin, ())}:
                weights[topic] += share * KIN
            mentioned = self._mentioned(synset, lemma)
            for topic in mentioned:
                weights[topic] += share * GLOSS / len(mentioned)
        return weights

    def _above(self, synset: Synset) -> Iterable[tuple[int, float]]:
        level, weight = [synset], 1.0
        for _ in range(STEPS_UP):
            weight *= PER_STEP
            above = [id for lower in level for id in lower.broader]
            yield from ((self._by_synset[id], weight) for id in above if id in self._by_synset)
            broader = (self.matcher.synset(id) for id in above if id not in self._by_synset)
            level = [found for found in broader if found is not None]

    def _mentioned(self, synset: Synset, lemma: str) -> set[int]:
        """Return the topics whose lemmas the definition mentions; the examples after it are left out."""
        definition = synset.gloss.partition('"')[0].lower()
        entries = (self.matcher.lexicon.find(word) for word in dict.fromkeys(_WORD.findall(definition)))
        lemmas = {entry.lemma for entry in entries if entry is not None} - {lemma}
        return {self._by_lemma[found] for found in lemmas if found in self._by_lemma}
