"""`sector compare` from the outside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sector.cli.app import app
from sector.errors import SectorError
from tiny import write_documents


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_documents(tmp_path / "gold.jsonl", 5)


def run(*arguments: object, code: int = 0) -> Any:
    result = CliRunner().invoke(app, ["compare", *map(str, arguments)])
    assert result.exit_code == code, result.output
    return result


def test_json(data: Path, tmp_path: Path) -> None:
    arguments = (data, "--systems", "c99, texttiling,c99", "--language", "en", "--output", tmp_path / "work", "--json")
    records = json.loads(run(*arguments).stdout)
    assert [record["system"] for record in records] == ["c99", "texttiling"]
    assert sorted(file.name for file in (tmp_path / "work").glob("*.json")) == ["c99.json", "texttiling.json"]
    assert json.loads(run(*arguments).stdout) == records


def test_markdown_and_a_failure(data: Path) -> None:
    result = run(data, "--systems", "topictiling,c99", "--language", "en", "--markdown")
    assert "| C99 |" in result.stdout and "failed: TopicTiling learns" in result.stdout


def test_nothing_worked(data: Path) -> None:
    run(data, "--systems", "topictiling", "--language", "en", code=1)


def test_models_of_ours(data: Path, tiny_model: Path) -> None:
    arguments = ("--systems", f"model:{tiny_model}", "--segmentation", "newline,bemd", "--json", "--limit", 3)
    (record,) = json.loads(run(data, *arguments).stdout)
    assert [row["segmentation"] for row in record["rows"]] == ["newline", "bemd"]
    assert record["rows"][0]["f1"] > 90 and record["rows"][0]["documents"] == 3


def test_training_one_of_ours(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr("sector.baselines.ours.TrainedSector.epochs", 1)
    train = write_documents(tmp_path / "train.jsonl", 8, 3)
    arguments = (data, "--train", train, "--systems", "sec-bloom", "--language", "en", "--output", tmp_path / "work")
    assert "prepared.npz" in run(*arguments, "--prepare-only").stdout
    (record,) = json.loads(run(*arguments, "--device", "cpu", "--json").stdout)
    assert [row["segmentation"] for row in record["rows"]] == ["newline", "max", "emd", "bemd"]


def test_the_list_needs_no_data() -> None:
    assert "c99" in run("--list").stdout


@pytest.mark.parametrize(("option", "value"), [("--task", "poems"), ("--task", "open"), ("--limit", "-1")])
def test_wrong_usage(data: Path, option: str, value: str) -> None:
    run(data, option, value, code=2)


@pytest.mark.parametrize("option", ["--systems", "--protocol"])
def test_unknown_names(data: Path, option: str) -> None:
    given = {"--systems": "c99", "--protocol": "sector"} | {option: "nonsense"}
    result = CliRunner().invoke(app, ["compare", str(data), *(part for pair in given.items() for part in pair)])
    assert isinstance(result.exception, SectorError) and "nonsense" in str(result.exception)


def test_no_such_data(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["compare", str(tmp_path / "none"), "--systems", "c99"])
    assert isinstance(result.exception, SectorError)
