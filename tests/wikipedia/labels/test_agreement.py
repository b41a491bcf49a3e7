"""Found labels against given ones, by hand and against scikit-learn."""

from __future__ import annotations

import pytest

from sector.wikipedia.labels.agreement import compare

FOUND = ["a", "a", "a", "b", "b", "c", "other", "other", "other"]
GIVEN = ["x.m", "x.m", "x.n", "x.n", "x.other", "x.other", "x.other", "x.other", "x.m"]


def test_the_readings_of_purity() -> None:
    found = compare(FOUND, GIVEN)
    assert found.given_topics == 2
    assert found.purity == pytest.approx(4 / 6)  # a: m m; b: n (a tie, one of two); c: other
    assert found.purity_all == pytest.approx(6 / 9)
    assert found.purity_labelled == pytest.approx(3 / 5)
    assert found.purity_strict == pytest.approx(5 / 9)
    assert found.agreement == pytest.approx(5 / 9)


def test_v_measure_is_that_of_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    found = compare(FOUND, GIVEN)
    expected = metrics.homogeneity_completeness_v_measure(GIVEN, FOUND)
    assert (found.homogeneity, found.completeness, found.v_measure) == pytest.approx(expected)


def test_the_worst_topic_comes_first() -> None:
    rows = compare(["a"] * 4 + ["b"] * 2, ["m", "m", "m", "n", "n", "n"]).topics
    assert [(row.topic, row.label, row.purity) for row in rows] == [("a", "m", 0.75), ("b", "n", 1.0)]
    assert rows[0].confused == (("n", 1),)


def test_equal_labels_agree() -> None:
    found = compare(["a", "b"], ["t.a", "t.b"])
    assert (found.purity, found.agreement, found.v_measure) == (1.0, 1.0, 1.0)
    assert compare(["a"], ["a"]).v_measure == 1.0
