"""Clusters to topics: the head stays, each named by its most connected sense; everything else is `other`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sector.wikipedia.labels.communities import communities
from sector.wikipedia.labels.counts import Counts
from sector.wikipedia.labels.graph import SynsetGraph, build_graph
from sector.wikipedia.labels.lexicons.base import LexicalEntry

OTHER = "other"
LEMMAS_PER_TOPIC = 3
"""The head has at most so many lemmas for each topic that is wanted."""


@dataclass(frozen=True, slots=True)
class Topic:
    """One normalised topic."""

    name: str
    lemmas: tuple[str, ...]
    """The lemmas of the head that mean it, most frequent first."""
    synsets: frozenset[str]
    """Ids of its senses."""


@dataclass(frozen=True, slots=True)
class TopicRange:
    """How many topics are wanted."""

    least: int = 25
    most: int = 35

    def less(self, given: int) -> TopicRange:
        """Return what is left to find when some topics are given."""
        return TopicRange(max(self.least - given, 0), max(self.most - given, 0))


def find_topics(
    counts: Counts, entries: Mapping[str, LexicalEntry], wanted: TopicRange, excluded: frozenset[str] = frozenset()
) -> list[Topic]:
    """Cluster the lemmas of the head, and keep the most frequent clusters.

    The paper prunes synsets after it has clustered them all; here the same rule decides which lemmas are clustered at
    all, because that gives purer topics (docs/topic-labels.md). A long head is cut: with each lemma grows the chance
    that rare senses chain clusters together. Where too few topics are found, the head is widened. Lemmas in
    ``excluded`` are not clustered.
    """
    head, share = counts.head()[: LEMMAS_PER_TOPIC * wanted.most], 1.0
    while True:
        lemmas = [lemma for lemma in head if lemma not in excluded]
        topics = cluster(lemmas, counts, entries)
        if len(topics) >= wanted.least or len(head) == len(counts.sections):
            return topics[: wanted.most]
        share /= 2
        head = counts.head(share)


def cluster(head: list[str], counts: Counts, entries: Mapping[str, LexicalEntry]) -> list[Topic]:
    """Return the clusters of the senses of some lemmas as topics, those of most sections first."""
    graph = build_graph(head, entries, counts)
    found = communities(list(graph.synsets), graph.strong_edges())
    lemmas = _lemmas_by_cluster(graph, found)
    sizes = {cluster: sum(counts.sections[lemma] for lemma in members) for cluster, members in lemmas.items()}
    order = sorted(lemmas, key=lambda cluster: (-sizes[cluster], lemmas[cluster]))
    names = _names(order, lemmas, graph, found, counts)
    synsets: dict[int, set[str]] = defaultdict(set)
    for id, cluster in found.items():
        synsets[cluster].add(id)
    return [Topic(names[cluster], tuple(lemmas[cluster]), frozenset(synsets[cluster])) for cluster in order]


def _lemmas_by_cluster(graph: SynsetGraph, found: Mapping[str, int]) -> dict[int, list[str]]:
    """Return each lemma to the cluster that has most of its senses, by weight."""
    lemmas: dict[int, list[str]] = defaultdict(list)
    for lemma, senses in graph.senses.items():
        shares: dict[int, float] = defaultdict(float)
        for id, share in senses.items():
            shares[found[id]] += share
        lemmas[max(shares, key=lambda cluster: (shares[cluster], -cluster))].append(lemma)
    return lemmas


def _names(
    order: Iterable[int],
    lemmas: Mapping[int, list[str]],
    graph: SynsetGraph,
    found: Mapping[str, int],
    counts: Counts,
) -> dict[int, str]:
    """Name each cluster by its most connected sense, after the lemma of that sense that leads most sections."""
    degrees = graph.degrees()
    names: dict[int, str] = {}
    for cluster in order:
        senses = [
            (degrees[id] * counts.sections[lemma], counts.sections[lemma], lemma)
            for lemma in lemmas[cluster]
            for id in graph.senses[lemma]
            if found[id] == cluster
        ]
        names[cluster] = max(senses, key=lambda sense: (sense[:2], sense[2]))[2]
    return names
