"""``joint``: it always answers, its one number does what it says, and what it lacks it names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sector.errors import ConfigError
from sector.segmentation import Decoded, Joint, Reading, decode, make, section_means
from sector.segmentation.joint import CONFIDENCE_EXPONENT, MIX_WORDS, WORDS
from sector.tasks import TASKS, TaskName

SENTENCES, LABELS = (0, 1, 2, 3, 7, 40), (0, 1, 3, 300)


def reading(
    sentences: int, labels: int, seed: int = 0, size: float = 3.0, sharpness: float = 1.0, task: TaskName = "topics"
) -> Reading:
    """Make a reading of random rows; ``size`` is that of the boundary logits."""
    random = np.random.default_rng(seed)
    logits = random.normal(size=(sentences, labels)) * sharpness
    weights = np.exp(logits - logits.max(axis=1, keepdims=True, initial=0))
    rows = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-9)
    boundary = random.normal(size=(sentences, 2)) * size
    return Reading(rows.astype(np.float32), boundary=boundary.astype(np.float32), task=task)


@settings(max_examples=150, deadline=None)
@given(
    sentences=st.sampled_from(SENTENCES),
    labels=st.sampled_from(LABELS),
    seed=st.integers(0, 9999),
    size=st.sampled_from([0.0, 1.0, 10.0, 1e4]),
    sharpness=st.sampled_from([0.0, 1.0, 100.0]),
    granularity=st.floats(1e-3, 1e3),
    task=st.sampled_from(TASKS),
    learned=st.booleans(),
)
def test_any_reading_gets_an_answer(
    sentences: int,
    labels: int,
    seed: int,
    size: float,
    sharpness: float,
    granularity: float,
    task: TaskName,
    learned: bool,
) -> None:
    read = reading(sentences, labels, seed, size, sharpness, task)
    transitions = cycle(labels) if learned and labels else None
    method = Joint(granularity, transitions=transitions)
    found, deviation = method.decode(read), method.deviation(read)
    assert found.starts.tolist() == sorted(set(found.starts.tolist()))
    assert found.starts[:1].tolist() == [0] * min(1, sentences)
    assert (found.starts < sentences).all()
    assert method.starts(read).tolist() == found.starts.tolist()
    means = found.means(lambda rows: section_means(found.starts, rows))
    assert np.isfinite(means).all() and means.shape == (len(found.starts), labels)
    assert np.isfinite(deviation).all() and deviation.shape == (sentences,)
    assert not deviation[:1].any()


def cycle(labels: int) -> tuple[tuple[float, ...], ...]:
    """Each label is followed by the next one alone: most transitions are 0."""
    return tuple(tuple(row) for row in np.roll(np.eye(labels), 1, axis=1).tolist())


@pytest.mark.parametrize("labels", [1, 2, 3])
def test_contradictory_sentences_that_are_quite_sure_break_no_chain(labels: int) -> None:
    sentences = 400
    rows = np.zeros((sentences, labels), np.float32)
    rows[np.arange(sentences), np.arange(sentences) // 100 % labels] = 1.0
    for elsewhere, log_odds in ((-1e4, -1e4), (-1e4, 1e4), (0.0, -1e4), (0.0, 1e4)):
        boundary = np.full((sentences, 2), elsewhere, np.float32)
        boundary[100::100] = log_odds
        for transitions in (None, tuple((0.0,) * labels for _ in range(labels))):
            found = Joint(transitions=transitions).decode(Reading(rows, boundary=boundary))
            assert np.isfinite(found.probabilities).all()


def test_the_labels_of_a_clear_document_are_found() -> None:
    rows = np.repeat(np.array([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]], np.float32), 4, axis=0)
    rows[5] = [0.5, 0.4, 0.1]  # a sentence that errs
    boundary = np.full((12, 2), -6.0, np.float32)
    boundary[[4, 8]] = 3.0
    found = Joint().decode(Reading(rows, boundary=boundary))
    assert found.starts.tolist() == [0, 4, 8]
    assert found.probabilities.argmax(axis=1).tolist() == [0] * 4 + [1] * 4 + [2] * 4
    np.testing.assert_allclose(found.probabilities.sum(axis=1), 1, rtol=1e-5)


@pytest.mark.parametrize("labels", [0, 3])
def test_granularity_multiplies_the_number_of_sections_and_only_divides_them(labels: int) -> None:
    read = reading(200, labels, seed=5)
    own = len(Joint().starts(read))
    kept: set[int] = set()
    for granularity in np.geomspace(1e-3, 1e3, 25):
        starts = Joint(float(granularity)).starts(read).tolist()
        assert kept <= set(starts) and len(starts) == min(200, max(1, round(granularity * own)))
        kept = set(starts)
    assert len(kept) == 200 and 20 < own < 150


def test_so_many_sections_as_were_asked_for() -> None:
    read = reading(80, 3, seed=6)
    for wanted in (1, 2, 17, 80, 1000):
        assert len(Joint(sections=wanted).starts(read)) == min(wanted, 80)
    candidates = np.arange(80) % 10 == 0
    forced = np.isin(np.arange(80), [15, 25, 30])
    bound = replace(read, candidates=candidates, forced=forced)
    assert Joint(sections=1).starts(bound).tolist() == [0, 15, 25, 30]
    assert set(Joint(sections=6).starts(bound).tolist()) > {0, 15, 25, 30}
    assert Joint(sections=500).starts(bound).tolist() == sorted({15, 25, *range(0, 80, 10)})
    with pytest.raises(ConfigError, match="sections"):
        Joint(sections=0)


def test_text_with_paragraphs_and_without_has_a_bias_each() -> None:
    read = Reading(np.zeros((9, 0), np.float32), boundary=np.full((9, 2), [-9.0, -1.5], np.float32))
    read.boundary[[3, 6], 1] = 0.5, -0.5  # type: ignore[index]
    assert Joint(bias=0.0, plain_bias=1.0).starts(read).tolist() == [0, 3, 6]
    assert Joint(bias=1.0, plain_bias=0.0).starts(read).tolist() == [0, 3]
    paragraphs = replace(read, candidates=np.isin(np.arange(9), [0, 3, 6]))
    assert Joint(bias=0.0, plain_bias=1.0).starts(paragraphs).tolist() == [0, 3]
    for wrong in (float("nan"), 1e9, "2", True):
        with pytest.raises(ConfigError, match="bias"):
            Joint(plain_bias=wrong)  # type: ignore[arg-type]


def test_neighbours_do_not_both_begin_sections_where_there_are_no_paragraphs() -> None:
    read = Reading(np.zeros((8, 0), np.float32), boundary=np.full((8, 2), -5.0, np.float32))
    read.boundary[3:5, 1] = 3.0, 2.0  # type: ignore[index]
    assert Joint().starts(read).tolist() == [0, 3]
    assert Joint().starts(replace(read, candidates=np.ones(8, np.bool_))).tolist() == [0, 3, 4]


def test_main_sections_have_level_one_where_there_are_several() -> None:
    read = Reading(np.zeros((9, 0), np.float32), boundary=np.full((9, 2), -9.0, np.float32), task="open")
    read.boundary[[2, 4, 6], 1] = 3.0  # type: ignore[index]
    read.boundary[4, 0] = 3.0  # type: ignore[index]
    assert Joint().decode(read).levels.tolist() == [1, 2, 1, 2]  # type: ignore[union-attr]
    read.boundary[4, 0] = -9.0  # type: ignore[index]
    assert Joint().decode(read).levels.tolist() == [1, 1, 1, 1]  # type: ignore[union-attr]
    assert Joint().decode(replace(read, task="topics")).levels is None


def test_without_a_boundary_layer_it_says_what_to_do() -> None:
    with pytest.raises(ConfigError, match=r"boundary layer.*bemd.*boundary = 1"):
        make("joint").starts(Reading(np.ones((3, 2), np.float32)))


@pytest.mark.parametrize("wrong", [0, -1.0, float("nan"), float("inf")])
def test_granularity_is_a_positive_number(wrong: float) -> None:
    with pytest.raises(ConfigError, match="granularity"):
        make("joint", granularity=wrong)


@pytest.mark.parametrize(
    "wrong",
    [[[0.5, 0.5]], [1, 2], [[0, 1], [1]], [["a", "b"], ["c", "d"]], [[0, -1], [1, 0]], [[0, float("nan")], [1, 0]], {}],
)
def test_wrong_transitions_are_refused(wrong: Any) -> None:
    with pytest.raises(ConfigError, match="transitions"):
        make("joint", transitions=wrong)


def test_transitions_must_be_the_models() -> None:
    with pytest.raises(ConfigError, match="for 2 labels, but the model has 3"):
        make("joint", transitions=[[0, 1], [1, 0]]).starts(reading(5, 3))


def test_transitions_decide_between_labels_that_sentences_do_not() -> None:
    rows = np.array([[0.9, 0.05, 0.05]] * 3 + [[0.1, 0.45, 0.45]] * 3, np.float32)
    boundary = np.full((6, 2), -6.0, np.float32)
    boundary[3] = 4.0
    for follower in (1, 2):
        table = np.zeros((3, 3))
        table[0, follower] = table[1, 0] = table[2, 0] = 1.0
        found = make("joint", transitions=table.tolist())
        assert (
            decode(found, Reading(rows, boundary=boundary)).probabilities[3:].argmax(axis=1).tolist() == [follower] * 3
        )


def test_words_of_headings_change_in_the_chained_columns_only() -> None:
    read = reading(30, 300, seed=2, sharpness=3.0, task="headings")
    found = Joint().decode(read)
    assert found.probabilities is read.probabilities
    assert found.columns is not None and found.changed is not None
    assert found.columns.shape == (WORDS,) and found.changed.shape == (30, WORDS)
    totals = read.probabilities.sum(axis=0)
    assert set(found.columns.tolist()) == set(np.argsort(-totals)[:WORDS].tolist())
    mixed = read.probabilities.copy()
    mixed[:, found.columns] = found.changed
    means = found.means(lambda rows: section_means(found.starts, rows))
    np.testing.assert_allclose(means, section_means(found.starts, mixed), atol=1e-6)
    others = np.setdiff1d(np.arange(300), found.columns)
    np.testing.assert_array_equal(means[:, others], section_means(found.starts, read.probabilities)[:, others])
    least = (1 - MIX_WORDS) * read.probabilities[:, found.columns]
    assert (found.changed >= least - 1e-7).all() and not np.allclose(found.changed, least)


def test_the_task_and_not_the_number_of_labels_decides_how_it_decodes() -> None:
    for labels in (3, 300):
        assert Joint().decode(reading(30, labels, seed=2)).columns is None
        words = Joint().decode(reading(30, labels, seed=2, task="headings"))
        assert words.columns is not None and len(words.columns) == min(labels, WORDS)


@pytest.mark.parametrize(("labels", "task"), [(3, "topics"), (300, "topics"), (3, "headings"), (300, "headings")])
def test_merged_sections_have_other_labels_than_their_neighbours(labels: int, task: TaskName) -> None:
    read = reading(60, labels, seed=4)
    rows = 0.4 * read.probabilities
    rows[np.arange(60), np.arange(60) // 20] += 0.6
    read = Reading(rows, boundary=read.boundary, task=task)
    plain, merged = make("joint"), make("joint", merge=True)
    found = decode(merged, read)
    best = found.means(lambda rows: section_means(found.starts, rows)).argmax(axis=1)
    assert (best[1:] != best[:-1]).all()
    assert set(found.starts.tolist()) < set(plain.starts(read).tolist())
    assert merged.deviation(read).tolist() == plain.deviation(read).tolist()


def test_sections_are_less_sure_than_their_posterior_and_ranked_alike() -> None:
    found = Joint().decode(reading(40, 5, seed=1))
    plain = section_means(found.starts, found.probabilities)
    sober = found.means(lambda rows: section_means(found.starts, rows))
    expected = plain**CONFIDENCE_EXPONENT / (plain**CONFIDENCE_EXPONENT).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(sober, expected, rtol=1e-5)
    assert (sober.argsort(axis=1) == plain.argsort(axis=1)).all()
    assert (sober.max(axis=1) <= plain.max(axis=1)).all()
    rows = np.zeros((2, 3), np.float32)
    assert not Decoded(np.array([0]), rows, power=0.5).means(lambda part: part[:1]).any()


def test_probabilities_in_half_precision_give_the_same_sections() -> None:
    read = reading(50, 3, seed=8)
    half = Reading(read.probabilities.astype(np.float16), boundary=read.boundary)
    assert Joint().starts(half).tolist() == Joint().starts(read).tolist()
