"""The look-up of words by arrays finds what the tokenizer finds, in any text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sector.encoders import lookup
from sector.encoders.lookup import WordLookup
from sector.errors import ModelError
from sector.text.tokens import tokenize

WORDS = ["river", "#", "town", "#rd", "a", "naïve", "über", "b#c", "mill", "東"]
NUMBERS = {word: number * 3 for number, word in enumerate(WORDS)}
PIECES = st.sampled_from([*WORDS, "River", "1990", "3rd", "B12c", "unknown", " ", "-", "–", "’", "#", "\n", "½", "Å"])
SENTENCES = st.lists(st.one_of(st.lists(PIECES).map("".join), st.lists(PIECES).map(" ".join), st.text()), max_size=8)


def expected(sentences: list[str]) -> tuple[list[int], list[int]]:
    found = [[NUMBERS[word] for word in tokenize(sentence) if word in NUMBERS] for sentence in sentences]
    return [number for row in found for number in row], [len(row) for row in found]


def found(sentences: list[str]) -> tuple[list[int], list[int]]:
    numbers, lengths = WordLookup(NUMBERS).find(sentences)
    return numbers.tolist(), lengths.tolist()


@given(SENTENCES)
def test_it_finds_what_the_tokenizer_finds(sentences: list[str]) -> None:
    assert found(sentences) == expected(sentences)


def test_long_texts_are_cut_and_put_together_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup, "CHARACTERS", 32)
    sentences = ["The river of 1990, a town.", "", "naïve", "mill " * 40, "3rd river"] * 5
    assert found(sentences) == expected(sentences)


def test_a_large_vocabulary_with_full_neighbourhoods() -> None:
    random = np.random.default_rng(0)
    words = list({"".join(random.choice(list("abcdefgh"), random.integers(1, 9))) for _ in range(5000)})
    numbers = {word: number for number, word in enumerate(words)}
    sentence = " ".join(random.permutation([*words, *(word + "z" for word in words)]))
    known = [numbers[word] for word in sentence.split() if word in numbers]
    assert WordLookup(numbers).find([sentence])[0].tolist() == known


def test_no_words_at_all() -> None:
    assert [part.tolist() for part in WordLookup({}).find(["a", ""])] == [[], [0, 0]]


@pytest.mark.parametrize("words", [("River", "river"), ("two words",), ("-",)])
def test_a_vocabulary_that_is_not_of_tokens_is_refused(words: tuple[str, ...]) -> None:
    with pytest.raises(ModelError, match="vocabulary"):
        WordLookup({word: number for number, word in enumerate(words)})
