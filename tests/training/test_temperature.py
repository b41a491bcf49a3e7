"""Calibration after training: surer or less sure, never another ranking."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from synthetic import prepared
from torch import Tensor
from torch.nn import functional

from sector.training.batches import reading_batches
from sector.training.calibration import _best, _word_loss, calibrate
from sector.training.config import TrainingConfig
from sector.training.learner import SectorLearner
from sector.training.trainer import Trainer

SMALL = TrainingConfig(hidden=16, embedding=8, epochs=6, learning_rate=1e-2, warmup=5, batch=4, dropout=0.0)


def overconfident(task: str = "topics", **options: object) -> SectorLearner:
    """Return a network that knows a little and whose logits are many times too large."""
    trainer = Trainer(prepared(task), replace(SMALL, **options), "cpu")  # type: ignore[arg-type]
    trainer.run()
    (made,) = trainer.tasks
    with torch.no_grad():
        for parameter in made.network.label.parameters():
            parameter.mul_(6.0)
    made.network.eval()
    return made


@torch.no_grad()
def validation(task: SectorLearner) -> tuple[Tensor, Tensor]:
    assert task.validation is not None and task.data.validation is not None
    (batch,) = reading_batches(task.data.validation, 100)
    return task.read(task.validation, batch).logits[0], task.validation.targets.rows(batch.sentences).argmax(dim=1)


@pytest.mark.parametrize("tied", [True, False])
def test_the_loss_falls_and_the_ranking_stays(tied: bool) -> None:
    task = overconfident(tied=tied)
    before, gold = validation(task)
    found = calibrate(task)
    after, _ = validation(task)
    assert functional.cross_entropy(after, gold) < functional.cross_entropy(before, gold)
    assert torch.equal(before.argsort(dim=1, stable=True), after.argsort(dim=1, stable=True))
    torch.testing.assert_close(after * found["temperature"], before)
    assert 4 < found["temperature"] < 8 and found["ece_after"] < found["ece_before"] <= 1


def test_a_temperature_is_not_found_twice() -> None:
    task = overconfident()
    first, second = calibrate(task), calibrate(task)
    assert second["temperature"] == pytest.approx(1.0, abs=0.07)  # a step of the search
    assert second["ece_before"] == pytest.approx(first["ece_after"], abs=1e-6)


@pytest.mark.parametrize(
    ("task", "options", "calibrated"),
    [
        ("topics", {"output": "mean"}, False),
        ("headings", {"loss": "ce"}, False),
        ("headings", {"loss": "softmax"}, True),
    ],
)
def test_only_one_distribution_can_be_calibrated(task: str, options: dict[str, object], calibrated: bool) -> None:
    made = overconfident(task, **options)
    own = {name: value.clone() for name, value in made.network.state_dict().items()}
    assert bool(calibrate(made)) is calibrated
    unchanged = all(torch.equal(value, own[name]) for name, value in made.network.state_dict().items())
    assert unchanged is not calibrated


def test_without_validation_documents_nothing_is_done() -> None:
    data = replace(prepared(), splits={"train": prepared().train})
    (task,) = Trainer(data, SMALL, "cpu").tasks
    assert calibrate(task) == {}


def test_a_run_tells_of_its_calibration() -> None:
    best = Trainer(prepared(), SMALL, "cpu").run().best
    assert {"temperature", "ece_before", "ece_after"} <= best.keys()


def test_a_word_is_right_if_the_heading_has_it() -> None:
    logits = torch.tensor([[3.0, 3.0, 0.0], [0.0, 3.0, 3.0], [3.0, 0.0, 3.0], [0.0, 3.0, 0.0]])
    gold = torch.tensor([[1, 1, 0], [0, 1, 1], [1, 0, 1], [0, 1, 0]], dtype=torch.bool)
    confidence, right = _best(logits, gold)
    assert right.tolist() == [1, 1, 1, 1]
    assert confidence.tolist() == pytest.approx([0.488, 0.488, 0.488, 0.909], abs=1e-3)
    assert _word_loss(logits / 0.5, gold) < _word_loss(logits, gold) < _word_loss(logits / 2, gold)
