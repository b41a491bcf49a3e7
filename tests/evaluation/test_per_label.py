"""Scores of single labels and their mean."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import f1_score, precision_recall_fscore_support

from sector.evaluation import LabelScore, label_scores, macro_f1


def test_hand_made_example() -> None:
    answers = np.array([[0, 0], [0, 1], [1, 1], [2, -1]])
    assert label_scores(answers, ["a", "b", "c", "d"]) == (
        LabelScore("a", 1.0, 0.5, 2 / 3, 2),
        LabelScore("b", 0.5, 1.0, 2 / 3, 1),
        LabelScore("c", 0.0, 0.0, 0.0, 1),
        LabelScore("d", 0.0, 0.0, 0.0, 0),
    )


def test_no_labels() -> None:
    assert label_scores(np.empty((0, 2), dtype=np.int64), []) == ()
    assert macro_f1(()) is None


def test_agrees_with_scikit_learn() -> None:
    answers = np.random.default_rng(1).integers(0, 5, (200, 2))
    labels = list(range(6))
    scores = label_scores(answers, [str(label) for label in labels])
    theirs = precision_recall_fscore_support(*answers.T, labels=labels, zero_division=0)
    for row, *expected in zip(scores, *theirs, strict=True):
        assert [row.precision, row.recall, row.f1, row.support] == pytest.approx(expected, abs=1e-9)
    mean = f1_score(*answers.T, labels=labels, average="macro", zero_division=0)
    assert macro_f1(scores) == pytest.approx(mean, abs=1e-9)
