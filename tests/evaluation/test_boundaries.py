"""Boundary precision, recall, F1 and similarity."""

from __future__ import annotations

import numpy as np
import pytest
import segeval
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score, precision_score, recall_score

from sector.errors import SectorError
from sector.evaluation import BoundaryScores, boundary_scores, boundary_similarity
from sector.evaluation.segments import run_numbers

pairs = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=60)


def split(rows: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    return [row[0] for row in rows], [row[1] for row in rows]


def test_hand_made_example() -> None:
    scores = boundary_scores([0, 0, 1, 1, 2], [0, 0, 1, 2, 2])
    assert scores == BoundaryScores(0.5, 0.5, 0.5)
    # one match, one near miss (weight 1/2): 1 − 0.5 / 2
    assert boundary_similarity([0, 0, 1, 1, 2], [0, 0, 1, 2, 2]) == 0.75


def test_nothing_to_find_and_nothing_found_is_right() -> None:
    assert boundary_scores([0, 0], ["a", "a"]) == BoundaryScores(1, 1, 1)
    assert boundary_scores([0], [0]) == BoundaryScores(1, 1, 1)
    assert boundary_similarity([0, 0], [0, 0]) == 1


def test_one_side_empty() -> None:
    assert boundary_scores([0, 1], [0, 0]) == BoundaryScores(0, 0, 0)
    assert boundary_scores([0, 0], [0, 1]) == BoundaryScores(0, 0, 0)
    assert boundary_similarity([0, 1], [0, 0]) == 0


def test_a_chain_of_alternating_misses_is_paired_from_the_left() -> None:
    # gaps 1 0 1 against 0 1 0: one near miss and one full miss
    assert boundary_similarity([0, 1, 1, 2], [0, 0, 1, 1]) == pytest.approx(1 - 1.5 / 2)


def test_different_lengths_are_refused() -> None:
    with pytest.raises(SectorError, match="2 sentences"):
        boundary_similarity([0, 1], [0])


@given(pairs)
def test_agrees_with_scikit_learn(rows: list[tuple[int, int]]) -> None:
    gold, predicted = (np.diff(run_numbers(ids)) for ids in split(rows))
    if not gold.any() and not predicted.any():
        return
    ours = boundary_scores(*split(rows))
    theirs = [metric(gold, predicted, zero_division=0) for metric in (precision_score, recall_score, f1_score)]
    assert [ours.precision, ours.recall, ours.f1] == pytest.approx(theirs, abs=1e-9)


@given(pairs)
def test_similarity_agrees_with_segeval(rows: list[tuple[int, int]]) -> None:
    masses = [tuple(np.bincount(run_numbers(ids)).tolist()) for ids in split(rows)]
    if all(len(entry) == 1 for entry in masses):
        return
    theirs = float(segeval.boundary_similarity(*masses, n_t=2))
    assert boundary_similarity(*split(rows)) == pytest.approx(theirs, abs=1e-9)


@given(pairs)
def test_symmetric_and_one_for_identity(rows: list[tuple[int, int]]) -> None:
    left, right = split(rows)
    assert boundary_similarity(left, right) == boundary_similarity(right, left)
    assert boundary_scores(left, right).f1 == boundary_scores(right, left).f1
    assert boundary_similarity(left, left) == boundary_scores(left, left).f1 == 1
