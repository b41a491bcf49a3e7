"""Pk and WindowDiff: special cases, properties, and agreement with segeval and nltk."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import numpy as np
import pytest
import segeval
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics import segmentation as nltk_metrics

from sector.errors import SectorError
from sector.evaluation import pk, window_diff, window_size
from sector.evaluation.segments import run_numbers

Metric = Callable[..., float]
METRICS: list[Metric] = [pk, window_diff]
pairs = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=60)
windows = st.one_of(st.none(), st.integers(1, 12))


def split(rows: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    return [row[0] for row in rows], [row[1] for row in rows]


def masses(ids: list[int]) -> list[int]:
    return [int(mass) for mass in np.bincount(run_numbers(ids))]


def gaps(ids: list[int]) -> str:
    return "".join(str(step) for step in np.diff(run_numbers(ids)))


def test_hand_made_example() -> None:
    reference, hypothesis = [0, 0, 0, 1, 1, 1], [0, 0, 1, 2, 2, 2]
    # k=2, windows 0-2 1-3 2-4 3-5; together in the reference: yes no no yes; in the hypothesis: no no no yes
    assert pk(reference, hypothesis, 2) == 1 / 4
    # boundaries per window: 0 1 1 0 against 1 2 1 0
    assert window_diff(reference, hypothesis, 2) == 2 / 4


def test_an_id_that_comes_back_is_another_segment() -> None:
    assert pk(["a", "b", "a"], ["a", "b", "c"], 2) == 0
    assert pk(["a", "b", "a"], ["a", "a", "a"], 2) == 1


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("k", [None, 1, 2, 7])
def test_one_sentence_scores_zero(metric: Metric, k: int | None) -> None:
    assert metric([3], ["a"], k) == 0


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("k", [None, 1, 2, 7])
def test_two_sentences_are_one_pair(metric: Metric, k: int | None) -> None:
    assert metric([0, 1], [0, 0], k) == 1
    assert metric([0, 0], [0, 1], k) == 1
    assert metric([0, 1], [5, 6], k) == 0


@pytest.mark.parametrize("metric", METRICS)
def test_a_document_not_longer_than_the_window_scores_zero(metric: Metric) -> None:
    assert metric([0, 1, 2], [0, 0, 0], 3) == 0
    assert metric([0, 1, 2, 3], [0, 0, 0, 0], 3) == 1


@pytest.mark.parametrize("metric", METRICS)
def test_wrong_input_is_refused(metric: Metric) -> None:
    with pytest.raises(SectorError, match="3 sentences and the hypothesis has 2"):
        metric([0, 0, 1], [0, 1])
    with pytest.raises(SectorError, match="zero sentences"):
        metric([], [])
    with pytest.raises(SectorError, match="k is 0"):
        metric([0, 0, 1], [0, 1, 1], 0)


def test_window_size_rounds_halves_up_and_is_at_least_two() -> None:
    assert window_size([[0] * 5]) == 3  # 2.5
    assert window_size([[0] * 4, [0] * 5]) == 2  # 2.25
    assert window_size([[0, 1, 2]]) == 2
    assert window_size([[0] * 10, [0] * 10 + [1] * 20]) == 7  # 40 / 3 / 2 = 6.67
    with pytest.raises(SectorError, match="no segment"):
        window_size([])


@given(pairs, windows)
def test_values_lie_between_zero_and_one(rows: list[tuple[int, int]], k: int | None) -> None:
    for metric in METRICS:
        assert 0 <= metric(*split(rows), k) <= 1


@given(pairs, windows)
def test_identity_scores_zero(rows: list[tuple[int, int]], k: int | None) -> None:
    for metric in METRICS:
        assert metric(split(rows)[0], split(rows)[0], k) == 0


@given(pairs, st.integers(1, 12))
def test_symmetric_for_a_fixed_window(rows: list[tuple[int, int]], k: int) -> None:
    reference, hypothesis = split(rows)
    for metric in METRICS:
        assert metric(reference, hypothesis, k) == metric(hypothesis, reference, k)


@given(pairs, windows)
def test_names_of_segments_do_not_matter(rows: list[tuple[int, int]], k: int | None) -> None:
    reference, hypothesis = split(rows)
    for metric in METRICS:
        renamed = metric([f"s{i}" for i in reference], np.array(hypothesis) * 7 - 3, k)
        assert metric(reference, hypothesis, k) == renamed


@given(pairs, windows)
def test_window_diff_sees_every_error_of_pk(rows: list[tuple[int, int]], k: int | None) -> None:
    assert window_diff(*split(rows), k) >= pk(*split(rows), k)


@given(pairs, st.integers(1, 12))
def test_agrees_with_segeval(rows: list[tuple[int, int]], k: int) -> None:
    reference, hypothesis = split(rows)
    if len(rows) <= max(k, 2):
        return
    theirs = [
        metric(masses(hypothesis), masses(reference), window_size=k) for metric in (segeval.pk, segeval.window_diff)
    ]
    ours = [metric(reference, hypothesis, k) for metric in METRICS]
    assert ours == pytest.approx([float(value) for value in theirs], abs=1e-9)


@given(pairs)
def test_default_window_is_segevals_but_for_halves(rows: list[tuple[int, int]]) -> None:
    reference = split(rows)[0]
    half = Decimal(len(reference)) / len(masses(reference)) / 2
    if half % 1 != Decimal("0.5"):
        assert window_size([reference]) == segeval.compute_window_size(masses(reference))


def test_segeval_rounds_a_half_to_the_even_number() -> None:
    assert segeval.compute_window_size([5]) == 2
    assert window_size([[0] * 5]) == 3


@given(pairs, st.integers(1, 12))
def test_agrees_with_nltk_on_a_string_of_gaps(rows: list[tuple[int, int]], k: int) -> None:
    reference, hypothesis = split(rows)
    if len(rows) <= max(k, 2):
        return
    strings = gaps(reference), gaps(hypothesis)
    assert pk(reference, hypothesis, k) == pytest.approx(nltk_metrics.pk(*strings, k), abs=1e-9)
    assert window_diff(reference, hypothesis, k) == pytest.approx(nltk_metrics.windowdiff(*strings, k), abs=1e-9)


def test_nltks_default_window_counts_boundaries_instead_of_segments() -> None:
    reference, hypothesis = [0] * 6 + [1] * 6, [0] * 4 + [1] * 8
    assert window_size([reference]) == 3
    ours, theirs = pk(reference, hypothesis), nltk_metrics.pk(gaps(reference), gaps(hypothesis))
    assert ours == pytest.approx(4 / 9)
    assert theirs == pytest.approx(pk(reference, hypothesis, 6))


def test_segeval_differs_on_documents_not_longer_than_the_window() -> None:
    assert segeval.pk([2], [1, 1], window_size=2) == 0
    assert pk([0, 1], [0, 0], 2) == 1
    with pytest.raises(ArithmeticError):
        segeval.window_diff([3], [1, 1, 1], window_size=3)
    assert window_diff([0, 1, 2], [0, 0, 0], 3) == 0
