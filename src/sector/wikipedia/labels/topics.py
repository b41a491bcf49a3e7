"""Clusters to topics: the head stays, each named by its most connected sense; everything else is `other`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sector.wikipedia.labels.communities import communities
from sector.wikipedia.labels.counts import Counts, ranked
from sector.wikipedia.labels.graph import SynsetGraph, build_graph
from sector.wikipedia.labels.lexicons.base import Entry

OTHER = "other"


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


def find_topics(
    counts: Counts, entries: Mapping[str, Entry], wanted: TopicRange, excluded: frozenset[str] = frozenset()
) -> list[Topic]:
    """Cluster the lemmas of the head; where that gives too few topics, the head is widened step by step.

    Where it gives too many, the most frequent stay. Lemmas in ``excluded`` are not clustered.
    """
    share, size, clusters = 1.0, 0, []
    while True:
        head = [lemma for lemma in counts.head(share) if lemma not in excluded]
        if len(head) > size or not clusters:
            size, clusters = len(head), _cluster(head, counts, entries)
        if len(clusters) >= wanted.least or share * counts.sections.total() < len(counts.sections):
            return clusters[: wanted.most]
        share /= 2


def _cluster(head: list[str], counts: Counts, entries: Mapping[str, Entry]) -> list[Topic]:
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
    """Give each lemma to the cluster that has most of its senses, by weight."""
    lemmas: dict[int, list[str]] = defaultdict(list)
    for lemma, senses in graph.senses.items():
        shares: Counter[int] = Counter()
        for id, share in senses.items():
            shares[found[id]] += share  # type: ignore[assignment]
        lemmas[max(shares, key=lambda cluster: (shares[cluster], -cluster))].append(lemma)
    return lemmas


def _names(
    order: Iterable[int],
    lemmas: Mapping[int, list[str]],
    graph: SynsetGraph,
    found: Mapping[str, int],
    counts: Counts,
) -> dict[int, str]:
    """Name clusters after the lemma, most frequent in headings, of their sense with the heaviest edges."""
    degrees: Counter[str] = Counter()
    for (first, second), weight in graph.edges.items():
        degrees[first] += weight  # type: ignore[assignment]
        degrees[second] += weight  # type: ignore[assignment]
    names: dict[int, str] = {}
    for cluster in order:
        members = set(lemmas[cluster])
        senses = {id for lemma in members for id in graph.senses[lemma] if found[id] == cluster}
        best = sorted(senses, key=lambda id: (-degrees[id], id))
        choices = [lemma for id in best for lemma in _by_frequency(members, id, graph, counts)]
        names[cluster] = next(lemma for lemma in choices if lemma not in names.values())
    return names


def _by_frequency(members: set[str], id: str, graph: SynsetGraph, counts: Counts) -> list[str]:
    having = Counter({lemma: counts.sections[lemma] for lemma in members if id in graph.senses[lemma]})
    return [lemma for lemma, _ in ranked(having)]
