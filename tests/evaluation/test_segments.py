"""From sections to run numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from evaluation_cases import WIDTH, document

from sector.document import Section
from sector.evaluation.segments import cut, run_numbers, sections_of, segment_runs, unit_begins


def runs(names: str, *, merge: bool = True, candidates: str = "sentences") -> list[int]:
    made = document(names)
    found = segment_runs(made.sections, unit_begins(made.spans, candidates, made.text), merge=merge)
    return [int(number) for number in found]


@pytest.mark.parametrize("ids", [["a", "a", "b", "a"], [1, 1, 2, 1], np.array([5, 5, 0, 5]), [None, None, 0, None]])
def test_runs_of_any_ids(ids: Any) -> None:
    assert run_numbers(ids).tolist() == [0, 0, 1, 2]


def test_a_number_is_not_its_string() -> None:
    assert run_numbers([1, "1"]).tolist() == [0, 1]


def test_no_ids() -> None:
    assert run_numbers([]).tolist() == []


def test_neighbours_of_one_name_merge() -> None:
    assert runs("xx x yy") == [0, 0, 0, 1, 1]
    assert runs("xx x yy", merge=False) == [0, 0, 1, 2, 2]


def test_sections_without_a_name_never_merge() -> None:
    assert runs(".. .. .") == [0, 0, 1, 1, 2]


def test_headings_merge_where_there_is_no_label() -> None:
    made = document(". . .", headings=["History", "History", "Climate"])
    assert segment_runs(made.sections, made.spans.begin, merge=True).tolist() == [0, 0, 1]


def test_a_section_begins_with_the_last_sentence_at_or_before_it() -> None:
    begins = document("xxxx").spans.begin
    inside = [Section(0, WIDTH + 2, "x"), Section(WIDTH + 2, 4 * WIDTH, "y")]
    assert segment_runs(inside, begins, merge=True).tolist() == [0, 1, 1, 1]
    early = [Section(0, 1, "x"), Section(1, 20, "y")]
    assert segment_runs(early, begins + 3, merge=True).tolist() == [0, 0, 0, 0]


def test_sentences_before_the_first_section_are_a_segment() -> None:
    begins = document("xxxx").spans.begin
    assert segment_runs([Section(2 * WIDTH, 4 * WIDTH, "x")], begins, merge=True).tolist() == [0, 0, 1, 1]


def test_paragraphs_as_units() -> None:
    assert runs("xxxx yy", candidates="paragraphs") == [0, 0, 1]
    assert runs("xxx yyy", candidates="paragraphs") == [0, 1, 1]


def test_sections_of_sentences() -> None:
    begins = document("xxxxx").spans.begin
    parts = [Section(WIDTH, 2 * WIDTH), Section(3 * WIDTH + 1, 5 * WIDTH)]
    assert sections_of(begins, parts).tolist() == [-1, 0, -1, 1, 1]
    assert sections_of(begins, []).tolist() == [-1] * 5


def test_cut_keeps_the_first_sentences() -> None:
    short = cut(document("xxx yyy zz"), 4)
    assert len(short.spans) == 4
    assert short.text == "abc. " * 4
    assert [(s.begin, s.end, s.label) for s in short.sections] == [(0, 15, "x"), (15, 20, "y")]
    whole = document("xxx")
    assert cut(whole, 3) is whole
    assert cut(whole, None) is whole


def test_words_are_what_lies_between_white_space() -> None:
    made = document("xx y")
    assert unit_begins(made.spans, "words", "one two\n three").tolist() == [0, 4, 9]
    assert unit_begins(made.spans, "words", "").tolist() == []
