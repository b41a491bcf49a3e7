"""What tests share: where real data lies, and a way to write files."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from chromium_browser import chromium
from postgres_server import postgres, postgres_server
from tiny import make_model

__all__ = ["chromium", "postgres", "postgres_server"]

os.environ.setdefault("OMP_NUM_THREADS", "1")  # tests run side by side, and waiting threads would slow them tenfold
os.environ |= {  # frameworks that we plug into stay quiet and at home
    "HAYSTACK_TELEMETRY_ENABLED": "False",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",
    "LANGSMITH_TRACING": "false",
    "RAY_USAGE_STATS_ENABLED": "0",
}
settings.register_profile("sector", deadline=None)  # a busy machine is no failure
settings.load_profile("sector")


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """Return the folder in SECTOR_DATA, by default ``../shared/data``; skip where it is absent."""
    default = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("SECTOR_DATA") or default)
    if not folder.is_dir():
        pytest.skip(f"there is no real data in {folder}; set SECTOR_DATA")
    return folder


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Write a file, with the folders around it, and give its path."""

    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Train a small model of four topics in seconds; give its folder."""
    pytest.importorskip("torch")
    return make_model(tmp_path_factory.mktemp("model"))


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a connection to another machine fail the test."""
    connect = socket.socket.connect

    def connect_here(own: socket.socket, address: Any) -> None:
        if own.family != socket.AF_UNIX and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise AssertionError(f"a connection to {address} was tried")
        connect(own, address)

    monkeypatch.setattr(socket.socket, "connect", connect_here)
