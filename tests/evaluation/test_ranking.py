"""Ranks, average precision, P@k, R@k and A@k."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import (
    average_precision_score,
    label_ranking_average_precision_score,
    top_k_accuracy_score,
)

from sector.errors import SectorError
from sector.evaluation import rank, ranking

RANDOM = np.random.default_rng(7)
SCORES = RANDOM.permuted(np.tile(np.arange(40) / 40, (50, 1)), axis=1)
RELEVANT = RANDOM.random((50, 40)) < 0.1
RELEVANT[:, 0] |= ~RELEVANT.any(axis=1)


def test_hand_made_example() -> None:
    found = rank(np.array([[0.1, 0.4, 0.3, 0.2]]), np.array([[1, 0, 1, 0]]))
    assert found.ranks.tolist() == [4, 2]
    assert found.average_precision().tolist() == [(1 / 2 + 2 / 4) / 2]
    assert found.precision_at(1).tolist() == [0]
    assert found.precision_at(3).tolist() == [1 / 3]
    assert found.recall_at(3).tolist() == [1 / 2]
    assert found.accuracy_at(2).tolist() == [1]


def test_no_relevant_label_scores_zero_and_counts() -> None:
    found = rank(np.array([[0.9, 0.1], [0.9, 0.1]]), np.array([[0, 0], [1, 0]]))
    assert found.average_precision().tolist() == [0, 1]
    assert found.recall_at(1).tolist() == [0, 1]


def test_ties_rank_in_the_order_of_columns() -> None:
    assert rank(np.zeros((1, 3)), np.ones((1, 3))).ranks.tolist() == [1, 2, 3]


@pytest.mark.parametrize("missing", [np.nan, -np.inf])
def test_a_label_without_a_score_is_never_found(missing: float) -> None:
    found = rank(np.array([[missing, 0.1, missing]]), np.array([[1, 0, 0]]))
    assert found.ranks.tolist() == [np.inf]
    assert found.average_precision().tolist() == [0]
    assert found.accuracy_at(3).tolist() == [0]
    assert found.relevant().tolist() == [1]


def test_chunks_do_not_change_ranks(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = rank(SCORES, RELEVANT).ranks
    monkeypatch.setattr(ranking, "CHUNK", 100)
    assert rank(SCORES, RELEVANT).ranks.tolist() == whole.tolist()


def test_agrees_with_scikit_learn() -> None:
    found = rank(SCORES, RELEVANT).average_precision()
    single = [average_precision_score(gold, row) for gold, row in zip(RELEVANT, SCORES, strict=True)]
    assert found == pytest.approx(single, abs=1e-9)
    mean = label_ranking_average_precision_score(RELEVANT, SCORES)
    assert found.mean() == pytest.approx(mean, abs=1e-9)


def test_top_k_accuracy_agrees_with_scikit_learn() -> None:
    gold = RANDOM.integers(0, 40, 50)
    found = rank(SCORES, np.eye(40, dtype=bool)[gold])
    for k in (1, 3, 10):
        theirs = top_k_accuracy_score(gold, SCORES, k=k, labels=np.arange(40))
        assert found.accuracy_at(k).mean() == pytest.approx(theirs, abs=1e-9)


def test_shapes_must_match() -> None:
    with pytest.raises(SectorError, match=r"\(2, 3\)"):
        rank(np.zeros((2, 3)), np.zeros((2, 2)))
