"""The steps of the algorithms, against plain and slow ways to do the same."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, pairwise
from math import lgamma

import numpy as np
import pytest

from sector.baselines.bayesseg import best_of, best_path, duration_scores, segment_scores
from sector.baselines.c99 import divide, rank_matrix, stop
from sector.baselines.depth import block_cosines, deep_valleys, depth_scores
from sector.baselines.graphseg import segments
from sector.baselines.stems import content_stems, number


def test_ranks_are_shares_of_smaller_neighbours() -> None:
    table = np.random.default_rng(1).integers(0, 4, (7, 7)).astype(float)
    ranks = rank_matrix(table, 3)
    for i in range(7):
        for j in range(7):
            block = table[max(0, i - 1) : i + 2, max(0, j - 1) : j + 2]
            assert ranks[i, j] == pytest.approx((block < table[i, j]).sum() / (block.size - 1))


def test_blocks_are_divided_at_their_edges_first() -> None:
    ranks = np.asarray(np.kron(np.eye(3), np.ones((4, 4))), np.float64)
    order, rises = divide(ranks)
    assert sorted(order[:2].tolist()) == [4, 8]
    assert sorted(order.tolist()) == list(range(1, 12))
    assert rises[:2].min() > rises[2:].max()


def test_the_stop_counts_unusual_rises() -> None:
    rises = np.concatenate([np.full(8, 1.0), np.full(60, 0.01)])
    assert 6 <= stop(rises, 1.2) <= 10
    assert stop(np.zeros(0), 1.2) == stop(np.zeros(30), 1.2) == 0


def test_segment_scores_are_dirichlet_multinomials() -> None:
    sentences = [["a", "b", "a"], [], ["b", "c"], ["a", "c", "c", "d"]]
    (scores,) = segment_scores(number(sentences), [0.3])
    for begin in range(4):
        for last in range(begin, 4):
            words = [word for sentence in sentences[begin : last + 1] for word in sentence]
            expected = lgamma(4 * 0.3) - lgamma(len(words) + 4 * 0.3)
            expected += sum(lgamma(words.count(word) + 0.3) - lgamma(0.3) for word in set(words))
            assert scores[begin, last] == pytest.approx(expected)
    assert np.isneginf(scores[3, 0])


@pytest.mark.parametrize("wanted", [1, 2, 3, 5])
def test_dynamic_programming_finds_the_best(wanted: int) -> None:
    scores = np.triu(np.random.default_rng(wanted).standard_normal((7, 7)))
    scores[np.tril_indices(7, -1)] = -np.inf

    def total(begins: Iterable[int]) -> float:
        return float(sum(scores[begin, end - 1] for begin, end in pairwise([*begins, 7])))

    every: list[tuple[int, ...]] = [(0, *inner) for count in range(7) for inner in combinations(range(1, 7), count)]
    assert best_of(scores, wanted).tolist() == list(max((b for b in every if len(b) == wanted), key=total))
    value, begins = best_path(scores)
    assert begins.tolist() == list(max(every, key=total)) and value == pytest.approx(total(tuple(begins)))


def test_durations_sum_to_one() -> None:
    assert np.exp(duration_scores(2000, 8.0)[0]).sum() == pytest.approx(1.0)


def test_depth_reaches_the_peaks_on_both_sides() -> None:
    cohesion = np.array([0.9, 0.5, 0.2, 0.4, 0.8, 0.7])
    assert depth_scores(cohesion)[2] == pytest.approx(0.7 + 0.6)
    assert np.flatnonzero(deep_valleys(depth_scores(cohesion), 0.5)).tolist() == [2]
    assert deep_valleys(np.zeros(0), 0.5).tolist() == []


def test_block_cosines() -> None:
    rows = np.array([[1.0, 0], [1, 0], [0, 1], [0, 1]])
    assert block_cosines(rows, 2) == pytest.approx([0.7071, 0.0, 0.7071], abs=1e-4)
    assert block_cosines(np.zeros((3, 2)), 1).tolist() == [0, 0]


def test_edges_give_the_segments_that_listed_cliques_give() -> None:
    networkx = pytest.importorskip("networkx")
    random = np.random.default_rng(3)
    for _ in range(60):
        table = random.random((9, 9))
        table = (table + table.T) / 2
        graph = networkx.Graph(((i, j) for i, j in combinations(range(9), 2) if table[i, j] > 0.65))
        graph.add_nodes_from(range(9))
        cliques = [set(clique) for clique in networkx.find_cliques(graph)]
        assert segments(table, 0.65, 1).tolist() == by_cliques(cliques, 9)


def by_cliques(cliques: list[set[int]], sentences: int) -> list[int]:
    """Do what the paper says: join neighbours of one clique, then neighbouring segments that share one."""
    first = [i for i in range(sentences) if not i or not any({i - 1, i} <= clique for clique in cliques)]
    parts = [set(range(begin, end)) for begin, end in pairwise([*first, sentences])]
    kept = [0] + [k for k in range(1, len(parts)) if not any(c & parts[k - 1] and c & parts[k] for c in cliques)]
    return [min(parts[k]) for k in kept]


def test_short_segments_join_the_nearer_neighbour() -> None:
    table = np.full((5, 5), 0.1)
    table[:2, :2] = table[3:, 3:] = 0.9
    table[2, 3:] = table[3:, 2] = 0.3
    assert segments(table, 0.5, 1).tolist() == [0, 2, 3]
    assert segments(table, 0.5, 2).tolist() == [0, 2]
    assert segments(np.zeros((1, 1)), 0.5, 3).tolist() == [0]


def test_stems_leave_stop_words_and_numbers_out() -> None:
    assert content_stems("The 3 connected connections were connecting.", "en") == ["connect"] * 3
    assert content_stems("Die Häuser", "de") == ["haus"]
    assert content_stems("sanat eläimet", "fi") == ["sanat", "eläimet"]
