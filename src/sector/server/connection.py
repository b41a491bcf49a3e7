"""Limits on a connection that the HTTP parser does not have: headers come in time and are short, answers are fetched.

Without them one client can hold a connection for ever with one byte, or fill the memory with a header that never ends.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEADER = 1 << 16
"""Bytes of a request line and headers, or of whatever else is no body."""


class Connection(HttpToolsProtocol):
    """One connection of uvicorn's, closed where nothing comes of it for ``seconds``."""

    def __init__(self, *arguments: Any, seconds: float, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._seconds = seconds
        self._header = 0
        """Bytes since the last request or the last piece of a body."""
        self._waiting: asyncio.TimerHandle | None = None
        self._blocked: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._wait(self._seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        _cancel(self._waiting)
        _cancel(self._blocked)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse what came, unless it is too much."""
        self._header += len(data)
        super().data_received(data)
        if self._header > MOST_HEADER and not self.transport.is_closing():
            self.logger.warning("A header is too long.")
            self.send_400_response(f"The request line and the headers may have {MOST_HEADER} bytes.")

    def on_headers_complete(self) -> None:
        """Begin the request."""
        _cancel(self._waiting)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Pass a piece of the body on."""
        self._header = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Note the end of a request."""
        self._header = 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._wait(self._seconds + self.timeout_keep_alive)
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Note that the client does not fetch its answer."""
        super().pause_writing()
        self._blocked = self.loop.call_later(self._seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Note that it does again."""
        _cancel(self._blocked)
        super().resume_writing()

    def _wait(self, seconds: float) -> None:
        _cancel(self._waiting)
        self._waiting = self.loop.call_later(seconds, self._give_up)

    def _give_up(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
