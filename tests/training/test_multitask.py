"""Several tasks that share an encoder: learned vectors, a folder for all, prepared files, and the module's command."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sector
from sector.errors import ConfigError, ModelError
from sector.export.training_run import export_from
from sector.training.__main__ import main
from sector.training.checkpoint import read_arrays
from sector.training.prepared import PreparedData
from sector.training.recipe import Recipe
from sector.training.run_folder import RunFolder
from sector.training.trainer import Trainer
from tiny import HELD_OUT, HELD_OUT_LABELS, write_documents

RECIPE: dict[str, Any] = {
    "language": "en",
    "encoder": "emb",
    "encoder_options": {"dimensions": 12, "epochs": 2, "min_count": 1, "workers": 1},
    "learn_vectors": True,
    "boundary": 1.0,
    "hidden": 24,
    "embedding": 12,
    "epochs": 15,
    "batch": 4,
    "learning_rate": 1e-2,
    "warmup": 5,
    "dropout": 0.1,
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    write_documents(folder / "a.jsonl", 24)
    write_documents(folder / "b.jsonl", 12, seed=8)
    return folder


def recipe(data: Path, **changes: Any) -> Recipe:
    tasks = {"topics": {"train": "a.jsonl"}, "names": {"train": "b.jsonl", "task": "headings", "min_count": 1}}
    return Recipe.from_dict(RECIPE | {"tasks": tasks} | changes, data)


@pytest.fixture(scope="module")
def trained(data: Path, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Train both tasks and export them beside their shared words."""
    work = RunFolder(tmp_path_factory.mktemp("multitask") / "work")
    work.train(work.prepared(recipe(data)), recipe(data), "cpu")
    for name in ("topics", "names"):
        export_from(work.task(name), work.path.parent / "models" / name, shared="words")
    return work


@pytest.fixture
def models(trained: RunFolder, tmp_path: Path) -> Path:
    return Path(shutil.copytree(trained.path.parent / "models", tmp_path / "models"))


def test_both_models_work_with_one_copy_of_the_words(models: Path) -> None:
    assert sorted(path.name for path in models.iterdir()) == ["names", "topics", "words"]
    assert (models / "words" / "words.txt").is_file() and not (models / "topics" / "words.txt").exists()
    topics, names = sector.load(models / "topics"), sector.load(models / "names")
    assert tuple(section.label for section in topics.segment(HELD_OUT, merge=True).sections) == HELD_OUT_LABELS
    assert (topics.task, names.task, topics.config.segmentation["name"]) == ("topics", "headings", "joint")
    assert topics.config.data["multitask"] == "topics, names"
    assert len(names.segment(HELD_OUT).sections) > 0


def test_vectors_were_learned_and_are_the_same_in_both(trained: RunFolder, models: Path) -> None:
    weights = [read_arrays(trained.task(name) / "weights.npz")[0] for name in ("topics", "names")]
    np.testing.assert_array_equal(weights[0]["reader.vectors"], weights[1]["reader.vectors"])
    first = PreparedData.load(trained.task("topics") / "prepared.npz")
    assert first.features.dense is not None
    assert np.abs(first.features.dense - weights[0]["reader.vectors"]).max() > 0.01
    saved = np.load(models / "words" / "vectors.npy").astype(np.float32)
    np.testing.assert_allclose(saved, weights[0]["reader.vectors"], atol=2e-3, rtol=1e-3)


def test_a_missing_folder_of_words_is_said(models: Path) -> None:
    shutil.rmtree(models / "words")
    with pytest.raises(ModelError, match=r"words is missing"):
        sector.load(models / "topics")


@pytest.mark.parametrize("precision", ["float16", "int8"])
def test_a_smaller_copy_says_nearly_the_same_and_needs_no_neighbour(models: Path, precision: str) -> None:
    export_from(models / "topics", models / "own", precision=precision, with_weights=False)
    shutil.rmtree(models / "words")
    own = sector.load(models / "own")
    assert "folder" not in own.config.encoder
    assert tuple(section.label for section in own.segment(HELD_OUT, merge=True).sections) == HELD_OUT_LABELS
    assert ((models / "own" / "scales.npy").exists()) is (precision == "int8")


@pytest.mark.parametrize("name", ["topics2", "../words", "a/b", ".."])
def test_a_shared_folder_has_a_plain_name_of_its_own(models: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="shared folder"):
        export_from(models / "topics", models / "topics2", shared=name)
    assert not (models / "topics2").exists()


def test_joint_is_no_default_without_a_boundary_layer(tiny_model: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="boundary = 1"):
        export_from(tiny_model, tmp_path / "model", segmentation="joint")
    assert not (tmp_path / "model").exists()


def test_the_card_leaves_the_transitions_to_the_config(models: Path) -> None:
    card, config = sector.load(models / "topics").folder.card(), sector.load(models / "topics").config
    assert len(config.segmentation["transitions"]) == 4
    assert "| default segmentation | joint" in card
    assert "transitions" not in card


def test_resumed_equals_uninterrupted(trained: RunFolder, data: Path, tmp_path: Path) -> None:
    def kill(entry: dict[str, float]) -> None:
        if entry["epoch"] == 4:
            raise KeyboardInterrupt

    work = RunFolder(tmp_path / "work")
    prepared = work.prepared(recipe(data))
    with pytest.raises(KeyboardInterrupt):
        work.train(prepared, recipe(data), "cpu", report=kill)
    work.train(prepared, recipe(data), "cpu", resume=True)
    for name in ("topics", "names"):
        one, other = (read_arrays(folder.task(name) / "weights.npz")[0] for folder in (trained, work))
        assert all(np.array_equal(one[key], other[key]) for key in one)


SMALL = ("--set", "epochs=1", "--set", "hidden=4", "--set", "embedding=4", "--set", "learn_vectors=true")


def module(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> None:
    """Call ``python -m sector.training``."""
    given = [*map(str, arguments), *SMALL, "--device", "cpu"]
    monkeypatch.setattr(sys, "argv", ["python -m sector.training", *given])
    main()


def test_the_module_trains_several_files_in_any_order(
    trained: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [trained.task(name) / "prepared.npz" for name in ("names", "topics")]  # features are in the second
    module(monkeypatch, *files, "--output", tmp_path / "run", "--weight", 1, "--weight", 0.5)
    assert {"map_0", "map_1"} <= json.loads(capsys.readouterr().err.splitlines()[0]).keys()
    found = {name: read_arrays(tmp_path / "run" / name / "weights.npz")[1]["network"] for name in ("names", "topics")}
    assert (found["names"]["task"], found["topics"]["task"], found["topics"]["labels"]) == ("headings", "topics", 4)


def test_the_module_says_what_is_wrong(trained: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names, topics = (trained.task(name) / "prepared.npz" for name in ("names", "topics"))
    cases: list[tuple[tuple[object, ...], str]] = [
        ((names,), "first task"),
        ((names, names), "different names"),
        ((names, topics, "--weight", 1), "2 files and 1 weights"),
        ((names, topics, "--share", 1), "2 files and 1 shares"),
        ((tmp_path / "none.npz",), "no such file"),
        ((topics, "--set", "colour=1"), "no training option called colour"),
    ]
    for arguments, hint in cases:
        with pytest.raises(SystemExit, match=hint):
            module(monkeypatch, *arguments, "--output", tmp_path / "run")


def test_weights_decide_how_much_a_task_counts(data: Path, tmp_path: Path) -> None:
    prepared = list(RunFolder(tmp_path).prepared(recipe(data)).values())
    config = replace(recipe(data).training, dropout=0.0)
    plain, weighed = (Trainer(prepared, config, "cpu", weights=weights) for weights in ((1.0, 1.0), (1.0, 0.25)))
    (task, batch) = next(pair for pair in plain._batches() if pair[0] is plain.tasks[1])
    assert weighed.tasks[1].loss(batch, 0.0).item() == pytest.approx(task.loss(batch, 0.0).item() / 4, rel=1e-4)


def test_a_checkpoint_of_other_weights_is_refused(data: Path, tmp_path: Path) -> None:
    prepared = list(RunFolder(tmp_path).prepared(recipe(data)).values())
    config = replace(recipe(data).training, epochs=1)
    Trainer(prepared, config, "cpu").run_all(tmp_path)
    Trainer(prepared, config, "cpu", weights=(1.0, 1.0)).run_all(tmp_path, resume=True)
    with pytest.raises(ConfigError, match="other options"):
        Trainer(prepared, config, "cpu", weights=(1.0, 0.5)).run_all(tmp_path, resume=True)
    with pytest.raises(ConfigError, match="other options"):
        Trainer(prepared, config, "cpu", shares=(1.0, 0.5)).run_all(tmp_path, resume=True)


def test_of_a_large_task_another_part_is_read_in_each_epoch(data: Path, tmp_path: Path) -> None:
    prepared = list(RunFolder(tmp_path).prepared(recipe(data)).values())
    config = replace(recipe(data).training, batch=1)
    whole, part = (Trainer(prepared, config, "cpu", shares=shares) for shares in ((1.0, 1.0), (1.0, 0.5)))
    counts = [[sum(task is one for task, _ in run._batches()) for one in run.tasks] for run in (whole, part)]
    assert counts[1] == [counts[0][0], round(counts[0][1] / 2)]
    read = [{int(batch.sentences[0]) for task, batch in part._batches() if task is part.tasks[1]} for _ in range(9)]
    assert len(set.union(*read)) > len(read[0])
