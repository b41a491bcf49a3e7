"""`sector serve` as a process of its own."""

from __future__ import annotations

import http.client
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

PATIENCE = 180.0
"""Seconds: a busy machine is no failure."""


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
    return port


@contextmanager
def serving(
    model: Path, *options: str, log: int | IO[bytes] = subprocess.DEVNULL
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Start the command on a free port and wait until it is ready; what is left of it ends at the end."""
    port = free_port()
    code = "from sector.cli import main; main()"
    command = [sys.executable, "-c", code, "serve", "--model", str(model), "--port", str(port), *options]
    with subprocess.Popen(command, stderr=log) as process:
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
