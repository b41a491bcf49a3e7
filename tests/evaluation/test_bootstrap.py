"""Confidence intervals by resampling."""

from __future__ import annotations

import numpy as np
import pytest

from sector.errors import ConfigError
from sector.evaluation import bootstrap, bootstrap_intervals


def test_close_to_the_normal_interval_of_a_mean() -> None:
    values = np.random.default_rng(0).random((400, 1))
    (low, high), *_ = bootstrap_intervals(values, np.ones_like(values), 4000)
    margin = 1.96 * values.std() / 20
    assert low == pytest.approx(values.mean() - margin, abs=0.004)
    assert high == pytest.approx(values.mean() + margin, abs=0.004)


def test_equal_documents_have_no_spread() -> None:
    assert bootstrap_intervals(np.full((9, 1), 0.3), np.ones((9, 1)), 50) == pytest.approx(np.full((1, 2), 0.3))


def test_seed_decides() -> None:
    values, ones = np.arange(30.0)[:, None], np.ones((30, 1))
    first, again, other = (bootstrap_intervals(values, ones, 100, seed=seed).tolist() for seed in (1, 1, 2))
    assert first == again != other


def test_chunks_do_not_change_the_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    values, ones = np.arange(30.0)[:, None], np.ones((30, 1))
    whole = bootstrap_intervals(values, ones, 100).tolist()
    monkeypatch.setattr(bootstrap, "CHUNK", 200)
    assert bootstrap_intervals(values, ones, 100).tolist() == whole


def test_undefined_ratios_are_not_numbers() -> None:
    bounds = bootstrap_intervals(np.zeros((5, 2)), np.array([[0.0, 1.0]] * 5), 20)
    assert np.isnan(bounds[0]).all()
    assert bounds[1].tolist() == [0, 0]


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(ConfigError, match="0 resamples"):
        bootstrap_intervals(np.ones((2, 1)), np.ones((2, 1)), 0)
