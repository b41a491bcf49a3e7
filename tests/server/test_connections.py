"""Clients that hold a connection without asking anything, or without reading the answer."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from service import listening, settings

from sector.server import create_app
from sector.server.connection import MOST_HEADER, Connection

ASKED = b"GET /health HTTP/1.1\r\nhost: x\r\n"
SECONDS = 0.5


@pytest.fixture(scope="module")
def port(tiny_model: Path) -> Iterator[int]:
    bounded = partial(Connection, seconds=SECONDS)
    with listening(create_app(settings(tiny_model)), http=bounded, timeout_keep_alive=1) as address:
        yield int(address.rpartition(":")[2])


def said(port: int, *pieces: bytes, pause: float = 0.0) -> bytes:
    """Send pieces; return all that comes until the service hangs up, which it must."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as one:
        for piece in pieces:
            one.sendall(piece)
            time.sleep(pause)
        found = b""
        while piece := one.recv(1 << 16):
            found += piece
        return found


@pytest.mark.parametrize("piece", [b"", b"G", ASKED, ASKED + b"a: b\r\n"])
def test_headers_that_do_not_come(port: int, piece: bytes) -> None:
    assert said(port, piece) == b""


def test_a_byte_now_and_then_is_no_request(port: int) -> None:
    with pytest.raises(ConnectionError):
        said(port, ASKED, *[b"a: b\r\n"] * 20, pause=SECONDS / 4)


def test_a_header_without_an_end(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as one:
        one.sendall(ASKED + b"a: ")
        with pytest.raises(ConnectionError):
            for _ in range(1000):
                one.sendall(b"x" * MOST_HEADER)


def test_requests_that_follow_one_another(port: int) -> None:
    """The limit is one of each request: a connection may be used for many."""
    pieces = [ASKED + b"a: " + b"x" * (MOST_HEADER // 2) + b"\r\n\r\n"] * 4
    found = said(port, *pieces, pause=SECONDS / 2)
    assert found.count(b"HTTP/1.1 200") == 4


def test_an_answer_that_nobody_fetches(port: int) -> None:
    """The service gives it up; else clients could fill its memory with answers."""
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        one.settimeout(20)
        one.connect(("127.0.0.1", port))
        with pytest.raises(ConnectionError):
            for _ in range(2000):
                one.sendall((ASKED.replace(b"/health", b"/openapi.json") + b"\r\n") * 10)
                time.sleep(0.005)
