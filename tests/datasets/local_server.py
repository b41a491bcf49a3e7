"""A web server on this machine that misbehaves on request."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Behaviour:
    """What the server does with the next requests."""

    content: bytes
    statuses: list[int] = field(default_factory=list)
    """Answers before the real one, one for each request."""
    cuts: list[int] = field(default_factory=list)
    """After how many bytes to cut the connection, one for each request that is answered."""
    ranges: bool = True
    seen: list[str] = field(default_factory=list)
    """The Range header of each request."""


def _handler(behaviour: Behaviour) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            wanted = self.headers.get("Range", "")
            behaviour.seen.append(wanted)
            if behaviour.statuses:
                self.send_error(behaviour.statuses.pop(0))
                return
            offset = int(wanted.removeprefix("bytes=").rstrip("-") or 0) if behaviour.ranges else 0
            total = len(behaviour.content)
            if offset >= total:
                self.send_response(416)
                self.send_header("Content-Range", f"bytes */{total}")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            self._send(offset, total)

        def _send(self, offset: int, total: int) -> None:
            self.send_response(206 if offset else 200)
            if offset:
                self.send_header("Content-Range", f"bytes {offset}-{total - 1}/{total}")
            self.send_header("Content-Length", str(total - offset))
            self.end_headers()
            until = offset + behaviour.cuts.pop(0) if behaviour.cuts else total
            self.wfile.write(behaviour.content[offset:until])

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler


@contextmanager
def serving(behaviour: Behaviour) -> Iterator[str]:
    """Serve one content under any path; give the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(behaviour))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
