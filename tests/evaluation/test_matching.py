"""Matching of sections by overlap."""

from __future__ import annotations

from itertools import pairwise

from sector.document import Section
from sector.evaluation import match_sections
from sector.evaluation.matching import overlap_matrix


def sections(*edges: int) -> list[Section]:
    return [Section(begin, end) for begin, end in pairwise(edges)]


def matched(gold: list[Section], predicted: list[Section]) -> list[tuple[int, int]]:
    found = match_sections(gold, predicted)
    return list(zip(found.gold.tolist(), found.predicted.tolist(), strict=True))


def test_largest_overlap_then_unused_predictions() -> None:
    # gold 0-10 10-30; predictions 0-8 8-12 12-20 20-30: prediction 1 is nobody's and shares 2 with both
    assert matched(sections(0, 10, 30), sections(0, 8, 12, 20, 30)) == [(0, 0), (1, 3), (0, 1), (1, 2)]


def test_ties_go_to_the_first() -> None:
    assert matched(sections(0, 10), sections(0, 5, 10)) == [(0, 0), (0, 1)]


def test_one_prediction_may_answer_several() -> None:
    assert matched(sections(0, 5, 10), sections(0, 10)) == [(0, 0), (1, 0)]


def test_nothing_touches() -> None:
    assert matched(sections(0, 5), [Section(7, 9)]) == [(0, -1)]
    assert matched(sections(0, 5, 9), []) == [(0, -1), (1, -1)]
    assert matched([], sections(0, 5)) == []


def test_overlap_counts_characters() -> None:
    assert overlap_matrix(sections(0, 10, 20), sections(5, 12, 40)).tolist() == [[5, 0], [2, 8]]
