"""Learning from a teacher: its targets, its labels, and text that nobody labelled."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from synthetic import LABELS, prepared, split

import sector
from sector import datasets
from sector.errors import ConfigError, DataError, ModelError
from sector.evaluation import evaluate
from sector.segmentation import Reading
from sector.tasks import TaskName
from sector.training.config import TrainingConfig
from sector.training.predict import read_split
from sector.training.prepared import PreparedData, SplitData
from sector.training.recipe import Recipe
from sector.training.run_folder import RunFolder
from sector.training.targets import TargetTable
from sector.training.teacher import label_columns, soft_targets
from sector.training.trainer import Trainer, make_reader
from tiny import TINY, make_model, options, write_documents

SMALL = TrainingConfig(hidden=24, embedding=12, epochs=40, learning_rate=1e-2, warmup=5, batch=4, dropout=0.0)


def moved(data: SplitData, by: int = 1) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Return a teacher that is sure of another label than the gold one, and of no boundary."""
    labels = (data.labels[data.sections] + by) % len(LABELS)
    teacher = np.zeros((data.sentences, len(LABELS) + 2), np.uint8)
    teacher[np.arange(data.sentences), labels] = 255
    return labels, teacher


def predicted(data: PreparedData, config: TrainingConfig) -> NDArray[np.int64]:
    trained = Trainer(replace(data, splits={"train": data.train}), config, "cpu").run()
    readings = read_split(trained.network, trained.weights, make_reader(data, config), data.train, "cpu")
    return np.asarray(np.concatenate([reading.probabilities for reading in readings]).argmax(axis=1))


@pytest.mark.parametrize("task", ["topics", "headings"])
@pytest.mark.parametrize(("distil", "follows"), [(0, "gold"), (1, "teacher")])
def test_distil_weighs_teacher_against_gold(task: TaskName, distil: int, follows: str) -> None:
    data = prepared(task)
    labels, teacher = moved(data.train)
    data = replace(data, splits={"train": replace(data.train, teacher=teacher)})
    expected = {"gold": data.train.labels[data.train.sections], "teacher": labels}[follows]
    assert (predicted(data, replace(SMALL, distil=distil)) == expected).mean() > 0.97


def test_text_that_nobody_labelled_is_learned_from_the_teacher_alone() -> None:
    gold = split(12, labelled=True)
    labels, teacher = moved(gold)
    unlabelled = replace(split(12, labelled=False), teacher=teacher)
    data = replace(prepared(), splits={"train": unlabelled})
    assert (predicted(data, replace(SMALL, distil=0.0)) == labels).mean() > 0.97


def test_soft_targets_survive_the_file_and_the_device(tmp_path: Path) -> None:
    data = prepared()
    teacher = np.random.default_rng(0).integers(0, 256, (data.train.sentences, 5)).astype(np.uint8)
    data = replace(data, splits={"train": replace(data.train, teacher=teacher), "validation": data.train})
    data.save(tmp_path / "prepared.npz")
    again = PreparedData.load(tmp_path / "prepared.npz")
    assert again.train.teacher is not None and again.validation is not None and again.validation.teacher is None
    soft = TargetTable(again.train, 3, torch.device("cpu")).soft(np.array([4, 0]))
    assert soft is not None
    np.testing.assert_allclose(torch.cat(soft, dim=1), teacher[[4, 0]] / 255, rtol=1e-6)
    assert TargetTable(again.validation, 3, torch.device("cpu")).soft(np.array([0])) is None


def test_targets_in_255ths_with_the_labels_in_order() -> None:
    rows = np.array([[0.1, 0.9], [1.0, 0.0]], np.float32)
    reading = Reading(rows, boundary=np.array([[0, 30], [-30, 0]], np.float32))
    found = soft_targets(reading, np.array([1, 0]))
    assert found.dtype == np.uint8
    assert found.tolist() == [[230, 26, 128, 255], [0, 255, 0, 128]]


def test_a_teacher_without_a_boundary_layer_is_sure_of_its_sections() -> None:
    embeddings = np.repeat(np.eye(3, dtype=np.float32), 6, axis=0)
    rows = np.repeat(np.array([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9]], np.float32), 6, axis=0)
    found = soft_targets(Reading(rows, embeddings, embeddings), np.array([0, 1]))
    assert np.flatnonzero(found[:, 3]).tolist() == [0, 6, 12]
    assert np.flatnonzero(found[:, 2]).tolist() == [0, 12]
    assert set(found[:, 2:].ravel().tolist()) == {0, 255}


def teacher_of(*labels: str, task: str = "topics") -> Any:
    return SimpleNamespace(name="wise", task=task, labels=labels)


def test_labels_are_put_in_order_or_refused() -> None:
    assert label_columns(teacher_of("b", "c", "a"), "topics", ("a", "b", "c")).tolist() == [2, 0, 1]
    with pytest.raises(DataError, match=r"'wise' has other labels .* lacks 'c' and has 'd' beyond"):
        label_columns(teacher_of("a", "b", "d"), "topics", ("a", "b", "c"))
    with pytest.raises(DataError, match="lacks none and has 'l0', 'l1', 'l2', 'l3', 'l4' and 3 more"):
        label_columns(teacher_of(*(f"l{i}" for i in range(8)), "a"), "topics", ("a",))
    with pytest.raises(DataError, match="a model of headings, but the task is topics"):
        label_columns(teacher_of("a", task="headings"), "topics", ("a",))


@pytest.fixture(scope="module")
def teacher(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("teacher"), replace(TINY, boundary=1.0))


def test_what_a_teacher_says_is_in_the_prepared_data(teacher: Path, tmp_path: Path) -> None:
    more = write_documents(tmp_path / "more.jsonl", 5, seed=99)
    chosen = options(tmp_path, teacher=str(teacher), unlabelled=more)
    data = RunFolder(tmp_path / "work").prepared(chosen)[""]
    assert data.train.documents == 24 + 5
    assert np.diff(data.train.label_offsets)[-5:].tolist() == [0] * 5
    assert (data.about["teacher"], data.about["unlabelled_data"]) == ("tiny", "more")
    model = sector.load(teacher)
    (last,) = model.read([list(datasets.load(more, language="en"))[-1]])
    assert data.train.teacher is not None and last.boundary is not None
    rows = data.train.teacher[data.train.document_offsets[-2] :] / 255
    order = [model.labels.index(label) for label in data.labels]
    np.testing.assert_allclose(rows[:, :4], last.probabilities[:, order], atol=0.003)
    np.testing.assert_allclose(rows[1:, 4:], 1 / (1 + np.exp(-last.boundary[1:])), atol=0.003)


def test_another_teacher_or_other_text_prepares_again(teacher: Path, tmp_path: Path) -> None:
    more = write_documents(tmp_path / "more.jsonl", 5, seed=99)
    plain = options(tmp_path)
    taught = options(tmp_path, teacher=str(teacher))
    assert len({plain.key(), taught.key(), options(tmp_path, teacher=str(teacher), unlabelled=more).key()}) == 3


def test_a_student_of_unlabelled_text_knows_what_its_teacher_knows(teacher: Path, tmp_path: Path) -> None:
    write_documents(tmp_path / "train.jsonl", 2)
    more = write_documents(tmp_path / "more.jsonl", 24, seed=5)
    student = replace(TINY, boundary=1.0)
    path = make_model(tmp_path, student, teacher=str(teacher), unlabelled=more)
    held_out = list(datasets.load(write_documents(tmp_path / "test.jsonl", 8, seed=31), language="en"))
    report = evaluate(sector.load(path), held_out)
    assert report.f1 is not None and report.f1 > 0.9
    assert sector.load(path).config.data["teacher"] == "tiny"


def test_what_cannot_be_taught_is_said(teacher: Path, tmp_path: Path) -> None:
    work = RunFolder(tmp_path / "work")
    with pytest.raises(ConfigError, match="--teacher MODEL"):
        Recipe.from_dict({"train": "x", "unlabelled": "y"})
    with pytest.raises(ModelError, match="no model 'nobody'"):
        work.prepared(options(tmp_path, teacher="nobody"))
    with pytest.raises(DataError, match="a model of topics, but the task is headings"):
        work.prepared(options(tmp_path, teacher=str(teacher), task="headings"))
    with pytest.raises(DataError, match="no such file"):
        work.prepared(options(tmp_path, teacher=str(teacher), unlabelled=tmp_path / "none.jsonl"))
    assert not (work.path / "prepared.npz").exists()
