"""`sector train` with a recipe of several tasks, with a teacher, and `export` after it, as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import Call, call

import sector
from tiny import HELD_OUT, HELD_OUT_LABELS, LABELS, make_model, write_documents

__all__ = ["call"]
RECIPE = """
language = "en"
encoder = "emb"
learn_vectors = true
boundary = 1.0
averaging = 0.9
hidden = 24
embedding = 12
epochs = 12
batch = 4
learning_rate = 1e-2
warmup = 5
dropout = 0.1

[encoder_options]
dimensions = 12
epochs = 2
min_count = 1
workers = 1

[tasks.topics]
train = "train.jsonl"
validation = "validation.jsonl"

[tasks.names]
train = "train.jsonl"
task = "headings"
min_count = 1
weight = 0.5
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    write_documents(folder / "train.jsonl", 24)
    write_documents(folder / "validation.jsonl", 6, seed=11)
    return folder


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    path = tmp_path / "recipe.toml"
    path.write_text(RECIPE)
    return path


def test_from_a_recipe_to_models(call: Call, recipe: Path, data: Path, tmp_path: Path) -> None:
    output = tmp_path / "models"
    answer = call("train", data, "--config", recipe, "-o", output, "--device", "cpu", "--shared", "words")
    assert (answer.code, answer.out) == (0, f"{output / 'topics'}\n{output / 'names'}\n")
    assert "epoch 12: loss" in answer.err and "pk" in answer.err
    assert sorted(path.name for path in output.iterdir()) == ["names", "topics", "words"]
    model = sector.load(output / "topics")
    assert set(model.labels) == set(LABELS)
    assert tuple(s.label for s in model.segment(HELD_OUT, merge=True).sections) == HELD_OUT_LABELS
    assert model.config.metrics["validation"]["segmentation"] == "joint"
    assert "temperature" in model.config.metrics
    slim = call("export", output / "topics", "-o", tmp_path / "slim", "--precision", "int8", "--no-weights")
    assert slim.code == 0 and (tmp_path / "slim" / "scales.npy").exists()
    assert sector.load(tmp_path / "slim").config.segmentation == model.config.segmentation
    again = call("train", data, "--config", recipe, "-o", output, "--device", "cpu", "--resume")
    assert again.code == 0 and "epoch" not in again.err  # finished already; now with a copy of the words each
    assert (output / "topics" / "words.txt").is_file()


def test_prepare_only(call: Call, recipe: Path, data: Path, tmp_path: Path) -> None:
    answer = call("train", data, "--config", recipe, "-o", tmp_path / "models", "--prepare-only")
    assert (answer.code, answer.out, (tmp_path / "models").exists()) == (0, "", False)
    assert "python -m sector.training" in answer.err and "--output" in answer.err
    assert (tmp_path / "models.work" / "names" / "prepared.npz").is_file()


BAD = {
    "tasks = 5": "[tasks.NAME] for each",
    "[tasks.a]\ntask = 'topics'": "[tasks.a] needs 'train'",
    "[tasks.a]\ntrain = 'train.jsonl'\ncolour = 1": "no option 'colour'",
    "[tasks.a]\ntrain = 'train.jsonl'\nweight = 'x'": "must be a positive number",
    "[tasks.a]\ntrain = 'train.jsonl'\nweight = 0": "must be a positive number",
    "[tasks.a]\ntrain = 'train.jsonl'\nshare = 2": "must be at most 1",
    "[tasks.a]\ntrain = 'train.jsonl'\nmin_count = true": "must be a whole number",
    "[tasks.a]\ntrain = 'train.jsonl'\nflags = 1": "must be true or false",
    "[tasks.a]\ntrain = 'train.jsonl'\ntask = 'magic'": "topics, headings",
    "[tasks.'../a']\ntrain = 'train.jsonl'": "name of a folder",
    "colour = 1\n[tasks.a]\ntrain = 'train.jsonl'": "no training option called colour",
    "encoder = 5\n[tasks.a]\ntrain = 'train.jsonl'": "must be a string",
    "encoder = 'magic'\n[tasks.a]\ntrain = 'train.jsonl'": "no encoder 'magic'",
    "encoder_options = 'x'\n[tasks.a]\ntrain = 'train.jsonl'": "must be a table",
    "language = 5\n[tasks.a]\ntrain = 'train.jsonl'": "must be a string",
    "[tasks.a]\ntrain = 'none.jsonl'": "none.jsonl",
    "[tasks.words]\ntrain = 'train.jsonl'": "has the name of a task",
    "[tasks": "not a TOML file",
    "\xff": "cannot be read",
}


@pytest.mark.parametrize("content", BAD)
def test_bad_recipes(content: str, call: Call, data: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "bad.toml"
    recipe.write_bytes(content.encode("latin-1"))
    answer = call("train", data, "--config", recipe, "-o", tmp_path / "models", "--shared", "words")
    assert (answer.code, answer.out, answer.err.count("\n")) == (1, "", 1)
    assert BAD[content] in answer.err
    assert not (tmp_path / "models").exists()


def test_a_missing_recipe_and_a_target_that_is_not_ours(call: Call, recipe: Path, data: Path, tmp_path: Path) -> None:
    assert "none.toml" in call("train", data, "--config", tmp_path / "none.toml", "-o", tmp_path / "models").err
    (tmp_path / "models" / "topics").mkdir(parents=True)
    (tmp_path / "models" / "topics" / "mine.txt").write_text("mine")
    answer = call("train", data, "--config", recipe, "-o", tmp_path / "models")
    assert (answer.code, "not a model folder" in answer.err) == (1, True)
    assert call("train", data, "--config", recipe).code == 2


TINY = ("--language", "en", "--device", "cpu", "--epochs", 1)


def test_a_teacher_and_text_without_labels(call: Call, data: Path, tmp_path: Path) -> None:
    teacher = make_model(tmp_path / "wise")
    more = tmp_path / "more.jsonl"
    more.write_text(json.dumps({"id": "1", "text": HELD_OUT}) + "\n")
    target = tmp_path / "student"
    arguments = ("train", data / "train.jsonl", "-o", target, "--teacher", teacher, *TINY)
    answer = call(*arguments, "--unlabelled", more)
    assert (answer.code, answer.out) == (0, f"{target}\n")
    found = sector.load(target).config.data
    assert (found["teacher"], found["unlabelled_data"], found["train_documents"]) == ("tiny", "more", 25)


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("--teacher", "nobody"), "no model 'nobody'"),
        (("--unlabelled", "more.jsonl"), "--teacher MODEL"),
        (("--teacher", "TINY", "--unlabelled", "none.jsonl"), "none.jsonl"),
        (("--teacher", "TINY", "--task", "headings"), "a model of topics"),
        (("--teacher", "TINY", "other"), "other labels than the data"),
    ],
)
def test_what_cannot_be_taught(
    arguments: tuple[str, ...], hint: str, call: Call, data: Path, tiny_model: Path, tmp_path: Path
) -> None:
    train = data / "train.jsonl"
    if arguments[-1] == "other":
        train, arguments = tmp_path / "other.jsonl", arguments[:-1]
        section = {"begin": 0, "end": 10, "label": "sport"}
        train.write_text(json.dumps({"id": "1", "text": "A ball flew.", "sections": [section]}) + "\n")
    given = [str(tiny_model) if argument == "TINY" else argument for argument in arguments]
    answer = call("train", train, "-o", tmp_path / "model", *TINY, *given)
    assert (answer.code, answer.out, answer.err.count("\n")) == (1, "", 1)
    assert hint in answer.err
    assert not (tmp_path / "model").exists()


def test_several_tasks_have_a_cache_a_seed_and_teachers(call: Call, recipe: Path, data: Path, tmp_path: Path) -> None:
    recipe.write_text(RECIPE.replace("epochs = 12", "epochs = 1"))
    teacher = make_model(tmp_path / "wise")
    arguments = ("train", data, "--config", recipe, "-o", tmp_path / "models", "--device", "cpu", "--seed", 3)
    answer = call(*arguments, "--teacher", f"topics={teacher}")
    assert answer.code == 0, answer.err
    topics, names = (sector.load(tmp_path / "models" / name).config for name in ("topics", "names"))
    assert (topics.data["teacher"], names.data.get("teacher"), topics.training["seed"]) == ("tiny", None, 3)
    changed = (tmp_path / "models.work" / "names" / "prepared.npz").stat().st_mtime_ns
    assert call(*arguments, "--teacher", f"topics={teacher}").code == 0
    assert (tmp_path / "models.work" / "names" / "prepared.npz").stat().st_mtime_ns == changed
    train = data / "train.jsonl"
    train.write_text(train.read_text().replace('"label": "symptom"', '"label": "climate"'))
    answer = call(*arguments, "--resume")
    assert (answer.code, "other data: texts, labels" in answer.err) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("--teacher", "nobody"), "give TASK=MODEL"),
        (("--teacher", "other=en"), "give TASK=MODEL"),
        (("--task", "headings"), "[tasks.NAME]"),
        (("--validation", "x.jsonl"), "[tasks.NAME]"),
    ],
)
def test_options_of_one_task_belong_into_its_table(
    arguments: tuple[str, ...], hint: str, call: Call, recipe: Path, data: Path, tmp_path: Path
) -> None:
    answer = call("train", data, "--config", recipe, "-o", tmp_path / "models", *arguments)
    assert (answer.code, answer.out, answer.err.count("\n")) == (1, "", 1)
    assert hint in answer.err
