"""Limits on what arrives: a body is counted byte by byte as it streams in, and must be there in time.

FastAPI has no limit of its own, and the header Content-Length says nothing of a body that is sent in chunks. All bodies
together have a limit too, so that no number of clients can fill the memory.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sector.server.answers import error_response
from sector.server.errors import ClientGoneError, OverloadedError, ServiceError, SlowBodyError, TooLargeError

BODIES = 64
"""Bodies of the greatest length that may be in memory at a time."""


@dataclass(slots=True)
class HeldBytes:
    """How much of the bodies of all requests is in memory."""

    most: int
    now: int = 0

    def add(self, size: int) -> None:
        """Count bytes that came; raises OverloadedError where there are too many."""
        self.now += size
        if self.now > self.most:
            raise OverloadedError(f"The requests that are under way have {self.most:,} bytes; try again later.", 1)


@dataclass(frozen=True, slots=True)
class BodyLimit:
    """ASGI middleware: reads the body of a request whole, or answers with 413 or 408."""

    app: ASGIApp
    most_bytes: int
    seconds: float
    held: HeldBytes = field(default_factory=lambda: HeldBytes(10**12))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass requests on once their bodies are there."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self.app(scope, receive, send)
            return
        parts: list[bytes] = []
        try:
            self._check_announced(scope)
            await self._collect(parts, receive)
        except ClientGoneError:
            return
        except ServiceError as error:
            await error_response(error, {"connection": "close"})(scope, receive, send)
        else:
            await self.app(scope, _replayed(b"".join(parts), receive), send)
        finally:
            self.held.now -= sum(map(len, parts))

    def _check_announced(self, scope: Scope) -> None:
        announced = dict(scope["headers"]).get(b"content-length", b"")
        if announced.isdigit() and int(announced) > self.most_bytes:
            raise self._too_large()

    async def _collect(self, parts: list[bytes], receive: Receive) -> None:
        try:
            async with asyncio.timeout(self.seconds):
                await self._read(parts, receive)
        except TimeoutError:
            raise SlowBodyError(f"The body did not arrive within {self.seconds:g} seconds.") from None

    async def _read(self, parts: list[bytes], receive: Receive) -> None:
        size, more = 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientGoneError
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            self.held.add(len(parts[-1]))
            if size > self.most_bytes:
                raise self._too_large()
            more = message.get("more_body", False)

    def _too_large(self) -> TooLargeError:
        return TooLargeError(
            f"The body has more than {self.most_bytes:,} bytes; send the documents in several requests, "
            "or start the service with a larger --max-body."
        )


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Return a ``receive`` that gives the body once and then whatever comes."""
    pending = [body]

    async def replay() -> Message:
        if pending:
            return {"type": "http.request", "body": pending.pop(), "more_body": False}
        return await receive()

    return replay
