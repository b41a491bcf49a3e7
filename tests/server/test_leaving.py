"""Clients that hang up, killed workers: nobody else notices."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from service import listening, settings

from sector.document import Document
from sector.server import create_app
from tiny import HELD_OUT, HELD_OUT_LABELS


def posted(port: int, text: str) -> socket.socket:
    """Send a request and return its connection, without waiting for an answer."""
    body = json.dumps({"text": text}).encode()
    head = f"POST /v1/segment HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {len(body)}"
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(f"{head}\r\n\r\n".encode() + body)
    return connection


def answered(address: str, text: str) -> Any:
    asked = Request(f"{address}/v1/segment", json.dumps({"text": text}).encode(), {"content-type": "application/json"})
    with urlopen(asked, timeout=30) as found:
        return json.load(found)


def test_nothing_is_read_for_clients_that_hung_up(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app(settings(tiny_model, threads=1, batch_documents=1))
    model = app.state.service.models["tiny"]
    read, go, begun, seen = model.read, threading.Event(), threading.Event(), list[str]()

    def waiting(documents: Sequence[Document]) -> Any:
        begun.set()
        go.wait(30)
        seen.extend(document.text for document in documents)
        return read(documents)

    monkeypatch.setattr(model, "read", waiting)
    with listening(app) as address:
        port = int(address.rpartition(":")[2])
        first = posted(port, "First.")
        assert begun.wait(30)
        for number in range(5):
            posted(port, f"Nobody waits for {number}.").close()
        until = time.monotonic() + 30
        while app.state.service.metrics.text().count(b'status="499"') == 0 and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(0.2)
        go.set()
        found = answered(address, HELD_OUT)
        first.close()
    assert tuple(section["label"] for section in found["sections"]) == HELD_OUT_LABELS
    assert seen == ["First.", HELD_OUT]
    assert app.state.service.batcher.full is False
