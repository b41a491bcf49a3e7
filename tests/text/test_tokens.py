"""Tokens and stop words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sector.text import STOP_WORDS, stop_words, tokenize


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", []),
        (" .,;! ", []),
        ("Signs and Symptoms", ["signs", "and", "symptoms"]),
        ("In 1990, the 3rd e-mail", ["in", "#", "the", "#rd", "e", "mail"]),
        ("don't x_y #tag", ["don", "t", "x", "y", "tag"]),
        ("Ärzte im 19. Jh. – über ﬁne x_y #tag", ["ärzte", "im", "#", "jh", "über", "fine", "x", "y", "tag"]),
        ("e\u0301te\u0301 q\u0323x", ["été", "q\u0323x"]),
        ("東京タワーは333m", ["東", "京", "タ", "ワ", "ー", "は", "#m"]),
        ("วันดี", ["วั", "น", "ดี"]),
        ("Привет, мир! السَّلامُ हिन्दी", ["привет", "мир", "السَّلامُ", "हिन्दी"]),
        ("１９９０ Ａbc", ["#", "abc"]),
        ("nul\0 a\ud800b 😀", ["nul", "a", "b"]),
    ],
)
def test_tokens(text: str, tokens: list[str]) -> None:
    assert tokenize(text) == tokens


@given(st.text(alphabet=st.characters(codec=None, categories=None)))
def test_tokens_of_any_text(text: str) -> None:
    for token in tokenize(text):
        assert token
        assert token == token.lower()
        assert not any(char.isspace() or char.isdecimal() or char == "_" for char in token)


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_ascii_and_other_text_are_read_alike(text: str) -> None:
    assert [*tokenize(text), "é"] == tokenize(text + " é")


@pytest.mark.parametrize("language", ["en", "de", "pt"])
def test_stop_words_are_tokens(language: str) -> None:
    words = stop_words(language)
    assert words == STOP_WORDS[language]
    assert 120 <= len(words) <= 175
    assert all(tokenize(word) == [word] for word in words)


def test_stop_words_leave_the_topic_of_a_heading() -> None:
    kept = [token for token in tokenize("Signs and symptoms of the Disease") if token not in stop_words("en")]
    assert kept == ["signs", "symptoms", "disease"]


def test_stop_words_of_an_unknown_language() -> None:
    assert stop_words("") == stop_words("en") | stop_words("de") | stop_words("pt")
    assert stop_words("xx") == frozenset()
