"""Each request is timed, counted and logged as one line of JSON, without a word of any document."""

from __future__ import annotations

import json
import logging
import re
import secrets
import time
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sector.server.metrics import Metrics

LOG = logging.getLogger("sector.server")
QUIET = ("/health", "/ready", "/metrics")
"""Routes that are asked every few seconds; they are counted, and logged only when they fail."""
REQUEST_ID = re.compile(r"[\w.-]{1,64}", re.ASCII)
"""What a caller's X-Request-Id may look like; others get one of ours, so that nobody writes into the log."""
OTHER = "other"


class JsonLines(logging.Formatter):
    """A log record as a line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        entry = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S") + f".{int(record.msecs):03d}",
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return json.dumps(entry)


@dataclass(frozen=True, slots=True)
class Observing:
    """ASGI middleware: the headers X-Request-Id and X-Total-Time, metrics and the log."""

    app: ASGIApp
    metrics: Metrics
    paths: frozenset[str]
    """Routes that are counted by name; others are counted together, so that no caller makes new figures."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and note how it ends."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun, status = time.perf_counter(), 499  # nothing was sent: the client hung up
        given = Headers(scope=scope).get("x-request-id", "")
        request_id = given if REQUEST_ID.fullmatch(given) else secrets.token_hex(8)

        async def timed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                total = f"{1000 * (time.perf_counter() - begun):.1f}"
                own = ((b"x-request-id", request_id.encode()), (b"x-total-time", total.encode()))
                message["headers"] = [*message.get("headers", ()), *own]
            await send(message)

        try:
            await self.app(scope, receive, timed)
        except Exception:
            status = 500
            raise
        finally:
            self._note(scope, request_id, status, time.perf_counter() - begun)

    def _note(self, scope: Scope, request_id: str, status: int, seconds: float) -> None:
        route = scope["path"] if scope["path"] in self.paths else OTHER
        method = scope["method"] if scope["method"] in ("GET", "POST", "HEAD", "OPTIONS") else OTHER
        self.metrics.answered(route, method, status, seconds)
        if route in QUIET and status < 400:
            return
        fields = {
            "request_id": request_id,
            "method": method,
            "route": route,
            "status": status,
            "milliseconds": round(1000 * seconds, 1),
            **scope.get("state", {}).get("noted", {}),
        }
        LOG.info("request", extra={"fields": fields})
