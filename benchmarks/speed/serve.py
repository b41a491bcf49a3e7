"""The HTTP service: throughput beside the library's, steady load, overload, clients that are slow or hang up."""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import sector
from harness.clock import seconds
from harness.data import documents
from harness.page import table
from harness.processes import memory, processor_seconds
from sector.runtime import Model

TITLE = "The HTTP service"
HERE = Path(__file__).parents[1]
PATIENCE = 120.0


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", default="en_city")
    parser.add_argument("--data", default="en_city_test")
    parser.add_argument("--rounds", type=int, default=5, help="of library and service, one after the other")
    parser.add_argument("--passes", type=int, default=3, help="over the documents in a round")
    parser.add_argument("--steady", type=float, default=120.0, help="seconds of steady load")
    parser.add_argument("--rate", type=float, default=20.0, help="requests a second in it")


def report(options: argparse.Namespace) -> Iterator[str]:
    texts = [document.text for document in documents(options.data)]
    model = sector.load(options.model)
    with tempfile.TemporaryDirectory() as folder:
        bodies = Path(folder) / "bodies.json"
        bodies.write_text(json.dumps([{"text": text} for text in texts]), encoding="utf-8")
        yield from _throughput(options, model, texts, bodies)
        yield from _load(options, bodies)


def _throughput(options: argparse.Namespace, model: Model, texts: list[str], bodies: Path) -> Iterator[str]:
    requests = len(texts) * options.passes
    yield f"## 16 clients: {len(texts)} documents of {options.data} {options.passes} times, {options.rounds} rounds\n"
    yield "One document a request, each client on a connection of its own, all on the machine of the service. The"
    yield "library's figure is `segment_all` over the same documents, measured just before in each round; the ratio is"
    yield "the median of the rounds' ratios. Other work on the machine disturbs the processor time least."
    if os.getloadavg()[0] > (os.cpu_count() or 1):
        yield "**The machine was busy with other work: the ratio of the processor times holds, that of the throughput"
        yield "compares moments of different load.**"
    yield ""
    rows = []
    for started in (["--threads", "1"], ["--threads", "2"], ["--workers", "2", "--threads", "1"]):
        with serving(options.model, *started) as (process, port):
            _same(model, texts, port)
            found = [_round(model, texts, (process.pid, port), bodies, options.passes) for _ in range(options.rounds)]
        library, served = (median(entry[side] for entry in found) for side in ("library", "service"))
        ratio = median(entry["service"] / entry["library"] for entry in found)
        p50, p99 = (1000 * median(entry[name] for entry in found) for name in ("p50", "p99"))
        costs = [1000 * median(entry[name] for entry in found) / requests for name in ("library cpu", "service cpu")]
        assert all(entry["statuses"] == {"200": requests} for entry in found)
        rows.append(
            [
                f"`{' '.join(started)}`",
                f"{library:.0f}",
                f"{served:.0f}",
                f"{ratio:.0%}",
                f"{costs[0] / costs[1]:.0%}",
                f"{p50:.0f} ms",
                f"{p99:.0f} ms",
                *(f"{cost:.2f} ms" for cost in costs),
            ]
        )
    head = [
        "`sector serve`",
        "library, documents/s",
        "service, documents/s",
        "ratio",
        "of processor time",
        "p50",
        "p99",
    ]
    costs = ["processor time per document: library", "service"]
    yield from table([*head, *costs], rows)


def _round(model: Model, texts: list[str], service: tuple[int, int], bodies: Path, passes: int) -> dict[str, Any]:
    count, (process, port) = len(texts) * passes, service
    marks = [time.process_time()]
    library = count / seconds(lambda: list(model.segment_all(texts * passes)))
    marks += [time.process_time(), processor_seconds(process)]
    found = _clients(port, bodies, "--clients", "16", "--requests", str(count))
    marks += [processor_seconds(process)]
    costs = {"library cpu": marks[1] - marks[0], "service cpu": marks[3] - marks[2]}
    return {**found, **costs, "library": library, "service": count / found["seconds"]}


def _load(options: argparse.Namespace, bodies: Path) -> Iterator[str]:
    yield "\n## Under load\n"
    rows = []
    with serving(options.model) as (process, port):
        _clients(port, bodies, "--requests", "500")
        before = memory(process.pid)
        steady = _clients(port, bodies, "--rate", str(options.rate), "--seconds", str(options.steady))
        rows.append([f"{options.rate:g} requests/s for {options.steady:g} s", *_cells(steady)])
        growth = memory(process.pid) - before
        with _slow_clients(port, 100):
            slow = _clients(port, bodies, "--rate", str(options.rate), "--seconds", "10")
        rows.append(["the same for 10 s beside 100 clients that send a byte every 0.2 s", *_cells(slow)])
        for _ in range(200):
            _hang_up(port, bodies)
        rows.append(["16 clients after 200 that hung up", *_cells(_clients(port, bodies, "--requests", "500"))])
    with serving(options.model, "--queue", "32") as (process, port):
        over = _clients(port, bodies, "--clients", "128", "--requests", "3000")
        rows.append(["128 clients, `--queue 32`", *_cells(over)])
        last = _clients(port, bodies, "--rate", str(options.rate), "--seconds", "5")
        rows.append(["afterwards", *_cells(last)])
    yield from table(["load", "answers", "p50", "p99", "longest"], rows)
    yield f"\nResident memory: {before:.0f} MB before the steady load, {growth:+.1f} MB after it."


def _cells(found: dict[str, Any]) -> list[str]:
    answers = ", ".join(f"{status}: {count:,}" for status, count in sorted(found["statuses"].items()))
    return [answers, *(f"{1000 * found[name]:.0f} ms" for name in ("p50", "p99", "most"))]


def _clients(port: int, bodies: Path, *options: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "speed.clients", str(port), str(bodies), *options]
    done = subprocess.run(command, cwd=HERE, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@contextmanager
def serving(model: str, *options: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    code = "from sector.cli import main; main()"
    command = [sys.executable, "-c", code, "serve", "--model", model, "--port", str(port), *options]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            _wait(port)
            yield process, port
        finally:
            process.terminate()


def _wait(port: int) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/ready").close()
            time.sleep(3)  # other workers load their models too
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the service did not start")


def _same(model: Model, texts: list[str], port: int) -> None:
    """Make sure that the service says what the library says."""
    for text in texts[:20]:
        asked = urllib.request.Request(
            f"http://127.0.0.1:{port}/v1/segment",
            json.dumps({"text": text}).encode(),
            {"content-type": "application/json"},
        )
        with urllib.request.urlopen(asked) as found:
            assert json.load(found) == json.loads(model.segment(text).to_json())


@contextmanager
def _slow_clients(port: int, count: int) -> Iterator[None]:
    code = (
        "import socket, sys, time\n"
        "port, count = map(int, sys.argv[1:])\n"
        "all = [socket.create_connection(('127.0.0.1', port)) for _ in range(count)]\n"
        "for one in all: one.sendall(b'POST /v1/segment HTTP/1.1\\r\\nhost: x\\r\\ncontent-length: 9000\\r\\n\\r\\n')\n"
        "while True:\n"
        "    for one in all: one.sendall(b' ')\n"
        "    time.sleep(0.2)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(port), str(count)], stderr=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.kill()


def _hang_up(port: int, bodies: Path) -> None:
    text = json.loads(bodies.read_text(encoding="utf-8"))[0]["text"]
    content = json.dumps({"text": text}).encode()
    head = f"POST /v1/segment HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {len(content)}"
    with socket.create_connection(("127.0.0.1", port)) as one:
        one.sendall(f"{head}\r\n\r\n".encode() + content)
