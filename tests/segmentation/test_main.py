"""``main``: it looks at the coarser boundaries alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sector.errors import ConfigError
from sector.segmentation import MainSections, Reading, make, with_dial


def reading(main: list[float], section: list[float] | None = None) -> Reading:
    """Make a reading of these log-odds."""
    rows = np.stack([main, section or main], axis=1).astype(np.float32).reshape(len(main), 2)
    return Reading(np.full((len(main), 3), 1 / 3, np.float32), boundary=rows)


def test_a_section_begins_at_peaks_of_the_first_kind_alone() -> None:
    found = make("main").starts(reading([9, -5, 2, 3, -5, -5, -5, 4], [9, 9, 9, 9, 9, 9, 9, 9]))
    assert found.tolist() == [0, 3, 7]  # 2 is not the peak; the first sentence's logits mean nothing


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-30, 30, width=32), max_size=30), st.floats(0.01, 100))
def test_more_granularity_never_loses_a_boundary(log_odds: list[float], granularity: float) -> None:
    given_reading = reading(log_odds)
    few = set(make("main", granularity=granularity).starts(given_reading).tolist())
    many = set(make("main", granularity=2 * granularity).starts(given_reading).tolist())
    assert few <= many
    assert (0 in few) == bool(log_odds)
    deviation = make("main", granularity=granularity).deviation(given_reading)
    assert len(deviation) == len(log_odds) and not deviation[:1].any() and (deviation <= 1).all()


def test_what_it_lacks_is_named() -> None:
    with pytest.raises(ConfigError, match="boundary = 1"):
        make("main").starts(Reading(np.ones((3, 1), np.float32)))
    with pytest.raises(ConfigError, match="granularity"):
        MainSections(granularity=0)
    assert with_dial(make("main"), 3).starts(reading([0.0, -1.5, -9.0])).tolist() == [0, 1]
