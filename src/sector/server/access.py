"""An API key, where the operator set one."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from sector.server.answers import error_response
from sector.server.errors import UnauthorizedError

PROTECTED = "/v1/"
"""What starts so needs the key; health, metrics and the page, which show no document, do not."""


@dataclass(frozen=True, slots=True)
class ApiKey:
    """ASGI middleware: 401 unless ``Authorization: Bearer KEY`` or ``X-API-Key: KEY`` is right."""

    app: ASGIApp
    key: str

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on who has the key, before the body is read."""
        if scope["type"] == "http" and scope["path"].startswith(PROTECTED) and not self._is_right(Headers(scope=scope)):
            error = UnauthorizedError("This needs an API key: send it as 'Authorization: Bearer KEY'.")
            await error_response(error)(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _is_right(self, headers: Headers) -> bool:
        scheme, _, key = headers.get("authorization", "").partition(" ")
        given = key.strip() if scheme.lower() == "bearer" else headers.get("x-api-key", "")
        return secrets.compare_digest(given.encode("latin-1"), self.key.encode())
