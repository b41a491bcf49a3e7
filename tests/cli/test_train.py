"""`sector train`, `info`, `models`, `export` and `evaluate` as a user calls them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import Call, call

import sector
from sector.training import loop
from tiny import HELD_OUT, HELD_OUT_LABELS, LABELS, write_documents

__all__ = ["call"]
SMALL = """
hidden = 32
embedding = 16
batch = 4
learning_rate = 1e-2
warmup = 5
dropout = 0.2
language = "en"
[encoder_options]
positions = 512
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_documents(tmp_path / "data.jsonl", 24)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return path


def weights(model: Path) -> bytes:
    return (model / "model.onnx").read_bytes()


def test_from_documents_to_sections(call: Call, data: Path, config: Path, tmp_path: Path) -> None:
    held_out, model = write_documents(tmp_path / "held_out.jsonl", 6, seed=11), tmp_path / "model"
    answer = call("train", data, "-o", model, "--config", config, "--validation", held_out, "--epochs", 8)
    assert (answer.code, answer.out) == (0, f"{model}\n")
    assert "pk" in answer.err
    found = sector.load(model)
    assert set(found.labels) == set(LABELS)
    assert found.config.training["epochs"] == 8
    assert found.config.metrics["held_out"]["documents"] == 6
    call("train", data, "-o", model, "--config", config, "--epochs", 8)
    assert tuple(s.label for s in sector.load(model).segment(HELD_OUT).sections) == HELD_OUT_LABELS


def test_resume_ends_in_the_same_model(
    call: Call, data: Path, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("train", data, "--config", config, "--epochs", 4)
    call(*arguments, "-o", tmp_path / "whole")
    epoch = loop.TrainingLoop._epoch

    def killed(trainer: Any, number: int) -> dict[str, float]:
        if number == 2:
            raise KeyboardInterrupt
        return epoch(trainer, number)

    monkeypatch.setattr(loop.TrainingLoop, "_epoch", killed)
    assert call(*arguments, "-o", tmp_path / "halved").code == 130
    assert not (tmp_path / "halved").exists()
    monkeypatch.setattr(loop.TrainingLoop, "_epoch", epoch)
    assert call(*arguments, "-o", tmp_path / "halved", "--resume").code == 0
    assert weights(tmp_path / "halved") == weights(tmp_path / "whole")
    answer = call(*arguments, "-o", tmp_path / "halved", "--resume", "--seed", 2)
    assert (answer.code, "with other options" in answer.err) == (1, True)
    assert weights(tmp_path / "halved") == weights(tmp_path / "whole")


def test_options_win_over_the_file(call: Call, data: Path, config: Path, tmp_path: Path) -> None:
    config.write_text('task = "headings"\nencoder = "bow"\nmin_count = 1\nepochs = 9\nloss = "ce"\nhidden = 8\n')
    arguments = ("--encoder", "bloom", "--epochs", 1, "--seed", 3, "--loss", "rank", "--flags")
    assert call("train", data, "-o", tmp_path / "model", "--config", config, *arguments).code == 0
    found = sector.load(tmp_path / "model").config
    assert (found.task, found.encoder["name"], found.flags) == ("headings", "bloom", True)
    assert {found.training[name] for name in ("epochs", "seed", "loss", "hidden")} == {1, 3, "rank", 8}


def test_prepare_only_and_export(call: Call, data: Path, config: Path, tmp_path: Path) -> None:
    answer = call("train", data, "-o", tmp_path / "model", "--config", config, "--prepare-only")
    assert (answer.code, (tmp_path / "model").exists()) == (0, False)
    assert "python -m sector.training" in answer.err
    answer = call("export", tmp_path / "model.work", "-o", tmp_path / "model")
    assert (answer.code, "it has no weights.npz" in answer.err) == (1, True)
    training = [sys.executable, "-m", "sector.training", str(tmp_path / "model.work" / "prepared.npz")]
    training += ["--output", str(tmp_path / "model.work"), "--device", "cpu", "--set", "epochs=1", "--set", "hidden=8"]
    subprocess.run(training, check=True, capture_output=True)
    answer = call("export", tmp_path / "model.work", "-o", tmp_path / "copy")
    assert (answer.code, answer.out) == (0, f"{tmp_path / 'copy'}\n")
    assert sector.load(tmp_path / "copy").config.training["hidden"] == 8


TOML = {
    "colour = 1": "no training option called colour",
    "hidden = 0": "at least 1",
    "hidden = 'x'": "whole number",
    "dropout = 1.5": "below 1",
    "schedule = 'magic'": "linear, exponential, constant",
    "encoder_options = 'x'": "must be a table",
    "min_count = 'x'": "whole number",
    "task = 7": "must be a string",
    "[encoder_options]\ncolour = 1": "no option 'colour'",
    "hidden": "not a TOML file",
    "\xff": "cannot be read",
}


@pytest.mark.parametrize("content", TOML)
def test_bad_files_of_options(content: str, call: Call, data: Path, tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_bytes(content.encode("latin-1"))
    answer = call("train", data, "-o", tmp_path / "model", "--config", file)
    assert (answer.code, answer.out, answer.err.count("\n")) == (1, "", 1)
    assert TOML[content] in answer.err


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("--task", "magic"), "topics, headings"),
        (("--encoder", "magic"), "bow, bloom, emb"),
        (("--loss", "magic"), "ce, rank"),
        (("--epochs", -1), "at least 1"),
        (("--device", "magic"), "--device cpu"),
        (("--config", "none.toml"), "none.toml"),
        (("--validation", "none.jsonl"), "none.jsonl"),
        (("--encoder", "emb", "--vectors", "none.txt"), "none.txt"),
        (("--task", "headings", "--min-count", 999), "occur 999 times"),
    ],
)
def test_bad_options(arguments: tuple[object, ...], hint: str, call: Call, data: Path, tmp_path: Path) -> None:
    answer = call("train", data, "-o", tmp_path / "model", *arguments)
    assert (answer.code, answer.out, answer.err.count("\n")) == (1, "", 1)
    assert hint in answer.err
    assert not (tmp_path / "model").exists()


def test_bad_data_and_a_target_that_is_not_ours(call: Call, data: Path, tmp_path: Path) -> None:
    assert "none.jsonl" in call("train", tmp_path / "none.jsonl", "-o", tmp_path / "model").err
    data.write_text('{"text": 5}\n')
    assert "field 'text'" in call("train", data, "-o", tmp_path / "model").err
    answer = call("train", data, "-o", tmp_path)
    assert (answer.code, "not a model folder" in answer.err, data.exists()) == (1, True, True)
    assert call("train", data).code == 2


def test_info(call: Call, tiny_model: Path, tmp_path: Path) -> None:
    assert f"written by sector {sector.__version__}" in " ".join(call("info", tiny_model).out.split())
    assert json.loads(call("info", tiny_model, "--json").out)["labels"] == list(sector.load(tiny_model).labels)
    slim = shutil.copytree(tiny_model, tmp_path / "slim")
    (slim / "README.md").unlink()
    assert "no card" in call("info", slim).out
    assert (call("info", tmp_path).code, call("info", "none").code) == (1, 1)


def test_models(call: Call, tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("sector.runtime.installed.EMBEDDED", "sector.runtime.EMBEDDED"):
        monkeypatch.setattr(place, tmp_path)
    assert json.loads(call("models", "--json").out) == []
    assert call("models").code == 0
    shutil.copytree(tiny_model, tmp_path / "en_tiny")
    (listed,) = json.loads(call("models", "--json").out)
    assert listed.pop("bytes") > 0
    assert listed == {"name": "en_tiny", "task": "topics", "language": "en", "labels": 4}
    assert "en_tiny" in call("models").out
    assert json.loads(call("segment", "-f", "json", stdin=b"Text.").out)["model"] == "en_tiny"


def test_evaluate(call: Call, tiny_model: Path, tmp_path: Path) -> None:
    held_out = write_documents(tmp_path / "held_out.jsonl", 6, seed=11)
    answer = call("evaluate", tiny_model, held_out, "--segmentation", "newline,max,emd,bemd", "--json")
    reports = json.loads(answer.out)
    assert [report["segmentation"] for report in reports] == ["newline", "max", "emd", "bemd"]
    newline, *_, bemd = reports
    assert (newline["documents"], newline["f1"], newline["pk"]) == (6, 100, 0)
    assert bemd["pk"] < 40
    assert json.loads(call("evaluate", tiny_model, held_out, "--json").out)["segmentation"] == "bemd"
    assert call("evaluate", tiny_model, tmp_path / "none.jsonl").code == 1
    assert call("evaluate", tiny_model, held_out, "--segmentation", "magic").code == 1
