"""Labels of the client's own: a model of open vocabulary answers, whichever was asked; clear errors without one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from service import client, settings

import sector
from sector.server import create_app
from tiny import HELD_OUT
from tiny_open import make_open

__all__ = ["client"]
LABELS = ["symptoms of the disease", "medical treatment", "weather"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_open(tmp_path_factory.mktemp("open"))


@pytest.fixture(scope="module")
def both(tiny_model: Path, folder: Path) -> Iterator[TestClient]:
    """Return a client of a service with a model of topics, the default, and one of open vocabulary."""
    chosen = settings(tiny_model, models=(str(tiny_model), str(folder)), cache_bytes=1_000_000)
    with TestClient(create_app(chosen), raise_server_exceptions=False) as client:
        yield client


def expected(folder: Path, labels: Any) -> Any:
    return json.loads(sector.load(folder).segment(HELD_OUT, labels=labels).to_json())


@pytest.mark.parametrize("model", [None, "tiny", "open"])
@pytest.mark.parametrize("keep", [False, True])
def test_a_model_of_open_vocabulary_answers(both: TestClient, folder: Path, model: str | None, keep: bool) -> None:
    body = {"text": HELD_OUT, "labels": LABELS, "model": model, "keep": keep}
    found = both.post("/v1/segment", json=body).json()
    assert found == expected(folder, LABELS)
    assert (found["model"], [part["label"] for part in found["sections"]]) == ("open", LABELS)


def test_other_labels_of_what_is_kept(both: TestClient, folder: Path) -> None:
    for labels in (LABELS, ["weather"], {"A": "rain and snow", "B": "fever and rash"}, None):
        found = both.post("/v1/segment", json={"text": HELD_OUT, "labels": labels, "model": "open", "keep": True})
        assert found.json() == expected(folder, labels)


def test_labels_of_concurrent_requests_do_not_mix(both: TestClient, folder: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    several = [["weather"], LABELS, ["treatment", "symptoms"], None] * 2
    ask = lambda labels: both.post("/v1/segment", json={"text": HELD_OUT, "labels": labels, "model": "open"})  # noqa: E731
    with ThreadPoolExecutor(8) as pool:
        found = [answer.json() for answer in pool.map(ask, several)]
    assert found == [expected(folder, labels) for labels in several]


def test_details_have_the_given_labels(both: TestClient) -> None:
    found = both.post("/v1/segment", json={"text": HELD_OUT, "labels": LABELS, "details": True}).json()
    assert set(found["heatmap"]["labels"]) == {*LABELS, "other"}


@pytest.mark.parametrize("field", [", ".join(LABELS), json.dumps(LABELS), json.dumps(dict.fromkeys(LABELS, ""))])
def test_labels_of_a_form(both: TestClient, folder: Path, field: str) -> None:
    answer = both.post("/v1/segment", files={"file": ("a.txt", HELD_OUT.encode())}, data={"labels": field})
    assert answer.json()["sections"] == expected(folder, LABELS)["sections"]


def test_chunks_with_given_labels(both: TestClient, folder: Path) -> None:
    options = {"max_tokens": 30, "tokenizer": "words"}
    model = sector.load(folder).with_labels(LABELS)
    chunks = [chunk.to_dict() for chunk in model.chunk(HELD_OUT, 30, lambda text: len(text.split()))]
    for keep in (False, True, True):
        answer = both.post("/v1/chunk", json={"text": HELD_OUT, "labels": LABELS, "keep": keep, **options})
        assert answer.json()["chunks"] == chunks
    assert {chunk["label"] for chunk in chunks} <= {*LABELS, "other"}


def test_no_model_of_open_vocabulary(client: TestClient) -> None:
    for path in ("/v1/segment", "/v1/chunk"):
        answer = client.post(path, json={"text": HELD_OUT, "labels": ["weather"]})
        assert (answer.status_code, answer.json()["error_type"]) == (422, "validation")
        assert "open vocabulary" in answer.json()["error"] and "beside tiny" in answer.json()["error"]


@pytest.mark.parametrize(
    "labels", [[], {}, [""], ["  "], "weather", [1], {"a": 1}, ["x" * 201], {"a": "x" * 1001}, ["a"] * 501, ["other"]]
)
def test_labels_that_cannot_be(both: TestClient, labels: Any) -> None:
    answer = both.post("/v1/segment", json={"text": HELD_OUT, "labels": labels})
    assert (answer.status_code, answer.json()["error_type"]) == (422, "validation")
    assert "label" in answer.json()["error"]


@pytest.mark.parametrize("field", ["{", "[1]", '{"a": 1}', "[]", ","])
def test_fields_that_are_no_labels(both: TestClient, field: str) -> None:
    answer = both.post("/v1/segment", files={"file": ("a.txt", b"One.")}, data={"labels": field})
    assert (answer.status_code, answer.json()["error_type"]) == (422, "validation")
