"""`sector train --encoder transformer`, with one task and several, and `export` as a user calls them."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from command import Call, call

import sector
from sector.training.recipe import Recipe
from tiny import HELD_OUT, write_documents
from tiny_encoder import make_bert

__all__ = ["call"]
pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("onnxscript")
OPTIONS = "epochs = 1\nhidden = 8\nbatch = 4\nboundary = 1.0\nmin_count = 1\n[encoder_options]\ntokens = 20\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli")
    make_bert(folder / "bert")
    write_documents(folder / "train.jsonl", 8)
    write_documents(folder / "validation.jsonl", 3, seed=8)
    (folder / "options.toml").write_text(OPTIONS, encoding="utf-8")
    return folder


def test_train_and_export_with_eight_bits(call: Call, folder: Path, tmp_path: Path) -> None:
    given = ("--validation", folder / "validation.jsonl", "--language", "en", "--config", folder / "options.toml")
    encoder = ("--encoder", "transformer", "--encoder-model", folder / "bert")
    answer = call("train", folder / "train.jsonl", "-o", tmp_path / "model", *given, *encoder, "--device", "cpu")
    assert (answer.code, answer.out) == (0, f"{tmp_path / 'model'}\n"), answer.err
    answer = call(
        *("export", tmp_path / "model.work", "-o", tmp_path / "small", "--precision", "int8", "--no-weights"),
        *("--measure", folder / "validation.jsonl"),
    )
    assert answer.code == 0, answer.err
    assert "change_by_precision" in answer.err
    config = sector.load(tmp_path / "small").config
    assert (config.encoder["tokens"], config.segmentation["name"]) == (20, "joint")
    assert "model" not in config.encoder
    found = call("segment", "--model", tmp_path / "small", "--format", "json", stdin=HELD_OUT.encode())
    assert json.loads(found.out)["sections"]


def test_train_on_the_encoder_of_an_embedded_model(call: Call, folder: Path, tmp_path: Path) -> None:
    given = ("--language", "en", "--config", folder / "options.toml", "--device", "cpu")
    model = ("--encoder-model", "en_disease_accurate")
    answer = call("train", folder / "train.jsonl", "-o", tmp_path / "model", *given, *model)
    assert (answer.code, answer.out) == (0, f"{tmp_path / 'model'}\n"), answer.err
    assert "sentences once, before the first epoch" in answer.err
    made, lent = sector.load(tmp_path / "model").config.encoder, sector.load("en_disease_accurate").config.encoder
    assert (made["name"], made["width"], made["spelling"]) == ("transformer", 384, lent["spelling"])
    answer = call("train", folder / "train.jsonl", "-o", tmp_path / "other", *given, "--encoder-model", "en_disease")
    assert answer.code == 1 and "no pretrained encoder" in answer.err


def test_train_multitask(call: Call, folder: Path, tmp_path: Path) -> None:
    tables = "".join(f"[tasks.{name}]\ntrain = 'train.jsonl'\ntask = '{name}'\n" for name in ("topics", "headings"))
    text = f"encoder = 'transformer'\nlanguage = 'en'\n{OPTIONS.replace('min_count = 1', '')}{tables}"
    (tmp_path / "recipe.toml").write_text(text, encoding="utf-8")
    answer = call(
        *("train", folder, "--config", tmp_path / "recipe.toml", "-o", tmp_path / "models"),
        *("--encoder-model", folder / "bert", "--shared", "encoder", "--precision", "int8", "--device", "cpu"),
    )
    assert answer.code == 0, answer.err
    assert (tmp_path / "models" / "encoder" / "encoder.onnx").is_file()
    assert sector.load(tmp_path / "models" / "headings").segment(HELD_OUT).sections


def test_a_model_that_is_not_there_is_an_error_in_one_line(call: Call, folder: Path, tmp_path: Path) -> None:
    answer = call("train", folder / "train.jsonl", "-o", tmp_path / "model", "--encoder", "transformer")
    assert (answer.code, "needs the option 'model'" in answer.err) == (1, True)
    encoder = ("--encoder", "transformer", "--encoder-model", tmp_path / "nowhere")
    answer = call("train", folder / "train.jsonl", "-o", tmp_path / "model", *encoder)
    assert (answer.code, "no encoder to be loaded" in answer.err) == (1, True)
    assert not (tmp_path / "model").exists()


def test_the_recipe_can_be_read() -> None:
    path = Path(__file__).parents[2] / "recipes" / "en_accurate.toml"
    recipe = Recipe.from_dict(tomllib.loads(path.read_text(encoding="utf-8")), Path("data"))
    assert list(recipe.tasks) == ["en_accurate", "en_disease_accurate", "en_city_accurate"]
    assert (recipe.tasks["en_accurate"].share, recipe.training.window) == (0.6, 250)
