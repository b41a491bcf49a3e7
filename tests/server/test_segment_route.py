"""POST /v1/segment: the command's JSON for texts, lists of documents and files."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from service import client

import sector
from tiny import HELD_OUT, HELD_OUT_LABELS

__all__ = ["client"]


def segment(client: TestClient, **body: Any) -> Any:
    answer = client.post("/v1/segment", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_one_text_is_what_the_command_prints(client: TestClient, tiny_model: Path) -> None:
    found = segment(client, text=HELD_OUT)
    assert found == json.loads(sector.load(tiny_model).segment(HELD_OUT).to_json())
    assert tuple(section["label"] for section in found["sections"]) == HELD_OUT_LABELS


def test_several_documents_are_a_list_in_order(client: TestClient) -> None:
    entries = [HELD_OUT, {"id": "b", "title": "B", "text": "One. Two."}, {"text": ""}]
    found = segment(client, documents=entries)
    assert [(entry["id"], entry["length"]) for entry in found] == [("", len(HELD_OUT)), ("b", 9), ("", 0)]
    assert found[0] == segment(client, text=HELD_OUT)
    assert found[2]["sections"] == []
    assert len(segment(client, documents=["One."])) == 1


def test_options_are_those_of_the_library(client: TestClient, tiny_model: Path) -> None:
    options: dict[str, Any] = {"segmentation": "newline", "merge": True, "max_chars": 90, "min_chars": 20}
    expected = sector.load(tiny_model).segment(HELD_OUT, **options)
    assert segment(client, text=HELD_OUT, **options)["sections"] == [part.to_dict() for part in expected.sections]


def test_what_is_kept_gives_the_same(client: TestClient) -> None:
    for method in ("newline", "max", "emd"):
        fresh = segment(client, text=HELD_OUT, segmentation=method)
        assert segment(client, text=HELD_OUT, segmentation=method, keep=True) == fresh
    figures = client.get("/metrics").text
    hits = [line for line in figures.splitlines() if line.startswith("sector_cache_total") and 'found="yes"' in line]
    assert float(hits[0].split()[-1]) >= 2


def test_details_are_what_the_page_draws(client: TestClient) -> None:
    found = segment(client, text=HELD_OUT, details=True)
    sentences = [HELD_OUT[begin:end] for begin, end in found["sentences"]]
    assert sentences[0] == "The first symptom is often nausea, followed by fatigue."
    assert len(found["deviation"]) == len(sentences) == found["heatmap"]["columns"] == 9
    rows = found["heatmap"]["labels"]
    assert list(rows)[:3] == list(HELD_OUT_LABELS)
    assert max(rows, key=lambda name: rows[name][0]) == "symptom"


def test_details_of_a_file_without_prose(client: TestClient) -> None:
    files = {"file": ("code.md", b"```\nx = 1\n```\n")}
    found = client.post("/v1/segment", files=files, data={"details": "true"}).json()
    assert (len(found["sections"]), found["deviation"]) == (1, [0.0])


def test_files_in_a_form(client: TestClient) -> None:
    content = HELD_OUT.encode()
    one = client.post("/v1/segment", files={"file": ("../../notes.txt", content)}, data={"merge": "true"})
    assert one.status_code == 200, one.text
    assert one.json()["id"] == "notes.txt"
    assert one.json()["sections"] == segment(client, text=HELD_OUT, merge=True)["sections"]
    two = client.post("/v1/segment", files=[("file", ("a.txt", content)), ("file", ("C:\\b.txt", b"One."))])
    assert [entry["id"] for entry in two.json()] == ["a.txt", "b.txt"]


@pytest.mark.parametrize("text", ["", " \n ", "\x00", "a" * 7000, "<script>alert(1)</script>", "\u202eabc", "😀. 😀."])
def test_any_text(client: TestClient, text: str) -> None:
    found = segment(client, text=text)
    assert "".join(section["text"] for section in found["sections"]) == text


def test_timing(client: TestClient) -> None:
    headers = client.post("/v1/segment", json={"text": "One."}).headers
    for name in ("x-queue-time", "x-inference-time", "x-total-time"):
        assert float(headers[name]) >= 0


@pytest.mark.parametrize(
    ("body", "status", "kind", "word"),
    [
        ({}, 422, "validation", "either 'text' or 'documents'"),
        ({"text": "a", "documents": ["a"]}, 422, "validation", "either"),
        ({"documents": []}, 422, "validation", "documents"),
        ({"text": 1}, 422, "validation", "text"),
        ({"text": "a", "granularity": 0}, 422, "validation", "granularity"),
        ({"text": "a", "granularity": 2}, 422, "validation", "granularity"),
        ({"text": "a", "segmentation": "joint"}, 422, "validation", "boundary layer"),
        ({"text": "a", "max_chars": 5, "min_chars": 9}, 422, "validation", "chars"),
        ({"text": "a", "colour": 1}, 422, "validation", "colour"),
        ({"text": "a", "model": "en_city"}, 404, "unknown_model", "tiny"),
        ({"text": "a", "model": "/etc"}, 404, "unknown_model", "tiny"),
        ({"documents": ["a"] * 5}, 413, "too_large", "at most 4"),
        ({"text": "a" * 9000}, 413, "too_large", "8,000"),
        ({"text": "a" * 30_000}, 413, "too_large", "20,000"),
    ],
)
def test_errors_say_what_to_do(client: TestClient, body: dict[str, Any], status: int, kind: str, word: str) -> None:
    answer = client.post("/v1/segment", json=body)
    assert (answer.status_code, answer.json()["error_type"]) == (status, kind)
    assert word in answer.json()["error"]
    assert set(answer.json()) == {"error", "error_type"}


def test_one_bad_option_spoils_only_its_own_request(client: TestClient) -> None:
    from concurrent.futures import ThreadPoolExecutor

    bodies = [{"text": HELD_OUT} if n % 2 else {"text": HELD_OUT, "segmentation": "joint"} for n in range(8)]
    with ThreadPoolExecutor(8) as pool:
        codes = list(pool.map(lambda body: client.post("/v1/segment", json=body).status_code, bodies))
    assert codes == [422, 200] * 4


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"{", "application/json", 422),
        (b"\xff", "application/json", 422),
        (b'{"text": "\\ud800"}', "application/json", 422),
        (b"[" * 9999, "application/json", 422),
        (b"text=a", "application/x-www-form-urlencoded", 415),
        (b"nothing", "multipart/form-data", 422),
        (b"nothing", "multipart/form-data; boundary=x", 422),
        (b"--x--\r\n", "multipart/form-data; boundary=x", 422),
    ],
)
def test_broken_bodies(client: TestClient, content: bytes, kind: str, status: int) -> None:
    answer = client.post("/v1/segment", content=content, headers={"content-type": kind})
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"error", "error_type"}


def test_a_file_that_is_no_text(client: TestClient) -> None:
    answer = client.post("/v1/segment", files={"file": ("a.bin", b"\x00\x01\xff")})
    assert (answer.status_code, answer.json()["error_type"]) == (422, "validation")


def test_headings_of_a_file(client: TestClient) -> None:
    content = "# Guide\n\n## Symptoms\n\n" + HELD_OUT.replace("\n\n", "\n\n## Next\n\n", 1)
    for keep in ("false", "true", "true"):
        data = {"keep": keep}
        used = client.post("/v1/segment", files={"file": ("a.md", content)}, data=data).json()
        assert "Guide | Symptoms" in [section.get("heading") for section in used["sections"]]
        data = data | {"headings": "ignore"}
        ignored = client.post("/v1/segment", files={"file": ("a.md", content)}, data=data).json()
        assert not any(section.get("heading") for section in ignored["sections"])
        assert "".join(section["text"] for section in ignored["sections"]) == content
    assert segment(client, text=content)["sections"] == used["sections"]


def test_a_compressed_file_is_no_bomb(client: TestClient) -> None:
    packed = gzip.compress(HELD_OUT.encode())
    assert client.post("/v1/segment", files={"file": ("a.txt.gz", packed)}).json()["length"] == len(HELD_OUT)
    bomb = gzip.compress(b"a" * 10_000_000)
    answer = client.post("/v1/segment", files={"file": ("a.txt.gz", bomb)})
    assert (answer.status_code, answer.json()["error_type"]) == (422, "validation")
    assert "32,000 bytes" in answer.json()["error"]
