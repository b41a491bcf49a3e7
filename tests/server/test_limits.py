"""Limits on bodies: bytes are counted as they come, announced or not, and a body must be there in time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from service import client
from starlette.types import Message, Receive, Scope, Send

from sector.server.body import BodyLimit, HeldBytes

__all__ = ["client"]


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    message = await receive()
    assert not message["more_body"]
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": message["body"]})


def ask(messages: list[Message], headers: list[tuple[bytes, bytes]] | None = None, wait: bool = False) -> Any:
    """Send messages as a body; return status and body of the answer, and how many messages were taken."""
    sent: list[Message] = []
    taken = 0

    async def receive() -> Message:
        nonlocal taken
        if taken == len(messages) and wait:
            await asyncio.sleep(60)
        taken += 1
        return messages[taken - 1]

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/v1/segment", "headers": headers or []}
    app: Callable[..., Coroutine[Any, Any, None]] = BodyLimit(echo, most_bytes=10, seconds=0.2)
    asyncio.run(app(scope, receive, send))
    if not sent:
        return None, b"", taken
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent[1:]), taken


def part(content: bytes, more: bool = True) -> Message:
    return {"type": "http.request", "body": content, "more_body": more}


def test_a_body_in_parts_arrives_whole() -> None:
    assert ask([part(b"12345"), part(b""), part(b"67890", False)]) == (200, b"1234567890", 3)


def test_bytes_are_counted_as_they_come() -> None:
    status, body, taken = ask([part(b"123456"), part(b"789012"), part(b"never read", False)])
    assert (status, json.loads(body)["error_type"], taken) == (413, "too_large", 2)


def test_what_is_announced_is_refused_unread() -> None:
    status, _, taken = ask([part(b"1", False)], [(b"content-length", b"11")])
    assert (status, taken) == (413, 0)
    assert ask([part(b"1", False)], [(b"content-length", b"-1")])[0] == 200


def test_a_body_that_does_not_come() -> None:
    status, body, _ = ask([part(b"1")], wait=True)
    assert (status, json.loads(body)["error_type"]) == (408, "slow_body")


def test_a_client_that_hangs_up_gets_nothing() -> None:
    assert ask([part(b"1"), {"type": "http.disconnect"}])[0] is None


def test_a_stream_through_the_whole_service(client: TestClient) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(1000):
            yield b" " * 1000

    answer = client.post("/v1/segment", content=endless(), headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["error_type"]) == (413, "too_large")


@pytest.mark.parametrize("path", ["/v1/segment", "/nope"])
def test_the_limit_holds_everywhere(client: TestClient, path: str) -> None:
    assert client.post(path, content=b" " * 30_000).status_code == 413


def test_all_bodies_together_have_a_limit() -> None:
    held = HeldBytes(16)

    async def wait(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.sleep(0.1)
        await echo(scope, receive, send)

    async def ask_at_once(count: int) -> list[int]:
        app = BodyLimit(wait, most_bytes=10, seconds=1, held=held)
        return list(await asyncio.gather(*(one(app) for _ in range(count))))

    async def one(app: BodyLimit) -> int:
        sent: list[Message] = []

        async def receive() -> Message:
            return part(b"12345678", False)

        async def send(message: Message) -> None:
            sent.append(message)

        await app({"type": "http", "method": "POST", "path": "/", "headers": []}, receive, send)
        return int(sent[0]["status"])

    assert asyncio.run(ask_at_once(3)) == [200, 200, 429]
    assert asyncio.run(ask_at_once(2)) == [200, 200]
    assert held.now == 0
