"""Start the service: one process, or several that share the port; each ends when all it has accepted is answered."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
from functools import partial
from typing import Any

import uvicorn
from fastapi import FastAPI

from sector.errors import ConfigError
from sector.server.app import create_app
from sector.server.connection import Connection
from sector.server.observing import JsonLines
from sector.server.settings import VARIABLE, Settings

GRACE = 5
"""Seconds beyond the deadline that requests have to end when the service stops."""

WORKER_PATIENCE = 60
"""Seconds that a worker process may be silent while it loads models."""


def serve(settings: Settings) -> None:
    """Answer requests until SIGTERM or Ctrl-C; then take no more, and finish those that are there.

    Raises ConfigError for a port that cannot be used, and what `create_app` raises.
    """
    options: dict[str, Any] = {
        "host": settings.host,
        "port": settings.port,
        "http": partial(Connection, seconds=settings.deadline),
        "ws": "none",
        "access_log": False,
        "log_config": None,
        "server_header": False,
        "proxy_headers": False,
        "timeout_graceful_shutdown": round(settings.deadline) + GRACE,
        "timeout_keep_alive": 30,
        "timeout_worker_healthcheck": WORKER_PATIENCE,
    }
    _check_port(settings.host, settings.port)
    _log_as_json()
    if settings.workers == 1:
        signal.signal(signal.SIGTERM, _ended)  # uvicorn raises it again when all is done
        uvicorn.run(create_app(settings), **options)
        return
    os.environ[VARIABLE] = settings.to_json()
    uvicorn.run("sector.server.running:worker", factory=True, workers=settings.workers, **options)


def worker() -> FastAPI:
    """Return the application of one of several processes, which find the settings in their environment."""
    _log_as_json()
    return create_app(Settings.from_environment(os.environ))


def _check_port(host: str, port: int) -> None:
    """Try the port before models are loaded."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(address)
    except (OSError, UnicodeError) as error:  # the names of hosts have rules of their own
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise ConfigError(f"Port {port} of {host} cannot be used: {reason}; choose another with --port.") from None


def _ended(number: int, frame: object) -> None:
    """Let the process end with exit code 0."""


def _log_as_json() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name, level in (("sector.server", logging.INFO), ("uvicorn", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level)
