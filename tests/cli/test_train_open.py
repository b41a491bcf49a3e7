"""A model of open vocabulary, from headings to titles; and another one in its space, with the first as companion."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from command import Call, call

import sector
from tiny import HELD_OUT, write_documents

__all__ = ["call"]
RECIPE = """
task = "open"
language = "en"
{space}
encoder = "emb"
learn_vectors = true
flags = true
flag_dropout = 0.3
boundary = 1.0
averaging = 0.9
hidden = 24
embedding = 16
space = 16
sampled = 8
epochs = 14
batch = 4
learning_rate = 1e-2
warmup = 5
dropout = 0.1

[encoder_options]
dimensions = 16
epochs = 2
min_count = 1
workers = 1
"""
TITLES = {"Signs and symptoms", "Drugs", "History", "Climate"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("open")
    write_documents(folder / "train.jsonl", 40)
    write_documents(folder / "validation.jsonl", 12, seed=11)
    (folder / "first.toml").write_text(RECIPE.format(space='tower = "en_disease_accurate"'))
    (folder / "second.toml").write_text(RECIPE.format(space=f'space_of = "{folder / "models" / "first"}"'))
    return folder


@pytest.fixture(scope="module")
def first(folder: Path) -> Path:
    return trained(folder, "first")


def trained(folder: Path, name: str) -> Path:
    path = folder / "models" / name
    given = ("--validation", folder / "validation.jsonl", "--config", folder / f"{name}.toml", "--device", "cpu")
    command = [sys.executable, "-m", "sector", "train", folder / "train.jsonl", "-o", path, *given]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"{path}\n"), done.stderr
    return path


def test_headings_become_titles(first: Path) -> None:
    model = sector.load(first)
    assert model.space is not None and set(model.space.phrases) == TITLES
    found = [section for section in model.segment(HELD_OUT).sections if section.label_source == "inventory"]
    assert found and {section.label for section in found} <= TITLES
    assert model.segment(HELD_OUT).sections[0].label == "Signs and symptoms"
    assert {"given", "temperature", "threshold"} <= set(model.config.space)
    assert model.config.metrics["validation"]["p1"] > 50


def test_another_model_shares_the_space(folder: Path, first: Path, call: Call) -> None:
    second = trained(folder, "second")
    one, other = sector.load(first), sector.load(second)
    assert one.space is not None and other.space is not None
    assert other.space.phrases == one.space.phrases and other.config.space["folder"] == one.config.space["folder"]
    (mine,), (own,) = (model.segment(HELD_OUT, sections=1).sections for model in (one, other))
    assert mine.embedding is not None and own.embedding is not None
    answer = call("export", f"{second}.work", "-o", folder / "models" / "both", "--companion", "first")
    assert answer.code == 0, answer.err
    (mixed,) = sector.load(folder / "models" / "both").segment(HELD_OUT, sections=1).sections
    assert mixed.embedding is not None
    assert min(mixed.embedding @ mine.embedding, mixed.embedding @ own.embedding) > mine.embedding @ own.embedding
    assert np.isclose(np.linalg.norm(mixed.embedding), 1, atol=1e-3)


def test_models_without_a_space_give_none(folder: Path, call: Call) -> None:
    recipe = folder / "none.toml"
    recipe.write_text(RECIPE.format(space='space_of = "en_disease"'))
    answer = call("train", folder / "train.jsonl", "-o", folder / "models" / "none", "--config", recipe)
    assert (answer.code, answer.err.count("\n")) == (1, 1) and "no space of headings" in answer.err
