"""The running mean of weights: by hand, in a run, and over a kill."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from synthetic import prepared
from torch import nn

from sector.training import checkpoint
from sector.training.average import WARM_UP, WeightAverage
from sector.training.config import TrainingConfig
from sector.training.trainer import Trained, Trainer

SMALL = TrainingConfig(hidden=16, embedding=8, epochs=5, learning_rate=1e-2, warmup=5, batch=4, dropout=0.2)
AVERAGED = replace(SMALL, averaging=0.8)


class KilledError(Exception):
    pass


def same(first: dict[str, torch.Tensor], second: dict[str, torch.Tensor]) -> bool:
    return first.keys() == second.keys() and all(torch.equal(value, second[name]) for name, value in first.items())


def test_the_mean_is_its_equation() -> None:
    layer = nn.Linear(1, 1, bias=False)
    nn.init.constant_(layer.weight, 2.0)
    average, expected = WeightAverage(layer, 0.5), 2.0
    for step in range(1, 21):
        nn.init.constant_(layer.weight, float(step))
        average.update()
        decay = min(0.5, step / (step + WARM_UP))
        expected = decay * expected + (1 - decay) * step
    with average.applied():
        assert layer.weight.item() == pytest.approx(expected, rel=1e-6)
    assert layer.weight.item() == 20.0


def test_an_error_inside_gives_the_own_weights_back() -> None:
    layer = nn.Linear(1, 1, bias=False)
    average = WeightAverage(layer, 0.5)
    nn.init.constant_(layer.weight, 7.0)
    with pytest.raises(KilledError), average.applied():
        raise KilledError
    assert layer.weight.item() == 7.0


def test_without_a_decay_there_is_no_mean() -> None:
    layer = nn.Linear(2, 2)
    average, own = WeightAverage(layer, 0.0), layer.weight.detach().clone()
    average.update()
    with average.applied():
        assert torch.equal(layer.weight, own)
    assert average.state == {}


def raw_and_best(config: TrainingConfig, folder: Path) -> tuple[dict[str, torch.Tensor], Trained]:
    """Return the weights of the last step, as the checkpoint has them, and what the run gives."""
    trained = Trainer(prepared(), config, "cpu").run(folder)
    return checkpoint.load(folder / "checkpoint.npz")[1]["network"], trained


def test_averaging_watches_a_run_and_does_not_change_it(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "mean").mkdir()
    plain, plain_run = raw_and_best(SMALL, tmp_path / "plain")
    watched, mean_run = raw_and_best(AVERAGED, tmp_path / "mean")
    assert same(plain, watched)
    assert not same(plain_run.weights, mean_run.weights)
    assert [e["loss"] for e in plain_run.history] == [e["loss"] for e in mean_run.history]


def test_resumed_equals_uninterrupted_with_a_mean(tmp_path: Path) -> None:
    def kill(entry: dict[str, float]) -> None:
        if entry["epoch"] == 2:
            raise KilledError

    whole = Trainer(prepared(), AVERAGED, "cpu").run()
    with pytest.raises(KilledError):
        Trainer(prepared(), AVERAGED, "cpu").run(tmp_path, report=kill)
    resumed = Trainer(prepared(), AVERAGED, "cpu").run(tmp_path, resume=True)
    assert same(whole.weights, resumed.weights)
    again = Trainer(prepared(), AVERAGED, "cpu").run(tmp_path, resume=True)
    assert same(whole.weights, again.weights)  # a finished run is not calibrated twice
