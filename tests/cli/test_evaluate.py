"""`sector evaluate` from the outside."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from sector.cli.app import app
from sector.document import Document, Section
from sector.errors import SectorError

GOLD = [
    {
        "id": "rain",
        "text": "Rain fell. It was cold. The town is old. Romans built it.\n",
        "sentences": [[0, 10], [11, 23], [24, 40], [41, 57]],
        "sections": [
            {"begin": 0, "end": 24, "label": "climate"},
            {"begin": 24, "end": 58, "label": "history"},
        ],
    },
    {
        "id": "sun",
        "text": "The sun shines. Kings lived here.\n",
        "sentences": [[0, 15], [16, 33]],
        "sections": [
            {"begin": 0, "end": 16, "label": "climate"},
            {"begin": 16, "end": 34, "label": "history"},
        ],
    },
]
PREDICTED = [
    {"id": "sun", "sections": [{"begin": 0, "end": 34, "label": "history"}]},
    {
        "id": "rain",
        "sections": [{"begin": 0, "end": 24, "label": "climate"}, {"begin": 24, "end": 58, "label": "[b]"}],
    },
]
KEYS = {"pk", "wd", "f1", "map", "p1", "documents", "k", "segmentation", "protocol"}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write(tmp_path / "gold.jsonl", GOLD)


@pytest.fixture
def predictions(tmp_path: Path) -> Path:
    return write(tmp_path / "predictions.jsonl", PREDICTED)


def write(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def run(*arguments: object, code: int = 0) -> Any:
    result = CliRunner().invoke(app, ["evaluate", *map(str, arguments)])
    assert result.exit_code == code, result.output
    return result


def test_predictions_as_json(predictions: Path, data: Path) -> None:
    record = json.loads(run(predictions, data, "--json").stdout)
    assert record.keys() >= KEYS
    assert (record["documents"], record["k"], record["protocol"]) == (2, 2, "sector")
    assert (record["f1"], record["map"], record["p1"]) == (50, 50, 50)
    assert (record["pk"], record["segmentation"]) == (50, "given")
    assert "per_label" not in record


def test_per_label_and_intervals_in_json(predictions: Path, data: Path) -> None:
    record = json.loads(run(predictions, data, "--json", "--per-label", "--bootstrap", 50).stdout)
    assert {row["label"]: row["support"] for row in record["per_label"]} == {
        "history": 2,
        "climate": 2,
        "[b]": 0,
    }
    assert record["common_labels"] == 2
    assert record["intervals"]["pk"] == [0, 100]


def test_table(predictions: Path, data: Path) -> None:
    shown = run(predictions, data, "--per-label", "--protocol", "per-document-k", "--bootstrap", 20).stdout
    assert "2 documents, 6 sentences, protocol per-document-k, k = per document" in shown
    assert "F1 (micro)" in shown
    assert re.search(r"Pk ↓ +│ +50\.00 \[0\.00, 100\.00\]", shown), shown
    assert "[b]" in shown


def test_labels_of_which_none_is_known_are_said_to_be_so(data: Path, tmp_path: Path) -> None:
    other = [{"id": "sun", "sections": [{"begin": 0, "end": 34, "label": "x"}]}, PREDICTED[1] | {"sections": []}]
    answer = run(write(tmp_path / "other.jsonl", other), data, "--json")
    assert "have no label in common (there are climate, history)" in answer.stderr
    assert json.loads(answer.stdout)["common_labels"] == 0


def test_documents_without_names_have_no_label_figures(tiny_model: Path, tmp_path: Path) -> None:
    (tmp_path / "a.ref").write_text("==========\nOne.\nTwo.\n==========\nThree.\n==========\n")
    for task in ("topics", "headings"):
        answer = run(tiny_model, tmp_path / "a.ref", "--json", "--task", task)
        record = json.loads(answer.stdout)
        assert [record[name] for name in ("f1", "map", "p1", "common_labels")] == [None] * 4
        assert (answer.stderr, record["pk"] is None) == ("", False)


def test_output_file(predictions: Path, data: Path, tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    run(predictions, data, "--output", target)
    assert json.loads(target.read_text())["f1"] == 50
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "gold.jsonl",
        "predictions.jsonl",
        "report.json",
    ]


def test_wrong_usage(predictions: Path, data: Path) -> None:
    assert "segmented already" in run(predictions, data, "--segmentation", "emd", code=2).output
    run(predictions, code=2)
    run(predictions, data, "--bootstrap", -1, code=2)


def test_errors_are_sentences(predictions: Path, data: Path) -> None:
    result = run(predictions, data, "--protocol", "mine", code=1)
    assert isinstance(result.exception, SectorError)
    predictions.write_text(json.dumps(PREDICTED[0]))
    assert "('rain') have no prediction" in str(run(predictions, data, code=1).exception)


def test_missing_predictions(data: Path, tmp_path: Path) -> None:
    assert isinstance(run(tmp_path / "none.jsonl", data, code=1).exception, FileNotFoundError)


class OneSection:
    """A model that never cuts."""

    config = SimpleNamespace(language="en")

    labels = ("climate", "history")
    task = "topics"

    def segment_all(self, documents: Iterable[Document], /, *, segmentation: Any = None) -> Iterator[Document]:
        for document in documents:
            yield Document(document.text, sections=(Section(0, len(document.text), "history"),))


def test_a_model_with_several_segmentations(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sector.runtime.load", lambda name: OneSection())
    records = json.loads(
        run("some_model", data, "--segmentation", "emd,bemd", "--segmentation", "max", "--json").stdout
    )
    assert [record["segmentation"] for record in records] == ["emd", "bemd", "max"]
    assert {record["f1"] for record in records} == {50}
    single = json.loads(run("some_model", data, "--json").stdout)
    assert single["segmentation"] == "default"
    assert "bemd" in run("some_model", data, "--segmentation", "emd,bemd").stdout


def test_the_calibration_error_needs_probabilities(predictions: Path, data: Path, tmp_path: Path) -> None:
    assert json.loads(run(predictions, data, "--json").stdout)["ece"] is None
    assert "calibration error" not in run(predictions, data).stdout
    sections = [
        {"begin": 0, "end": 24, "label": "climate", "scores": {"climate": 0.75, "history": 0.25}},
        {"begin": 24, "end": 58, "label": "climate", "scores": {"climate": 0.65, "history": 0.35}},
    ]
    sure = write(tmp_path / "sure.jsonl", [{"id": "rain", "sections": sections}, PREDICTED[0]])
    assert json.loads(run(sure, data, "--json").stdout)["ece"] == pytest.approx((25 + 65) / 2)
    assert "calibration error" in run(sure, data).stdout
