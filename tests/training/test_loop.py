"""The loop: learns, repeats, continues to the same result after a kill, and refuses what cannot work."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from synthetic import LABELS, features, prepared, split

from sector.errors import ConfigError, DataError, ModelError, SectorError
from sector.tasks import TaskName
from sector.training.batches import reading_batches
from sector.training.config import TrainingConfig
from sector.training.predict import read_split
from sector.training.prepared import PreparedData
from sector.training.trainer import Trained, Trainer, make_reader

SMALL = TrainingConfig(hidden=16, embedding=8, epochs=6, learning_rate=1e-2, warmup=5, batch=4, dropout=0.2)


def train(data: PreparedData | None = None, config: TrainingConfig = SMALL) -> Trained:
    return Trainer(data or prepared(), config, "cpu").run()


def same(first: Trained, second: Trained) -> bool:
    return all(torch.equal(value, second.weights[name]) for name, value in first.weights.items())


@pytest.mark.parametrize("task", ["topics", "headings"])
@pytest.mark.parametrize("loss", ["ce", "rank"])
@pytest.mark.parametrize("output", ["sum", "mean"])
def test_a_handful_of_documents_is_learned_by_heart(task: TaskName, loss: str, output: str) -> None:
    data = prepared(task)
    data = replace(data, splits={"train": data.train, "validation": data.train})
    config = replace(SMALL, loss=loss, output=output, epochs=30, dropout=0.0)
    trained = train(data, config)
    assert trained.best["map"] > 0.99
    readings = read_split(trained.network, trained.weights, make_reader(data, SMALL), data.train, "cpu")
    predicted = np.concatenate([reading.probabilities for reading in readings]).argmax(axis=1)
    assert (predicted == data.train.labels[data.train.sections]).mean() > 0.98


def test_a_seed_repeats_a_run_and_another_does_not() -> None:
    first = train()
    assert same(first, train())
    assert not same(first, train(config=replace(SMALL, seed=2)))


def test_resumed_equals_uninterrupted(tmp_path: Path) -> None:
    class KilledError(Exception):
        pass

    def kill(entry: dict[str, float]) -> None:
        if entry["epoch"] == 3:
            raise KilledError

    whole = train()
    with pytest.raises(KilledError):
        Trainer(prepared(), SMALL, "cpu").run(tmp_path, report=kill)
    torch.rand(7)  # another state of the generator than the one that was saved
    resumed = Trainer(prepared(), SMALL, "cpu").run(tmp_path, resume=True)
    assert len(resumed.history) == len(whole.history)
    assert same(whole, resumed)


def test_resume_refuses_another_runs_checkpoint(tmp_path: Path) -> None:
    Trainer(prepared(), SMALL, "cpu").run(tmp_path)
    with pytest.raises(ConfigError, match="other options"):
        Trainer(prepared(), replace(SMALL, seed=5), "cpu").run(tmp_path, resume=True)


@pytest.mark.parametrize("split_name", ["train", "validation"])
@pytest.mark.parametrize("part", ["labels", "sections", "words"])
def test_resume_refuses_other_data_under_the_same_name(part: str, split_name: str, tmp_path: Path) -> None:
    data = prepared()
    Trainer(data, SMALL, "cpu").run(tmp_path)
    split = data.splits[split_name]
    changed = getattr(split, part).copy()
    changed[: len(changed) // 2] = 0
    other = replace(data, splits={**data.splits, split_name: replace(split, **{part: changed})})
    with pytest.raises(ConfigError, match="other data: texts, labels"):
        Trainer(other, SMALL, "cpu").run(tmp_path, resume=True)


def test_resume_refuses_a_broken_checkpoint(tmp_path: Path) -> None:
    Trainer(prepared(), SMALL, "cpu").run(tmp_path)
    file = tmp_path / "checkpoint.npz"
    file.write_bytes(file.read_bytes()[:1000])
    with pytest.raises(ModelError, match="broken"):
        Trainer(prepared(), SMALL, "cpu").run(tmp_path, resume=True)


def test_early_stop_keeps_the_best_epoch() -> None:
    config = replace(SMALL, epochs=40, patience=3, learning_rate=0.05, schedule="constant")
    trained = train(config=config)
    scores = [entry["map"] for entry in trained.history]
    assert len(scores) < 40
    assert trained.best["map"] == max(scores)
    assert len(scores) - int(trained.best["epoch"]) == 3


def test_without_validation_the_last_epoch_counts() -> None:
    data = replace(prepared(), splits={"train": split(6)})
    trained = train(data)
    assert trained.best["epoch"] == SMALL.epochs


def test_documents_without_labels_do_not_disturb() -> None:
    data = replace(prepared(), splits={"train": split(6, labelled=False), "validation": split(3)})
    trained = train(data, replace(SMALL, epochs=1))
    assert np.isfinite(trained.history[0]["loss"])


@pytest.mark.parametrize("schedule", ["linear", "exponential", "constant"])
def test_schedules(schedule: str) -> None:
    trainer = Trainer(prepared(), replace(SMALL, schedule=schedule), "cpu")
    rates = []
    for epoch in range(SMALL.epochs):
        trainer._set_rate(epoch, 0, 10)
        rates.append(trainer.optimiser.param_groups[0]["lr"])
    if schedule == "constant":
        assert rates == [1e-2] * SMALL.epochs
    elif schedule == "exponential":
        assert rates == pytest.approx([1e-2 * 0.85**e for e in range(SMALL.epochs)])
    else:
        assert rates[0] == pytest.approx(1e-2 / 5)
        assert rates[1:] == sorted(rates[1:], reverse=True)


@pytest.mark.parametrize("task", ["topics", "headings"])
@pytest.mark.parametrize(("tied", "output"), [(True, "sum"), (False, "sum"), (True, "mean"), (False, "mean")])
def test_a_new_network_knows_the_labels_frequencies(task: TaskName, tied: bool, output: str) -> None:
    trainer = Trainer(prepared(task), replace(SMALL, tied=tied, output=output), "cpu")
    (learner,) = trainer.tasks
    for parameter in learner.network.embedding.parameters():
        torch.nn.init.zeros_(parameter)
    labels = learner.data.train.labels[learner.data.train.sections]
    expected = np.bincount(labels, minlength=len(LABELS)) / len(labels)
    batch = next(reading_batches(learner.data.train, 4))
    rows = learner.read(learner.split, batch)
    np.testing.assert_allclose(learner.network.probabilities(rows)[0].detach(), expected, atol=1e-5)


def test_nothing_to_train_on() -> None:
    empty = replace(prepared(), splits={"train": split(1)}, labels=())
    with pytest.raises(DataError, match="nothing to learn"):
        Trainer(empty, SMALL, "cpu")


@pytest.mark.parametrize(
    "wrong",
    [
        {"loss": "hinge"},
        {"epochs": 0},
        {"batch": "16"},
        {"dropout": 1.5},
        {"learning_rate": -1},
        {"schedule": "cosine"},
        {"tied": "yes"},
        {"layers": 2},
        {"boundary": -1.0},
        {"balance": 1.1},
        {"distil": 2},
        {"crop": -0.5},
        {"averaging": 1.0},
        {"averaging": "0.9"},
        {"word_dropout": 1},
        {"learn_vectors": "yes"},
        {"reader_rate": True},
    ],
)
def test_bad_options_name_themselves(wrong: dict[str, object]) -> None:
    with pytest.raises(SectorError, match=next(iter(wrong))):
        TrainingConfig.from_dict(wrong)


def test_unknown_device() -> None:
    with pytest.raises(ConfigError, match="--device cpu"):
        Trainer(prepared(), SMALL, "cuda:77")


def test_prepared_file_round_trip(tmp_path: Path) -> None:
    data = prepared("headings")
    file = tmp_path / "prepared.npz"
    data.save(file)
    again = PreparedData.load(file)
    assert (again.task, again.labels, dict(again.about)) == (data.task, data.labels, dict(data.about))
    for name in ("words", "word_offsets", "document_offsets", "sections", "labels", "label_offsets", "flags"):
        np.testing.assert_array_equal(getattr(again.train, name), getattr(data.train, name))
    np.testing.assert_array_equal(again.features.indices, features().indices)
    assert same(train(data), train(again))
    assert again.labels == LABELS


@pytest.mark.parametrize("content", [b"", b"garbage", b"PK\x03\x04 truncated"])
def test_broken_prepared_file(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "prepared.npz"
    file.write_bytes(content)
    with pytest.raises(DataError, match=r"prepared\.npz"):
        PreparedData.load(file)
    with pytest.raises(DataError, match="no such file"):
        PreparedData.load(tmp_path / "missing.npz")
