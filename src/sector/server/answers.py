"""How an answer leaves: JSON of results, and of errors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from sector.server.errors import ServiceError

JSON = "application/json"


def json_bytes(value: Any) -> bytes:
    """Return a value as UTF-8; lone surrogates, which UTF-8 cannot hold, as escapes."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()


def error_response(error: ServiceError, headers: Mapping[str, str] | None = None) -> Response:
    """Return the answer for an error."""
    return Response(json_bytes(error.body), error.status, {**error.headers, **(headers or {})}, JSON)
