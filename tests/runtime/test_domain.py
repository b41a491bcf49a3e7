"""How a domain looks at sections: runs of letters, regions of embeddings, and how both become a share."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sector.errors import ModelError
from sector.runtime.domain import Spread, TrainedDomain
from sector.runtime.letters import BLOCK, BUCKETS, Letters, sizes
from sector.runtime.regions import Regions

LETTERS = Letters("abcdefghijklmnopqrstuvwxyzä")
WEIGHTS = np.random.default_rng(1).integers(-127, 128, BUCKETS).astype(np.int8)


@given(st.lists(st.text(st.characters(), max_size=12), min_size=1, max_size=6))
def test_what_letters_say_of_a_text_does_not_depend_on_its_neighbours(texts: list[str]) -> None:
    alone = [int(LETTERS.sums([text], WEIGHTS)[0]) for text in texts]
    assert LETTERS.sums(texts, WEIGHTS).tolist() == alone
    assert len(LETTERS.buckets(texts)) == sizes(texts).sum()


def test_long_texts_are_read_in_blocks() -> None:
    texts = ["The harbour froze. " * (BLOCK // 40)] * 3 + ["", "End"]
    assert LETTERS.sums(texts, WEIGHTS).tolist() == [int(LETTERS.sums([text], WEIGHTS)[0]) for text in texts]
    assert LETTERS.sums([], WEIGHTS).tolist() == []


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Harbour", "hARBOUR", True),
        ("1234", "9876", True),
        ("ä", "Ä", True),
        ("abcd", "abce", False),
        ("漢字漢字", "Ωλφψ", True),  # neither is of the alphabet
        ("абвг", "abcd", False),
        ("a b c", "a\u2009b\u00a0c", True),
    ],
)
def test_characters_are_told_apart_by_the_alphabet(one: str, other: str, alike: bool) -> None:
    assert (LETTERS.buckets([one]).tolist() == LETTERS.buckets([other]).tolist()) == alike


def test_a_short_section_must_differ_more() -> None:
    spread = Spread(0.0, 0.01, 4.0)
    short, long = spread.deviations(np.array([-1.0, -1.0]), np.array([10, 1000]))
    assert long < short < 0
    assert spread.deviations(np.array([50.0]), np.array([100])).tolist() == [0.0]


def test_a_region_is_denser_where_its_rows_are() -> None:
    shift = np.concatenate([np.eye(2), np.zeros((1, 2))])
    away = np.concatenate([np.eye(2), np.full((1, 2), -5.0)])
    rows = np.array([[0, 0, 3], [5, 5, 3]], np.float32)
    projection = np.eye(3, 2, dtype=np.float32)
    one = Regions(projection, np.stack([shift]).astype(np.float32), (0.0,))
    np.testing.assert_allclose(one.scores(rows), [0, -25])
    both = Regions(projection, np.stack([shift, away]).astype(np.float32), (0.0, 0.0))
    np.testing.assert_allclose(both.scores(rows), [25, -25])


def test_no_settings_are_no_domain_and_broken_ones_an_error(tmp_path: Path) -> None:
    assert TrainedDomain.load(tmp_path, {}) is None
    for settings in ({"centre": 1}, {"centre": "x", "width": 1, "scale": 1}):
        with pytest.raises(ModelError, match="'domain'"):
            TrainedDomain.load(tmp_path, settings)
