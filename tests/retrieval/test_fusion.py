"""Reciprocal rank fusion."""

from __future__ import annotations

import pytest

from sector.retrieval.fusion import fused
from sector.retrieval.store import label_key, label_pattern


def test_what_both_have_comes_first() -> None:
    found = fused({"bm25": [5, 3, 8], "embedding": [3, 7]})
    assert [number for number, _, _ in found] == [3, 5, 7, 8]
    assert found[0][1] == pytest.approx(1 / 62 + 1 / 61)
    assert found[0][2] == {"bm25": 2, "embedding": 1}


def test_equals_come_in_a_fixed_order() -> None:
    assert [number for number, _, _ in fused({"a": [9, 4], "b": [2, 1]})] == [2, 9, 1, 4]
    assert fused({}) == []


def test_labels_have_parts() -> None:
    assert label_key("Disease.Treatment") == label_key("disease | treatment") == "/disease/treatment/"
    assert label_pattern("50%_a!") == "%/50!%!_a!!/%"
