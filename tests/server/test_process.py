"""`sector serve` as a process: it starts, answers, drains on SIGTERM and has several workers."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

import pytest
from process import PATIENCE, get, serving

from tiny import HELD_OUT, HELD_OUT_LABELS


def test_sigterm_lets_requests_end(tiny_model: Path, tmp_path: Path) -> None:
    body = json.dumps({"text": HELD_OUT}).encode()
    with (tmp_path / "log").open("wb") as log, serving(tiny_model, log=log) as (process, port):
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
    assert '"stopped"' in (tmp_path / "log").read_text()


def workers_of(port: int, wanted: int, but: Collection[int] = ()) -> set[int]:
    """Return the process numbers of so many workers, other than some, once they answer."""
    until, found = time.monotonic() + PATIENCE, set[int]()
    while len(found) < wanted:
        assert time.monotonic() < until, f"{len(found)} of {wanted} workers answer"
        with suppress(OSError, http.client.HTTPException):  # a worker may be killed while it answers
            seen = re.search(rb'sector_queue_documents\{worker="(\d+)"\}', get(port, "/metrics")[1])
            found |= {int(seen[1])} - set(but) if seen else set()
    return found


def test_workers_share_the_port_and_one_that_is_killed_is_replaced(tiny_model: Path) -> None:
    with serving(tiny_model, "--workers", "2") as (process, port):
        killed, other = workers_of(port, 2)
        os.kill(killed, signal.SIGKILL)
        assert other in workers_of(port, 2, but=[killed])
        for _ in range(20):
            assert get(port, "/ready")[0] == 200
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


@pytest.mark.parametrize("host", ["x" * 100, "..", "\udcff", "\u202ex", "nowhere.invalid"])
def test_a_host_that_cannot_be(host: str) -> None:
    from sector.errors import ConfigError
    from sector.server import Settings
    from sector.server.running import serve

    with pytest.raises(ConfigError, match="cannot be used"):
        serve(Settings(host=host))
