"""What encoders feed to the network: sums of the rows of words."""

from __future__ import annotations

import tracemalloc

import numpy as np

from sector.encoders.inputs import BLOCK, VectorInput

WIDTH = 64


def test_a_sentence_of_a_million_words_needs_little_memory() -> None:
    """A line without sentence ends may be as long as a file: its words are added up block by block."""
    vectors = np.random.default_rng(1).normal(size=(3, WIDTH)).astype(np.float32)
    words = VectorInput(vectors, {"snow": 0, "falls": 1, "king": 2}, "mean")
    sentences = ["king", "snow falls " * (60 * BLOCK), "falls"]
    rows = words.looked_up(sentences)
    tracemalloc.start()
    found = rows()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    np.testing.assert_allclose(found, [vectors[2], vectors[:2].mean(axis=0), vectors[1]], rtol=1e-4, atol=1e-5)
    assert peak < 10 * BLOCK * WIDTH * 4
