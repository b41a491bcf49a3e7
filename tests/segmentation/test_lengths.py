"""Character spans of sections: they cover the text, and no section is longer than promised."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sector.errors import ConfigError
from sector.segmentation import Lengths, SectionSpans, limit_lengths
from sector.segmentation.cuts import cut_inside
from sector.text.sentences import SentenceSpans

ALPHABET = "ab é.\n 語\u0301\u200d😀\ud83d\ude00\r"


def spans_of(text: str) -> SentenceSpans:
    """Take each run up to a full stop or a line end for a sentence."""
    found = [match.span() for match in re.finditer(r"[^\s.][^.\n]*[^\s.]\.?|[^\s.]\.?|\.", text)]
    begins, ends = np.array(found, np.int64).reshape(-1, 2).T
    return SentenceSpans(begins, ends, np.zeros(len(begins), np.bool_))


def limit(text: str, starts: list[int], max_chars: int | None = None, min_chars: int | None = None) -> list[str]:
    limits = Lengths(max_chars, min_chars)
    return texts_of(text, limits.spans(text, spans_of(text), np.array(starts, np.int64)))


def texts_of(text: str, spans: SectionSpans) -> list[str]:
    return [text[begin:end] for begin, end in zip(spans.begin, spans.end, strict=True)]


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, SentenceSpans, np.ndarray, np.ndarray]:
    text = draw(st.text(ALPHABET, max_size=120))
    sentences = spans_of(text)
    flags = draw(st.lists(st.booleans(), min_size=len(sentences), max_size=len(sentences)))
    starts = np.flatnonzero([True, *flags[1:]] if flags else [])
    seed = draw(st.integers(0, 99))
    return text, sentences, starts, np.random.default_rng(seed).random((len(sentences), 3)).astype(np.float32)


@settings(max_examples=400, deadline=None)
@given(cases(), st.integers(1, 40), st.one_of(st.none(), st.integers(1, 40)))
def test_promises_hold_for_any_text(
    case: tuple[str, SentenceSpans, np.ndarray, np.ndarray], max_chars: int, min_chars: int | None
) -> None:
    text, sentences, starts, probabilities = case
    if min_chars is not None:
        min_chars = min(min_chars, max_chars)
    spans = Lengths(max_chars, min_chars).spans(text, sentences, starts, probabilities)
    assert "".join(texts_of(text, spans)) == text
    assert (spans.end > spans.begin).all()
    assert (spans.end - spans.begin <= max_chars).all()
    for cut in spans.begin[1:]:
        inside = (sentences.begin < cut) & (cut < sentences.end)
        assert (sentences.end - sentences.begin)[inside].min(initial=max_chars + 1) > max_chars
    lengths = (spans.end - spans.begin).tolist()
    for i, length in enumerate(lengths if min_chars else []):
        if length < (min_chars or 0):
            neighbours = lengths[max(0, i - 1) : i] + lengths[i + 1 : i + 2]
            assert all(length + neighbour > max_chars for neighbour in neighbours)


@settings(max_examples=100, deadline=None)
@given(cases(), st.integers(1, 60))
def test_short_sections_disappear_where_nothing_forbids_it(
    case: tuple[str, SentenceSpans, np.ndarray, np.ndarray], min_chars: int
) -> None:
    text, sentences, starts, probabilities = case
    spans = limit_lengths(text, sentences, starts, min_chars=min_chars, probabilities=probabilities)
    assert "".join(texts_of(text, spans)) == text
    assert len(spans) <= 1 or (spans.end - spans.begin).min() >= min_chars


def test_white_space_belongs_to_the_section_before_it() -> None:
    assert limit("  One. Two.\n\nThree. ", [0, 2]) == ["  One. Two.\n\n", "Three. "]


def test_empty_text_has_no_sections_and_white_space_has_one() -> None:
    assert limit("", []) == []
    assert limit(" \n ", []) == [" \n "]
    assert limit("    ", [], max_chars=3) == ["   ", " "]


def test_a_long_section_is_cut_between_sentences_near_its_middle() -> None:
    text = "Aaaaaaaa. Bbbbbbbb. Cccccccc. Dddddddd."
    assert limit(text, [0], max_chars=30) == ["Aaaaaaaa. Bbbbbbbb. ", "Cccccccc. Dddddddd."]
    assert limit(text, [0], max_chars=10) == ["Aaaaaaaa. ", "Bbbbbbbb. ", "Cccccccc. ", "Dddddddd."]


def test_a_sentence_that_fits_without_the_space_after_it_is_not_cut() -> None:
    assert limit("Aaa. Bbb.", [0], max_chars=4) == ["Aaa.", " ", "Bbb."]


def test_a_long_sentence_is_cut_between_words() -> None:
    assert limit("one two three four", [0], max_chars=9) == ["one two ", "three ", "four"]


def test_a_long_word_is_cut_between_characters() -> None:
    assert limit("x" * 7, [0], max_chars=3) == ["xxx", "xxx", "x"]
    assert cut_inside("aae\u0301b", 0, 3) == 2
    assert cut_inside("a\ud83d\ude00b", 0, 2) == 1
    assert cut_inside("e\u0301\u0301\u0301b", 0, 2) == 2


def test_a_short_section_joins_the_neighbour_that_is_more_like_it() -> None:
    text = "Aaaaaaaa. Bb. Cccccccc."
    sentences, starts = spans_of(text), np.arange(3)
    like_first = np.array([[1, 0], [0.9, 0.1], [0, 1]], np.float32)
    joined = limit_lengths(text, sentences, starts, min_chars=8, probabilities=like_first)
    assert texts_of(text, joined) == ["Aaaaaaaa. Bb. ", "Cccccccc."]
    like_last = np.array([[1, 0], [0.1, 0.9], [0, 1]], np.float32)
    joined = limit_lengths(text, sentences, starts, min_chars=8, probabilities=like_last)
    assert texts_of(text, joined)[0] == "Aaaaaaaa. "
    assert limit(text, [0, 1, 2], min_chars=8) == ["Aaaaaaaa. ", "Bb. Cccccccc."]


def test_spans_name_their_sentences_and_give_their_means() -> None:
    text = "Aaaaaa aaaaaa. Bb. Cc."
    spans = limit_lengths(text, spans_of(text), np.array([0, 1]), max_chars=8)
    assert texts_of(text, spans) == ["Aaaaaa ", "aaaaaa. ", "Bb. Cc."]
    assert spans.first.tolist() == [0, 0, 1]
    assert spans.last.tolist() == [1, 1, 3]
    means = spans.means(np.array([[1, 0], [0, 1], [1, 0]], np.float32))
    assert means.tolist() == [[1, 0], [1, 0], [0.5, 0.5]]
    blank = limit_lengths("  ", spans_of("  "), np.array([], np.int64))
    np.testing.assert_allclose(blank.means(np.zeros((0, 4), np.float32)), np.full((1, 4), 0.25))


@pytest.mark.parametrize(("max_chars", "min_chars"), [(0, None), (None, 0), (-1, None), (10, 11)])
def test_impossible_limits_are_refused(max_chars: int | None, min_chars: int | None) -> None:
    with pytest.raises(ConfigError, match="chars"):
        Lengths(max_chars, min_chars)
