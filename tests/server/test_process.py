"""`sector serve` as a process: it starts, answers, drains on SIGTERM and has several workers."""

from __future__ import annotations

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tiny import HELD_OUT, HELD_OUT_LABELS

PATIENCE = 60.0


@contextmanager
def serving(model: Path, *options: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Start the command on a free port and wait until it is ready; what is left of it ends at the end."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    code = "from sector.cli import main; main()"
    command = [sys.executable, "-c", code, "serve", "--model", str(model), "--port", str(port), *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        try:
            wait_until_ready(process, port)
            yield process, port
        finally:
            if process.poll() is None:
                process.terminate()


def wait_until_ready(process: subprocess.Popen[bytes], port: int) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        try:
            if get(port, "/ready")[0] == 200:
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the service did not start")


def get(port: int, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", path)
    answer = connection.getresponse()
    return answer.status, answer.read()


def test_sigterm_lets_requests_end(tiny_model: Path) -> None:
    body = json.dumps({"text": HELD_OUT}).encode()
    with serving(tiny_model) as (process, port):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        connection.putrequest("POST", "/v1/segment")
        connection.putheader("content-type", "application/json")
        connection.putheader("content-length", str(len(body)))
        connection.endheaders(body[:20])
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        with pytest.raises(OSError):
            get(port, "/ready")  # nobody is let in any more
        connection.send(body[20:])
        answer = connection.getresponse()
        found = json.loads(answer.read())
        assert answer.status == 200
        assert tuple(section["label"] for section in found["sections"]) == HELD_OUT_LABELS
        assert process.wait(PATIENCE) == 0
        assert process.stderr is not None
        assert b'"stopped"' in process.stderr.read()


def test_workers_share_the_port(tiny_model: Path) -> None:
    with serving(tiny_model, "--workers", "2") as (process, port):
        until, workers = time.monotonic() + PATIENCE, set[bytes]()
        while len(workers) < 2 and time.monotonic() < until:
            status, figures = get(port, "/metrics")
            assert status == 200
            workers |= set(re.findall(rb'sector_queue_documents\{worker="(\d+)"\}', figures))
        assert len(workers) == 2
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) in (0, -signal.SIGTERM)


def test_a_port_that_is_taken(tiny_model: Path) -> None:
    with serving(tiny_model) as (_, port):
        code = "from sector.cli import main; main()"
        command = [sys.executable, "-c", code, "serve", "--model", str(tiny_model), "--port", str(port)]
        ended = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
        assert ended.returncode == 1
        assert b"Traceback" not in ended.stderr
        assert b"address already in use; choose another with --port" in ended.stderr
