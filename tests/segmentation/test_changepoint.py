"""Change points against a search through all partitions, on documents with known sections and on odd ones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from noisy_sections import noisy_sections

from sector.arrays import Doubles, Floats2d
from sector.errors import ConfigError
from sector.segmentation import Reading, make, partition


def document(sizes: tuple[int, ...], noise: float, seed: int = 1, width: int = 32) -> Floats2d:
    """Make vectors of a document with sections of these sizes."""
    return noisy_sections(sizes, noise, seed, width).astype(np.float32)


def all_partitions(n: int) -> Iterator[list[int]]:
    for cuts in range(n):
        for chosen in combinations(range(1, n), cuts):
            yield [0, *chosen]


def price(rows: Doubles, begins: list[int], penalties: Doubles) -> float:
    """The definition: squared distances to the means of the runs, and a penalty for each begin but the first."""
    runs = [rows[begin:end] for begin, end in pairwise([*begins, len(rows)])]
    return sum(float(((run - run.mean(axis=0)) ** 2).sum()) for run in runs) + float(penalties[begins[1:]].sum())


@pytest.mark.parametrize("n", range(1, 12))
@pytest.mark.parametrize("level", [0.05, 0.4, 1.0, 2.5])
def test_no_partition_is_cheaper(n: int, level: float) -> None:
    rng = np.random.default_rng(n)
    rows = rng.normal(size=(n, 3)).astype(np.float32) + np.repeat(rng.normal(size=(n, 3)), 3, axis=0)[:n]
    penalties = level * rng.uniform(1, 2, size=n)
    found = partition.partition(rows.astype(np.float32), penalties)
    exact = rows.astype(np.float32).astype(np.float64)
    least = min(price(exact, begins, penalties) for begins in all_partitions(n))
    assert price(exact, found.tolist(), penalties) == pytest.approx(least)


def plain(rows: Floats2d, penalties: Doubles) -> list[int]:
    """The dynamic programme without blocks and without pruning."""
    exact = rows.astype(np.float64)
    sums = np.vstack([np.zeros(rows.shape[1]), np.cumsum(exact, axis=0)])
    energy = np.concatenate([[0], np.cumsum((exact**2).sum(axis=1))])
    least, previous = [0.0], [0]
    for end in range(1, len(rows) + 1):
        begins = np.arange(end)
        costs = energy[end] - energy[:end] - ((sums[end] - sums[:end]) ** 2).sum(axis=1) / (end - begins)
        reached = np.array(least) + costs + np.where(begins > 0, penalties[:end], 0)
        previous.append(int(reached.argmin()))
        least.append(float(reached.min()))
    found = [previous[-1]]
    while found[0]:
        found.insert(0, previous[found[0]])
    return found


@pytest.mark.parametrize("level", [1.0, 8.0, 40.0, 300.0])
def test_pruning_and_blocks_change_nothing(level: float) -> None:
    rows = document((40, 3, 70, 64, 1, 90, 128, 20), noise=0.9)
    penalties = np.full(len(rows), level)
    assert partition.partition(rows, penalties).tolist() == plain(rows, penalties)


def test_known_sections_are_found() -> None:
    sizes = (12, 5, 13, 2, 14, 11, 30)
    for seed in range(5):
        reading = Reading.of_vectors(document(sizes, noise=0.4, seed=seed))
        assert make("changepoint").starts(reading).tolist() == [0, *np.cumsum(sizes)[:-1].tolist()]


def test_one_topic_is_one_section() -> None:
    for n in (2, 3, 5, 20, 100, 500):
        reading = Reading.of_vectors(document((n,), noise=0.8, width=128))
        assert make("changepoint").starts(reading).tolist() == [0]


def test_granularity_and_penalty_say_how_many_sections() -> None:
    reading = Reading.of_vectors(document((10, 10, 10, 10), noise=1.0))
    counts = [len(make("changepoint", granularity=g).starts(reading)) for g in (0.1, 1.0, 20.0)]
    assert counts[0] == 1 < counts[1] < counts[2]
    assert len(make("changepoint", penalty=1e-6).starts(reading)) == 40
    assert len(make("changepoint", penalty=1e6).starts(reading)) == 1


def test_line_breaks_draw_boundaries_to_them() -> None:
    one, two, between = np.eye(3)[0], np.eye(3)[1], np.full(3, 1.0)
    rows = np.array([one] * 5 + [between] + [two] * 5)
    ends = np.zeros(11, np.bool_)
    for place in (4, 5):
        marked = ends.copy()
        marked[place] = True
        assert make("changepoint").starts(Reading.of_vectors(rows, marked)).tolist() == [0, place + 1]
    unmarked, none = Reading.of_vectors(rows, ends), Reading.of_vectors(rows)
    assert make("changepoint").starts(unmarked).tolist() == make("changepoint").starts(none).tolist()


def test_the_deviation_says_why() -> None:
    rows = document((20, 30, 10, 25), noise=1.2)
    ends = np.arange(len(rows)) % 2 == 1
    for read in (Reading.of_vectors(rows), Reading.of_vectors(rows, ends)):
        method = make("changepoint", granularity=1.5)
        starts, deviation = method.starts(read), method.deviation(read)
        assert len(starts) > 2
        assert deviation[0] == 0
        assert (deviation[starts[1:]] >= 1 - 1e-5).all()
        assert (np.delete(deviation, starts) <= 1 + 1e-5).all()


def test_the_deviation_is_the_difference_of_prices() -> None:
    rows = document((6, 7), noise=0.7).astype(np.float64)
    saved = partition.savings(rows.astype(np.float32), np.array([0, 6]))
    free = np.zeros(13)
    assert saved[6] == pytest.approx(price(rows, [0], free) - price(rows, [0, 6], free), rel=1e-5)
    assert saved[9] == pytest.approx(price(rows, [0, 6], free) - price(rows, [0, 6, 9], free), rel=1e-5)


@pytest.mark.parametrize("sentences", [0, 1, 2, 3, 4, 63, 64, 65, 130])
@pytest.mark.parametrize("form", ["constant", "zero", "no dimensions", "random", "one other", "huge", "tiny"])
def test_odd_vectors_have_an_answer(form: str, sentences: int) -> None:
    rows = np.random.default_rng(sentences).normal(size=(sentences, 8)).astype(np.float32)
    if form == "one other":
        rows[1:] = rows[:1]
    rows = {
        "constant": np.full_like(rows, 0.3),
        "zero": np.zeros_like(rows),
        "no dimensions": rows[:, :0],
        "huge": rows * 1e15,
        "tiny": rows * 1e-15,
    }.get(form, rows)
    ends = np.arange(sentences) % 3 == 2
    for method in (make("changepoint"), make("changepoint", granularity=50.0), make("changepoint", penalty=1e-9)):
        reading = Reading(np.zeros((sentences, 2), np.float32), rows, rows[::-1], ends)
        starts, deviation = method.starts(reading), method.deviation(reading)
        assert starts.dtype == np.int64
        assert starts[:1].tolist() == [0] * min(1, sentences)
        assert (np.diff(starts) > 0).all()
        assert deviation.dtype == np.float32
        assert deviation.shape == (sentences,)
        assert np.isfinite(deviation).all()
        if form in ("constant", "zero", "no dimensions"):
            assert len(starts) == min(1, sentences)
            assert not deviation.any()


def test_vectors_of_any_length_count_the_same() -> None:
    rows = document((10, 12, 9), noise=0.5)
    scaled = rows * np.linspace(0.1, 9, len(rows), dtype=np.float32)[:, None]
    one, two = (make("changepoint").starts(Reading.of_vectors(each)).tolist() for each in (rows, scaled))
    assert one == two == [0, 10, 22]


def test_sections_longer_than_the_window_stay_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partition, "LONGEST", 100)
    rows = document((450, 30, 170), noise=0.3)
    assert make("changepoint").starts(Reading.of_vectors(rows)).tolist() == [0, 450, 480]


def test_long_documents_take_little_memory() -> None:
    rows = document((40,) * 500, noise=0.5, width=16)
    assert make("changepoint").starts(Reading.of_vectors(rows)).tolist() == list(range(0, 20_000, 40))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"granularity": 0.0}, "'granularity' is 0.0"),
        ({"penalty": -1.0}, "'penalty' is -1.0"),
        ({"penalty": float("nan")}, "'penalty' is nan"),
        ({"line_break": 0.5}, "'line_break' is 0.5"),
        ({"sigma": 2}, "granularity, penalty, line_break"),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make("changepoint", **options)


def test_what_is_lacking_is_said() -> None:
    with pytest.raises(ConfigError, match="'changepoint' needs vectors"):
        make("changepoint").starts(Reading(np.zeros((3, 2), np.float32)))
    with pytest.raises(ConfigError, match=r"the shape \(3,\)"):
        Reading.of_vectors(np.zeros(3))
    with pytest.raises(ConfigError, match="finite"):
        Reading.of_vectors(np.full((3, 2), np.nan))
