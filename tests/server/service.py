"""The service in one process, with the tiny model."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the service needs the extra 'serve'")
import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient

from sector.server import Settings, create_app


@pytest.fixture(scope="session")
def client(tiny_model: Path) -> Iterator[TestClient]:
    """Return a client of a service with the limits of `settings`."""
    with TestClient(create_app(settings(tiny_model)), raise_server_exceptions=False) as client:
        yield client


def settings(model: Path, **others: object) -> Settings:
    """Return settings with small limits."""
    chosen: dict[str, object] = {
        "models": (str(model),),
        "max_body_bytes": 20_000,
        "max_documents": 4,
        "max_characters": 8_000,
        "queue_documents": 8,
        "cache_bytes": 100_000,
    }
    return Settings(**(chosen | others))  # type: ignore[arg-type]


@contextmanager
def listening(app: FastAPI, **options: Any) -> Iterator[str]:
    """Run an application on a free port; give its address."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None, access_log=False, **options))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="session")
def address(tiny_model: Path) -> Iterator[str]:
    """Give the address of a service that really listens."""
    with listening(create_app(settings(tiny_model))) as address:
        yield address
