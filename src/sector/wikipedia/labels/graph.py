"""The graph of synsets: nodes are the senses of the headings' lemmas, edges say that two senses can mean one topic.

As in the paper, senses that share a heading's lemma are joined. A lemma's weight is spread over its senses by
their rank, so the usual sense of each lemma draws more than the rare ones. Further edges come from headings that
join two lemmas ("Signs and symptoms"), compounds with their head ("differential diagnosis"), the lexicon's own
relations, and headings that fill the same slot of an article.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations, product

from sector.wikipedia.labels.counts import Counts, Pair
from sector.wikipedia.labels.lexicons.base import LexicalEntry, Synset
from sector.wikipedia.labels.slots import same_slots

LEMMA, JOINED, COMPOUND, SLOT = 2.0, 2.0, 2.0, 2.0
"""The weight of edges between lemmas, spread over all pairs of their senses."""
BROADER, KIN = 0.5, 0.2
"""The weight of a lexicon's relations between two senses."""
LEAST_JOINED, LEAST_JOINED_SHARE = 3, 0.1
"""Two lemmas belong together when they are joined so often, and in such a share of the parts that have them."""
LEAST_EDGE = 0.01
"""Weaker edges are left out: they say nothing and cost time."""

Senses = dict[str, float]
"""Shares of a lemma's senses by their ids; they add up to 1."""


@dataclass
class SynsetGraph:
    """Senses, the lemmas that have them, and weighted edges."""

    synsets: dict[str, Synset] = field(default_factory=dict)
    senses: dict[str, Senses] = field(default_factory=dict)
    """By lemma."""
    edges: dict[Pair, float] = field(default_factory=lambda: defaultdict(float))

    def add_lemma(self, entry: LexicalEntry) -> None:
        """Add the senses of a lemma and join them."""
        self.synsets.update((synset.id, synset) for synset in entry.synsets)
        self.senses[entry.lemma] = shares = sense_shares(entry)
        for first, second in combinations(shares, 2):
            self.join(first, second, LEMMA * shares[first] * shares[second])

    def join(self, first: str, second: str, weight: float) -> None:
        """Add weight to the edge between two senses."""
        if first != second:
            self.edges[min(first, second), max(first, second)] += weight

    def join_lemmas(self, first: str, second: str, weight: float) -> None:
        """Join every sense of one lemma with every sense of another."""
        senses = product(self.senses[first].items(), self.senses[second].items())
        for (one, share), (other, other_share) in senses:
            self.join(one, other, weight * share * other_share)

    def degrees(self) -> dict[str, float]:
        """Return the weight of all edges of each sense."""
        degrees: dict[str, float] = defaultdict(float)
        for pair, weight in self.edges.items():
            for id in pair:
                degrees[id] += weight
        return degrees

    def strong_edges(self) -> dict[Pair, float]:
        """Return the edges that are worth keeping."""
        return {pair: weight for pair, weight in self.edges.items() if weight >= LEAST_EDGE}


def sense_shares(entry: LexicalEntry) -> Senses:
    """Spread a lemma over its senses: the second counts a quarter of the first, the third a ninth, and so on."""
    weights = {synset.id: 1 / rank**2 for rank, synset in enumerate(entry.synsets, start=1)}
    total = sum(weights.values())
    return {id: weight / total for id, weight in weights.items()}


def build_graph(lemmas: Iterable[str], entries: Mapping[str, LexicalEntry], counts: Counts) -> SynsetGraph:
    """Build the graph of these lemmas."""
    graph = SynsetGraph()
    for lemma in lemmas:
        graph.add_lemma(entries[lemma])
    _add_joined(graph, counts)
    _add_compounds(graph)
    _add_relations(graph)
    for (first, second), similarity in same_slots(counts.outlines, graph.senses).items():
        graph.join_lemmas(first, second, SLOT * similarity)
    return graph


def _add_joined(graph: SynsetGraph, counts: Counts) -> None:
    for (first, second), number in sorted(counts.joined.items()):
        if number < LEAST_JOINED or first not in graph.senses or second not in graph.senses:
            continue
        share = number / math.sqrt(counts.mentions[first] * counts.mentions[second])
        if share >= LEAST_JOINED_SHARE:
            graph.join_lemmas(first, second, JOINED * share)


def _add_compounds(graph: SynsetGraph) -> None:
    for lemma in graph.senses:
        head = lemma.rpartition(" ")[2]
        if head != lemma and head in graph.senses:
            graph.join_lemmas(lemma, head, COMPOUND)


def _add_relations(graph: SynsetGraph) -> None:
    """Join a sense with those above it, and senses that are derived from one word."""
    share: dict[str, float] = defaultdict(float)
    for senses in graph.senses.values():
        for id, value in senses.items():
            share[id] = max(share[id], value)
    kin: dict[str, list[str]] = defaultdict(list)
    for id, synset in graph.synsets.items():
        for above in synset.broader:
            if above in graph.synsets:
                graph.join(id, above, BROADER * share[id] * share[above])
        for origin in dict.fromkeys(synset.kin):
            kin[origin].append(id)
    for relatives in kin.values():
        for first, second in combinations(relatives, 2):
            graph.join(first, second, KIN * share[first] * share[second])
