"""The HTTP service over a long time: mixed sizes, 5 % hostile requests, every answer compared with the library's."""

from __future__ import annotations

import argparse
import json
import random
import socket
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from typing import Any

import sector
from harness.data import documents
from harness.page import table
from harness.processes import memory
from sector.runtime import Model
from speed.serve import serving

TITLE = "A soak of the HTTP service"
HOSTILE = 0.05
DESCRIBED = {200, 400, 404, 405, 413, 415, 422, 429, 503}
SETTLED = 0.2
"""Of the time, after which memory should not grow any more."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", default="en_city")
    parser.add_argument("--data", default="en_city_test")
    parser.add_argument("--seconds", type=float, default=3600.0)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)


def report(options: argparse.Namespace) -> Iterator[str]:
    texts = _mixed([document.text for document in documents(options.data)], random.Random(options.seed))
    model = sector.load(options.model)
    bodies = [(_body(text), json.loads(model.segment(text).to_json())) for text in texts]
    with serving(options.model) as (process, port):
        found = Found()
        with ThreadPoolExecutor(options.clients) as pool:
            until = time.monotonic() + options.seconds
            clients = [
                pool.submit(_client, port, bodies, until, random.Random(options.seed + number), found)
                for number in range(options.clients)
            ]
            sizes = list(_watched(process.pid, until))
            for client in clients:
                client.result()
        _compare_once_more(model, texts[0], port)
    yield from _page(found, sizes, options)


@dataclass
class Found:
    """What came of the requests."""

    statuses: Counter[str] = field(default_factory=Counter)
    hostile: Counter[str] = field(default_factory=Counter)
    wrong: int = 0
    latencies: list[float] = field(default_factory=list)


def _mixed(texts: list[str], chosen: random.Random) -> list[str]:
    """Return texts of very different lengths: sentences, documents, several documents in one."""
    short = [text[: chosen.randint(1, 200)] for text in texts[:50]]
    long = ["\n\n".join(chosen.sample(texts, 5)) for _ in range(5)]
    return [*texts[:100], *short, *long, "", "\n", "👩‍👩‍👧 \u202e"]


def _body(text: str) -> bytes:
    return json.dumps({"text": text}).encode()


def _client(port: int, bodies: list[tuple[bytes, Any]], until: float, chosen: random.Random, found: Found) -> None:
    connection = HTTPConnection("127.0.0.1", port, timeout=120)
    while time.monotonic() < until:
        if chosen.random() < HOSTILE:
            found.hostile[_attacked(port, chosen)] += 1
            continue
        content, expected = chosen.choice(bodies)
        begun = time.perf_counter()
        try:
            connection.request("POST", "/v1/segment", content, {"content-type": "application/json"})
            answer = connection.getresponse()
            got = answer.read()
        except (OSError, HTTPException) as error:
            found.statuses[type(error).__name__] += 1
            connection.close()
            continue
        found.latencies.append(time.perf_counter() - begun)
        found.statuses[str(answer.status)] += 1
        found.wrong += answer.status == 200 and json.loads(got) != expected


ATTACKS = (
    b"\x16\x03\x01 not http\r\n\r\n",
    b"POST /v1/segment HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99999999999\r\n\r\n",
    b"POST /v1/segment HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 30\r\n\r\n{",
    b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nhost: x\r\n\r\n",
    b"GET /../../etc/passwd HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
)
BODIES = (b"[" * 100_000, b'{"text": "' + b"\\ud800" * 1000 + b'"}', b'{"text": 1e999}', b"\xff\xfe\0", b"%PDF-1.4 x")


def _attacked(port: int, chosen: random.Random) -> str:
    """Send something hostile; return the status, or that the service hung up."""
    content = chosen.choice((*ATTACKS, *BODIES))
    if content in BODIES:
        head = f"POST /v1/segment HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {len(content)}\r\n"
        content = head.encode() + b"content-type: application/json\r\n\r\n" + content
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as one:
            one.sendall(content)
            answer = one.recv(1000)
    except OSError:
        return "hung up"
    return answer.split(b" ")[1].decode() if answer.startswith(b"HTTP/1.1 ") else "hung up"


def _watched(process: int, until: float) -> Iterator[float]:
    """Return the memory of the service, once a second."""
    while time.monotonic() < until:
        yield memory(process)
        time.sleep(1)


def _compare_once_more(model: Model, text: str, port: int) -> None:
    connection = HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("POST", "/v1/segment", _body(text), {"content-type": "application/json"})
    assert json.loads(connection.getresponse().read()) == json.loads(model.segment(text).to_json())


def _page(found: Found, sizes: list[float], options: argparse.Namespace) -> Iterator[str]:
    settled, ordered = sizes[int(len(sizes) * SETTLED) :], sorted(found.latencies)
    p50, p99 = (f"{1000 * ordered[int(share * len(ordered))]:.0f} ms" for share in (0.5, 0.99))
    errors = {
        status for status in (*found.statuses, *found.hostile) if status.isdigit() and int(status) not in DESCRIBED
    }
    yield f"{options.clients} clients for {options.seconds:g} s, {HOSTILE:.0%} of the requests hostile.\n"
    rows: list[list[object]] = [
        ["answers", _counted(found.statuses)],
        ["answers to hostile requests", _counted(found.hostile)],
        ["wrong answers, of those with status 200", found.wrong],
        ["statuses that the API does not describe", ", ".join(sorted(errors)) or "none"],
        ["p50, p99", f"{p50}, {p99}"],
        [
            "memory: after the start, settled, at the end",
            " ".join(f"{size:.0f} MB" for size in (sizes[0], settled[0], sizes[-1])),
        ],
    ]
    yield from table(["", "found"], rows)
    assert not found.wrong and not errors


def _counted(found: Counter[str]) -> str:
    return ", ".join(f"{status}: {count:,}" for status, count in sorted(found.items()))
