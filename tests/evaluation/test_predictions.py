"""Files of predictions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from evaluation_cases import document, scored

from sector.errors import DataError
from sector.evaluation import score
from sector.evaluation.predictions import load_predictions

GOLD = [document("xxx yy", id="a"), document("xx y", id="b")]
FIRST = {
    "id": "a",
    "sections": [
        {"begin": 0, "end": 15, "label": "x"},
        {"begin": 15, "end": 25, "scores": {"y": 0.9, "x": 0.1}},
    ],
}
SECOND = {"id": "b", "sections": [{"begin": 0, "end": 15, "label": "x", "scores": {"x": 1}}]}


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def writer(*records: Any) -> Path:
        path = tmp_path / "predictions.jsonl"
        path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in records))
        return path

    return writer


def test_matched_by_id(write: Any) -> None:
    first, second = load_predictions(write(SECOND, "", FIRST), GOLD)
    assert [(s.begin, s.end, s.label, s.scores) for s in first.sections] == [
        (0, 15, "x", {}),
        (15, 25, "", {"y": 0.9, "x": 0.1}),
    ]
    assert [len(entry.sections) for entry in (first, second)] == [2, 1]
    assert score(GOLD, [first, second]).f1 == 3 / 4


def test_what_a_document_writes_is_read(write: Any) -> None:
    answer = scored("xxx yy", [0.7, 0.2, 0.1], [0.3, 0.6, 0.1])
    (read,) = load_predictions(write(answer.to_json()), GOLD[:1])
    assert [s.scores for s in read.sections] == [pytest.approx(s.scores) for s in answer.sections]


def test_matched_by_order_without_ids(write: Any) -> None:
    bare = [{"sections": record["sections"]} for record in (FIRST, SECOND)]
    assert [len(entry.sections) for entry in load_predictions(write(*bare), GOLD)] == [2, 1]
    with pytest.raises(DataError, match="1 predictions for 2 gold documents, and no ids"):
        load_predictions(write(bare[0]), GOLD)


def test_equal_ids_in_equal_order_are_fine(write: Any) -> None:
    assert len(load_predictions(write(FIRST, FIRST), [GOLD[0], GOLD[0]])) == 2


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([FIRST], r"1 of the ids \('b'\) have no prediction"),
        ([FIRST, SECOND, SECOND | {"id": "c"}], r"1 of the ids \('c'\) have no gold"),
        ([FIRST, FIRST, SECOND], r"\('a'\) occur more than once"),
        ([FIRST, {"sections": []}], "record in line 2, field 'id': This line has no id"),
        (
            [FIRST | {"length": 24}, SECOND],
            "record a, field 'length': .* 24 characters, the gold text has 25",
        ),
        (["[1]", SECOND], "Line 1 is not an object with a list 'sections'"),
        (["{", SECOND], "Line 1 is not JSON"),
        ([{"id": "a", "sections": [3]}, SECOND], "An object with 'begin' and 'end'"),
        (
            [{"id": "a", "sections": [{"begin": "0", "end": 5}]}, SECOND],
            "field 'begin': A whole number .* '0'",
        ),
        ([{"id": "a", "sections": [{"begin": 0, "end": 26}]}, SECOND], "0–26 is not inside the text"),
        ([{"id": "a", "sections": [{"begin": 4, "end": 2}]}, SECOND], "4–2 is not inside"),
        (
            [{"id": "a", "sections": [{"begin": 0, "end": 2, "text": "zz"}]}, SECOND],
            "not the gold document's text",
        ),
        ([{"id": "a", "sections": [{"begin": 0, "end": 2, "scores": {"x": "1"}}]}, SECOND], "field 'scores'"),
        (
            ['{"id": "a", "sections": [{"begin": 0, "end": 2, "scores": {"x": NaN}}]}', SECOND],
            "field 'scores'",
        ),
    ],
)
def test_bad_files_are_refused(write: Any, records: list[Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        load_predictions(write(*records), GOLD)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_bytes(b"\xff\xfe\n")
    with pytest.raises(DataError, match="Line 1 is not JSON"):
        load_predictions(path, GOLD)
