"""Every segmentation on every odd reading: it answers, in the right form, without NaN."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from itertools import product
from typing import Any, ClassVar

import numpy as np
import pytest

from sector.arrays import Floats1d, Floats2d, Ints1d
from sector.errors import ConfigError
from sector.segmentation import Decoded, Reading, Segmentation, decode, make, merge_equal, section_means

PAPER: list[Segmentation] = [
    make("newline"),
    make("max"),
    make("max", rule="sentence"),
    make("max", blank_maxima=True),
    make("emd"),
    make("emd", join="mean", centred=False),
    make("emd", sigma=0.0),
    make("bemd"),
    make("bemd", variant="paper"),
    make("bemd", variant="head"),
]
METHODS = [*PAPER, make("joint"), make("joint", merge=True), make("main"), make("changepoint", penalty=0.01)]
MEMORY = 100 * 2**20
"""Bytes above the reading that a segmentation may take for 20,000 sentences."""


def random(sentences: int) -> Floats2d:
    return np.random.default_rng(sentences).normal(size=(sentences, 24)).astype(np.float32)


def constant(sentences: int) -> Floats2d:
    return np.full((sentences, 24), 0.3, np.float32)


def zero(sentences: int) -> Floats2d:
    return np.zeros((sentences, 24), np.float32)


def reading(embeddings: Floats2d) -> Reading:
    scores = np.abs(embeddings[:, :5])
    ends = np.arange(len(embeddings)) % 3 == 2
    boundary = embeddings[:, :2] * np.float32(3)
    return Reading(scores, embeddings, embeddings * np.float32(0.5), ends, boundary)


@pytest.mark.parametrize("method", METHODS, ids=repr)
@pytest.mark.parametrize(("form", "sentences"), list(product([random, constant, zero], [0, 1, 2, 3, 4, 17, 40])))
def test_starts_and_deviation_are_well_formed(method: Segmentation, form: object, sentences: int) -> None:
    assert callable(form)
    read = reading(form(sentences))
    starts, deviation = method.starts(read), method.deviation(read)
    assert starts[:1].tolist() == [0] * min(1, sentences)
    assert starts.dtype == np.int64
    assert (np.diff(starts) > 0).all()
    assert (starts < sentences).all()
    assert deviation.dtype == np.float32
    assert deviation.shape == (sentences,)
    assert np.isfinite(deviation).all()
    if form is not random and method in PAPER and method.name != "newline":
        assert starts.tolist() == [0] * min(1, sentences)
        assert not deviation.any()


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_a_reading_without_labels_or_dimensions_has_one_section(method: Segmentation) -> None:
    nothing = np.zeros((3, 0), np.float32)
    read = Reading(nothing, nothing, nothing, np.zeros(3, np.bool_), np.full((3, 2), -9, np.float32))
    assert method.starts(read).tolist() == [0]


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_long_documents_take_little_memory(method: Segmentation) -> None:
    read = reading(random(20_000))
    tracemalloc.start()
    try:
        assert len(decode(method, read).starts) > 100
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < MEMORY


@pytest.mark.parametrize("method", [*METHODS, make("bemd", merge=True)], ids=repr)
def test_sections_begin_where_they_must_and_only_where_they_may(method: Segmentation) -> None:
    read = reading(random(40))
    free = set(decode(method, read).starts.tolist())
    may, must = np.arange(40) % 2 == 0, np.isin(np.arange(40), [5, 31])
    allowed = decode(method, replace(read, candidates=may)).starts.tolist()
    assert set(allowed) <= set(range(0, 40, 2)) and allowed == sorted(allowed)
    found = decode(method, replace(read, candidates=may, forced=must)).starts.tolist()
    assert {0, 5, 31} <= set(found) <= set(range(0, 40, 2)) | {5, 31} and found == sorted(found)
    assert len(free) > 2
    nothing = np.zeros(40, np.bool_)
    assert decode(method, replace(read, candidates=nothing)).starts.tolist() == [0]


def test_a_start_that_is_forced_is_a_main_section() -> None:
    class Nested:
        name: ClassVar[str] = "nested"

        def starts(self, reading: Reading) -> Ints1d:
            return self.decode(reading).starts

        def decode(self, reading: Reading) -> Decoded:
            return Decoded(np.array([0, 2, 4, 6]), reading.probabilities, levels=np.array([1, 2, 1, 2]))

        def deviation(self, reading: Reading) -> Floats1d:
            return np.zeros(len(reading), np.float32)

    read = replace(reading(random(8)), candidates=np.arange(8) != 6, forced=np.arange(8) == 5)
    found = decode(Nested(), read)
    assert found.levels is not None
    assert list(zip(found.starts.tolist(), found.levels.tolist(), strict=True)) == [(0, 1), (2, 2), (4, 1), (5, 1)]


def test_newline_begins_sections_after_line_breaks() -> None:
    ends = np.array([False, True, True, False, True])
    assert make("newline").starts(Reading(zero(5), paragraph_end=ends)).tolist() == [0, 2, 3]


@pytest.mark.parametrize("name", ["newline", "emd", "bemd"])
def test_what_a_method_needs_and_lacks_is_said(name: str) -> None:
    with pytest.raises(ConfigError, match=name):
        make(name).starts(Reading(zero(3)))


def test_readings_with_rows_of_different_number_are_refused() -> None:
    with pytest.raises(ConfigError, match="3 rows of probabilities but 2 of 'forward'"):
        Reading(zero(3), forward=zero(2))
    with pytest.raises(ConfigError, match="2 of 'candidates'"):
        Reading(zero(3), candidates=np.ones(2, np.bool_))


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("c99", {}, "choose one of: newline, max, emd, bemd"),
        ("emd", {"sgima": 1}, "its options are: sigma, dimensions, join, centred"),
        ("newline", {"sigma": 1}, "it has no options"),
        ("emd", {"sigma": -1.0}, "'sigma' is -1.0"),
        ("emd", {"join": "sum"}, "concatenate, mean"),
        ("emd", {"dimensions": 0}, "'dimensions' is 0"),
        ("bemd", {"variant": "2019"}, "aligned, paper, 2018, head"),
        ("bemd", {"sigma": float("nan")}, "'sigma' is nan"),
        ("max", {"rule": "word"}, "section, sentence"),
        ("changepoint", {"granularity": 1e300}, "between 1e-6 and 1e6"),
        ("joint", {"granularity": 1e-300}, "between 1e-6 and 1e6"),
        ("main", {"granularity": float("inf")}, "a positive number"),
    ],
)
def test_wrong_options_are_named(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make(name, **options)


def test_an_object_is_a_segmentation_too() -> None:
    method = make("max")
    assert make(method) is method
    with pytest.raises(ConfigError, match="'starts'"):
        make(3)  # type: ignore[arg-type]


def test_neighbours_with_the_same_label_become_one() -> None:
    rows = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.9, 0.1], [0.1, 0.9]], np.float32)
    starts = np.array([0, 1, 2, 3, 4])
    assert merge_equal(starts, rows).tolist() == [0, 1, 2, 4]
    np.testing.assert_allclose(section_means(np.array([0, 2, 4]), rows)[1], [0.75, 0.25], rtol=1e-6)
    assert merge_equal(starts[:0], rows[:0]).tolist() == []
    assert section_means(starts[:0], rows[:0]).shape == (0, 2)
