"""The folder of a run: its cache, its files, and the model folder it ends in."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sector
from sector.errors import ConfigError, DataError, ModelError
from sector.export.measure import measure
from sector.export.training_run import export_from
from sector.runtime import ModelFolder
from sector.training.prepared import PreparedData
from sector.training.recipe import Recipe
from sector.training.run_folder import RunFolder
from tiny import HELD_OUT, TINY, make_model, options, write_documents

FAST = replace(TINY, epochs=1, hidden=8, embedding=8)


@pytest.fixture
def work(tmp_path: Path) -> RunFolder:
    return RunFolder(tmp_path / "work")


def is_reused(work: RunFolder, chosen: Recipe) -> bool:
    """Whether the second preparation reads the file instead of the documents."""
    counted: list[int] = []
    work.prepared(chosen, counted.append)
    return not counted


def trained(work: RunFolder, chosen: Recipe) -> RunFolder:
    chosen = replace(chosen, training=FAST)
    work.train(work.prepared(chosen), chosen, "cpu")
    return work


def test_prepared_data_is_reused(work: RunFolder, tmp_path: Path) -> None:
    chosen = options(tmp_path)
    assert not is_reused(work, chosen)
    assert is_reused(work, chosen)
    assert is_reused(work, options(tmp_path))
    first, again = work.prepared(chosen)[""], PreparedData.load(work.path / "prepared.npz")
    assert first.about == again.about
    assert np.array_equal(first.train.words, again.train.words)


@pytest.mark.parametrize(
    "change",
    [
        {"task": "headings"},
        {"encoder_options": {"positions": 64}},
        {"encoder": "bow", "encoder_options": {"min_count": 1}},
        {"language": ""},
        {"min_count": 2},
        {"flags": True},
    ],
)
def test_other_options_prepare_again(change: dict[str, Any], work: RunFolder, tmp_path: Path) -> None:
    work.prepared(options(tmp_path))
    assert not is_reused(work, options(tmp_path, **change))
    assert not is_reused(work, options(tmp_path))


def test_other_data_prepares_again(work: RunFolder, tmp_path: Path) -> None:
    chosen = options(tmp_path)
    work.prepared(chosen)
    train = chosen.tasks[""].train
    os.utime(train, ns=(1, 1))
    assert not is_reused(work, chosen)
    write_documents(train, 5)
    assert work.prepared(chosen)[""].train.documents == 5
    with_validation = options(tmp_path, validation=write_documents(tmp_path / "v.jsonl", 2))
    assert not is_reused(work, with_validation)
    write_documents(tmp_path / "v.jsonl", 3)
    assert not is_reused(work, with_validation)


def test_a_file_deep_in_a_folder_counts(tmp_path: Path) -> None:
    deep = tmp_path / "data" / "part"
    deep.mkdir(parents=True)
    (deep / "a.txt").write_text("x")
    chosen = Recipe.from_dict({"train": str(tmp_path / "data")})
    before = chosen.key()
    assert chosen.key() == before
    (deep / "a.txt").write_text("xy")
    assert chosen.key() != before


def test_word_vectors_count(tmp_path: Path) -> None:
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("a 1\n")
    chosen = options(tmp_path, encoder="emb", encoder_options={"vectors": str(vectors)})
    before = chosen.key()
    vectors.write_text("a 1\nb 2\n")
    assert chosen.key() != before


def test_a_broken_cache_is_made_again(work: RunFolder, tmp_path: Path) -> None:
    chosen = options(tmp_path, encoder="bow", encoder_options={"min_count": 1})
    work.prepared(chosen)
    file = work.path / "prepared.npz"
    file.write_bytes(file.read_bytes()[:100])
    assert not is_reused(work, chosen)
    assert is_reused(work, chosen)
    for part in (work.path / "encoder").iterdir():
        part.unlink()
    (work.path / "encoder").rmdir()
    assert not is_reused(work, chosen)


def test_export_needs_what_belongs_together(work: RunFolder, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no prepared\.npz"):
        export_from(work.path, tmp_path / "model")
    chosen = options(tmp_path)
    work.prepared(chosen)
    with pytest.raises(ModelError, match=r"no weights\.npz"):
        export_from(work.path, tmp_path / "model")
    export_from(trained(work, chosen).path, tmp_path / "model")
    weights = (work.path / "weights.npz").read_bytes()
    work.prepared(options(tmp_path, task="headings"))
    assert not (work.path / "weights.npz").exists()
    (work.path / "weights.npz").write_bytes(weights)
    with pytest.raises(ModelError, match="train again"):
        export_from(work.path, tmp_path / "model")
    (work.path / "weights.npz").write_bytes(weights[:500])
    with pytest.raises(ModelError, match="broken"):
        export_from(work.path, tmp_path / "model")
    assert sector.load(tmp_path / "model").task == "topics"


def test_export_replaces_models_only(work: RunFolder, tmp_path: Path) -> None:
    trained(work, options(tmp_path))
    for _ in range(2):
        export_from(work.path, tmp_path / "model", segmentation="emd")
    assert ModelFolder(tmp_path / "model").config().segmentation == {"name": "emd"}
    with pytest.raises(ConfigError, match="not a model folder"):
        export_from(work.path, tmp_path)
    assert (tmp_path / "train.jsonl").exists()


def test_a_model_is_what_it_was_when_it_is_loaded_again(tiny_model: Path, tmp_path: Path) -> None:
    export_from(tiny_model.parent / "tiny.work", tmp_path / "again")
    first, again = (sector.load(path).segment(HELD_OUT) for path in (tiny_model, tmp_path / "again"))
    assert [s.to_dict() for s in first.sections] == [s.to_dict() for s in again.sections]
    assert np.array_equal(first.probabilities, again.probabilities)  # type: ignore[arg-type]
    assert (tiny_model / "config.json").read_bytes() == (tmp_path / "again" / "config.json").read_bytes()


def test_the_same_seed_gives_the_same_model(tmp_path: Path) -> None:
    paths = [make_model(tmp_path / name, FAST) for name in "ab"]
    first, second = ((path / "model.onnx").read_bytes() for path in paths)
    assert first == second


def test_figures_go_into_the_card(tmp_path: Path) -> None:
    path = make_model(tmp_path)
    test = write_documents(tmp_path / "held_out.jsonl", 6, seed=11)
    figures = measure(path, test)
    assert figures["f1"] > 90
    assert ModelFolder(path).config().metrics["held_out"] == figures
    assert f"| held_out |\n| --- | --- |\n| documents | {figures['documents']} |" in ModelFolder(path).card()
    assert sorted(file.name for file in path.iterdir() if file.name.startswith(".")) == []


def test_wrong_data(work: RunFolder, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        work.prepared(Recipe.from_dict({"train": "none.jsonl"}, tmp_path))
    bare = tmp_path / "bare.jsonl"
    bare.write_text(json.dumps({"text": "No section has a label here."}))
    with pytest.raises(DataError, match="no section labels"):
        work.prepared(Recipe.from_dict({"train": str(bare)}))
    for wrong in ({"task": "magic"}, {"encoder": "magic"}, {"encoder_options": {"colour": 1}}):
        with pytest.raises(ConfigError):
            work.prepared(options(tmp_path, **wrong))
    mistyped: list[dict[str, Any]] = [{"min_count": "x"}, {"min_count": True}, {"flags": 1}, {"task": 1}]
    for entry in [*mistyped, {"encoder_options": []}]:
        with pytest.raises(ConfigError, match="must be"):
            options(tmp_path, **entry)
