"""POST /v1/chunk: the command's chunks for texts, lists of documents and files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from service import client

import sector
from tiny import HELD_OUT

__all__ = ["client"]
OPTIONS: dict[str, Any] = {"max_tokens": 20, "tokenizer": "words", "overlap": 1}


def test_chunks_are_those_of_the_library(client: TestClient, tiny_model: Path) -> None:
    answer = client.post("/v1/chunk", json={"text": HELD_OUT, **OPTIONS})
    expected = sector.load(tiny_model).chunk(HELD_OUT, 20, lambda text: len(text.split()), 1)
    assert answer.status_code == 200, answer.text
    assert answer.json()["chunks"] == [chunk.to_dict() for chunk in expected]
    assert answer.json()["length"] == len(HELD_OUT)


def test_several_documents_and_files(client: TestClient) -> None:
    several = client.post("/v1/chunk", json={"documents": [{"id": "a", "text": HELD_OUT}, ""], **OPTIONS}).json()
    assert [entry["id"] for entry in several] == ["a", ""]
    assert several[1]["chunks"] == []
    form = client.post("/v1/chunk", files={"file": ("a", HELD_OUT.encode())}, data=OPTIONS)
    assert form.json() == several[0]


@pytest.mark.parametrize("wrong", [{"max_tokens": 1}, {"tokenizer": "/etc/passwd"}, {"merge": True}, {"fill": "much"}])
def test_wrong_options(client: TestClient, wrong: dict[str, Any]) -> None:
    answer = client.post("/v1/chunk", json={"text": HELD_OUT, **wrong})
    assert (answer.status_code, answer.json()["error_type"]) == (422, "validation")
    assert next(iter(wrong)) in answer.json()["error"]
