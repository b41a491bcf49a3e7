"""Whatever bytes a client sends: an answer that is described, never an error of the service."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from service import client

__all__ = ["client"]
KINDS = [
    "application/json",
    "text/plain",
    "text/plain; charset=utf-16",
    "multipart/form-data; boundary=b",
    "application/pdf",
]
KINDS += ["", "application/json; charset=undefined", "x/y", "text/html", "\x7f"]
PARTS = [
    b'{"text": "',
    b'"}',
    b'{"texts": [',
    b"1e999",
    b"9" * 5000,
    b"[" * 5000,
    b"\\ud800",
    b"\xff\xfe",
    b"\0",
    b"a. ",
]
PARTS += [
    b"--b\r\nContent-Disposition: form-data; name=file; filename=x.pdf\r\n\r\n",
    b"\r\n--b--\r\n",
    b"%PDF-1.4",
    b"PK\x03\x04",
]
BODIES = st.one_of(st.binary(max_size=200), st.lists(st.sampled_from(PARTS), max_size=8).map(b"".join))


@pytest.mark.parametrize("path", ["/v1/segment", "/v1/chunk"])
def test_any_body(path: str, client: TestClient) -> None:
    @settings(max_examples=60, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(kind=st.sampled_from(KINDS), body=BODIES)
    def ask(kind: str, body: bytes) -> None:
        answer = client.post(path, content=body, headers={"content-type": kind} if kind else {})
        assert answer.status_code in (200, 400, 413, 415, 422), answer.text
        assert isinstance(answer.json(), (dict, list))

    ask()
