"""Locks on files and folders: one holder at a time, nothing left behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sector.errors import ConfigError
from sector.locks import locked


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_one_holder_at_a_time(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "held"
    path.touch() if kind == "file" else path.mkdir()
    with locked(path), pytest.raises(ConfigError, match="Another run is writing to"), locked(path):
        pass
    with locked(path):
        pass
    assert list(tmp_path.iterdir()) == [path]


def test_a_killed_process_holds_nothing(tmp_path: Path) -> None:
    code = (
        "import os, pathlib\nfrom sector.locks import locked\n"
        f"with locked(pathlib.Path({str(tmp_path)!r})):\n    os.kill(os.getpid(), 9)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    with locked(tmp_path):
        pass
