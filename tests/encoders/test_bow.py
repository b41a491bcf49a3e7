"""The bag of words against plain counting and against scikit-learn."""

from __future__ import annotations

import math

import numpy as np
import pytest
from dense import dense
from sklearn.feature_extraction.text import TfidfVectorizer

from sector.encoders import BowEncoder
from sector.errors import ConfigError, DataError
from sector.text.tokens import tokenize

DOCUMENTS = [
    ["The cat sleeps.", "The cat eats fish."],
    ["The dog eats.", "Fish swim, fish swim."],
    ["A town on the river."],
]


def test_values_are_counts_times_idf() -> None:
    encoder = BowEncoder(min_count=2).fit(DOCUMENTS)
    assert encoder.words == ["the", "fish", "cat", "eats", "swim"]
    row = dense(encoder.encode(["Fish, fish and the unknown whale"]))[0]
    the, fish = math.log(4 / 4) + 1, math.log(4 / 3) + 1
    np.testing.assert_allclose(row, [the, 2 * fish, 0, 0, 0], rtol=1e-6)


def test_scikit_learn_agrees() -> None:
    encoder = BowEncoder(min_count=1).fit(DOCUMENTS)
    sentences = [sentence for document in DOCUMENTS for sentence in document] + [""]
    reference = TfidfVectorizer(tokenizer=tokenize, token_pattern=None, lowercase=False, norm=None)
    reference.fit([" ".join(document) for document in DOCUMENTS])
    order = [reference.vocabulary_[word] for word in encoder.words]
    expected = reference.transform(sentences).toarray()[:, order]
    np.testing.assert_allclose(dense(encoder.encode(sentences)), expected, rtol=1e-6)


def test_stop_words_frequent_words_and_the_rest_are_left_out() -> None:
    assert "the" not in BowEncoder(min_count=1, max_share=0.9).fit(DOCUMENTS).words
    assert "fish" not in BowEncoder(min_count=1, stop_words=["fish"]).fit(DOCUMENTS).words
    assert BowEncoder(min_count=1, max_words=2).fit(DOCUMENTS).words == ["the", "fish"]


def test_an_encoder_without_vocabulary_says_so() -> None:
    with pytest.raises(ConfigError, match="'fit'"):
        BowEncoder().encode(["The cat."])
    with pytest.raises(DataError, match="No word occurs 50 times in 3"):
        BowEncoder(min_count=50).fit(DOCUMENTS)
    with pytest.raises(ConfigError, match="max_share"):
        BowEncoder(max_share=0)
