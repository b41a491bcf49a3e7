"""How an answer leaves: JSON of results, and of errors."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import orjson
from starlette.responses import Response

from sector.server.errors import ServiceError

JSON = "application/json"


def json_bytes(value: Any) -> bytes:
    """Return a value as UTF-8; lone surrogates, which UTF-8 cannot hold, as escapes."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return json.dumps(value, separators=(",", ":")).encode()


def json_list(records: Iterable[bytes]) -> bytes:
    """Return a list of what is JSON already."""
    return b"[" + b",".join(records) + b"]"


def error_response(error: ServiceError, headers: Mapping[str, str] | None = None) -> Response:
    """Return the answer for an error."""
    return Response(json_bytes(error.body), error.status, {**error.headers, **(headers or {})}, JSON)
