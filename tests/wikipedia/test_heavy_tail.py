"""The figures of a heavy tail, checked against ones that were worked out by hand."""

from __future__ import annotations

import math

import pytest

from sector.datasets.statistics import HeadingRow
from sector.wikipedia.heavy_tail import heavy_tail


def rows(*counts: int) -> list[HeadingRow]:
    return [HeadingRow(rank, f"h{rank}", "", 0.0, count) for rank, count in enumerate(counts)]


def test_shares() -> None:
    found = heavy_tail(rows(40, 2, 2, 1, 1, 1, 1, 1, 1))
    assert (found.headings, found.occurrences, found.head) == (9, 50, 1)
    assert found.once == pytest.approx(6 / 9)
    assert found.rare == pytest.approx(8 / 9)
    assert found.frequent == pytest.approx(1 / 9)
    assert found.top_percent == pytest.approx(0.8)
    assert found.head_occurrences == pytest.approx(0.8)


def test_entropy_of_equal_headings_is_the_logarithm_of_their_number() -> None:
    assert heavy_tail(rows(3, 3, 3, 3)).entropy == pytest.approx(2)


def test_the_exponent_of_a_known_law() -> None:
    counts = [count for count in range(1, 2000) for _ in range(round(100_000 * count**-2.5))]
    assert heavy_tail(rows(*sorted(counts, reverse=True))).exponent == pytest.approx(2.5, abs=0.02)


def test_no_headings() -> None:
    found = heavy_tail([])
    assert (found.headings, found.once, found.entropy) == (0, 0, 0)
    assert math.isnan(found.exponent)
