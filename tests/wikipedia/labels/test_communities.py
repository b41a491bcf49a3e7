"""Clusters by the leading eigenvector."""

from __future__ import annotations

import pytest

from sector.wikipedia.labels.communities import communities

pytest.importorskip("igraph")


def test_two_cliques_with_a_bridge_are_two_clusters() -> None:
    nodes = list("abcdefgh")
    edges = {(x, y): 1.0 for group in ("abcd", "efgh") for i, x in enumerate(group) for y in group[i + 1 :]}
    found = communities(nodes, edges | {("d", "e"): 0.1})
    assert len({found[node] for node in "abcd"}) == len({found[node] for node in "efgh"}) == 1
    assert found["a"] != found["e"]


def test_pieces_without_edges_are_clusters_of_their_own() -> None:
    assert len(set(communities(["a", "b", "c"], {("a", "b"): 1.0}).values())) == 2
    assert communities([], {}) == {}


def test_the_same_graph_gives_the_same_clusters() -> None:
    nodes = [str(i) for i in range(40)]
    edges = {(str(i), str(j)): 1.0 for i in range(40) for j in range(i + 1, 40) if (i * j) % 7 == 1}
    assert communities(nodes, edges) == communities(nodes, edges)
