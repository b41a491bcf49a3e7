"""What holds for the spans of any text whatever: order, coverage, trimming and paragraph ends."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sector.text import SentenceSpans, split_sentences

WORDS = (
    "Dr. ",
    "z. B. ",
    "19. Mai ",
    "1. ",
    "U.S. The ",
    "J. R. ",
    "etc. ",
    "Ende. ",
    "Go! ",
    "II. ",
    "Word ",
    "ا؟ ",
)
SIGNS = ("...", "?!", "[1]", "\r\n", *'"„“()-。！…😀你', "\0", "\ud800", "\udc00", "e\u0301", "word")
SPACES = "\n\r\x85\u2028\u2029\v\f\x1c\x1f\t \xa0\u3000\u2009"
PIECES = st.sampled_from((*WORDS, *SIGNS, *SPACES))
TEXTS = st.one_of(
    st.text(),
    st.text(alphabet=st.characters(codec=None, categories=None)),
    st.lists(PIECES, max_size=40).map("".join),
)
LANGUAGES = st.sampled_from(["", "en", "de", "pt", "ja", "es", "xx", "DE-at", "\ud800", "no such language"])


def check(text: str, spans: SentenceSpans) -> None:
    begin, end = spans.begin.tolist(), spans.end.tolist()
    gaps = [text[left:right] for left, right in zip([0, *end], [*begin, len(text)], strict=True)]
    assert all(not gap or gap.isspace() for gap in gaps)
    for left, right in zip(begin, end, strict=True):
        assert left < right
        assert not text[left].isspace()
        assert not text[right - 1].isspace()
        assert len(text[left:right].splitlines()) == 1
    breaks = [len(f"a{gap}a".splitlines()) > 1 for gap in gaps[1:-1]]
    assert spans.paragraph_end.tolist() == ([*breaks, True] if begin else [])


@given(TEXTS, LANGUAGES)
@example("J.\xa0R. Smith", "es")
@example("a. \n\r\n b", "")
@example("Foo." + " " * 50 + "Bar.", "en")
def test_spans_of_any_text(text: str, language: str) -> None:
    check(text, split_sentences(text, language))


@given(st.lists(PIECES, min_size=1, max_size=12).map("".join))
def test_spans_of_long_lines(text: str) -> None:
    long = re.sub(r"\s", " ", text) * (20_000 // len(text))
    check(long, split_sentences(long))


@given(st.integers(1, 300), st.sampled_from(["It rains. ", "It rains.\n", "Es regnet am 3. Mai. ", "下雨了。"]))
def test_repeated_sentences_have_exact_spans(count: int, sentence: str) -> None:
    spans = split_sentences(sentence * count)
    assert spans.begin.tolist() == [i * len(sentence) for i in range(count)]
    assert (spans.end - spans.begin).tolist() == [len(sentence.rstrip())] * count


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\r\n \t\xa0\u3000\u2028", "\x1f"])
def test_text_without_visible_characters_has_no_sentence(text: str) -> None:
    spans = split_sentences(text)
    assert len(spans) == 0
    assert spans.begin.dtype == spans.end.dtype == "int64"
    assert spans.paragraph_end.dtype == "bool"


def test_a_window_s_place_changes_no_sentence() -> None:
    sentence = "Sie kamen am 3. Oktober über Köln, z. B. mit Dr. Meier, und blieben bis zum 4. Mai. "
    spans = split_sentences(sentence * 500, "de")
    assert len(spans) == 500
    assert set((spans.end - spans.begin).tolist()) == {len(sentence) - 1}


@pytest.mark.parametrize("text", ["word " * 30_000, "a" * 150_000, "x" * 5000 + ". " + "Y" * 5000])
def test_long_sentences_are_not_torn(text: str) -> None:
    assert len(split_sentences(text)) == 1 + text.count(". ")
