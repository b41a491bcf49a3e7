"""The HTTP service: POST /v1/segment, a page at /, and what operators need. Needs the extra ``serve``."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sector.errors import MissingExtraError
from sector.server.settings import Settings

if TYPE_CHECKING:
    from sector.server.app import create_app
    from sector.server.running import serve
    from sector.server.static_export import write_page

__all__ = ["Settings", "create_app", "serve", "write_page"]

_HOMES = {
    "create_app": "sector.server.app",
    "serve": "sector.server.running",
    "write_page": "sector.server.static_export",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'sector.server' has no attribute '{name}'")
    try:
        return getattr(import_module(_HOMES[name]), name)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("sector"):
            raise
        raise MissingExtraError(error.name or "fastapi", "serve") from error
