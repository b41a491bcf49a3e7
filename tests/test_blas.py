"""numpy's matrix products: on one thread where documents are read side by side, with the same bytes."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from sector import blas
from sector.blas import VARIABLE, one_thread
from sector.processes import WorkerPool

PRODUCT = """
import hashlib, numpy as np
rows = np.random.default_rng(1).random((200, 128), np.float32)
print(hashlib.sha256(rows @ np.random.default_rng(2).random((128, 9001), np.float32)).hexdigest())
"""


def threads(_: int) -> int:
    return blas._threads()


def nothing() -> None:
    pass


@pytest.fixture
def two_threads() -> None:
    blas._call("set", 2)
    if blas._threads() != 2:
        pytest.skip("numpy has another library here")


def digest(before: str, environment: dict[str, str]) -> str:
    command = [sys.executable, "-c", before + PRODUCT]
    return subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=True).stdout


def test_one_thread_for_a_while(two_threads: None) -> None:
    with pytest.raises(ValueError), one_thread():
        assert blas._threads() == 1
        raise ValueError
    assert blas._threads() == 2


def test_workers_use_one_thread(two_threads: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "2")
    with WorkerPool(1, nothing, ()) as pool:
        assert [found for _, found in pool.map(threads, range(2))] == [1, 1]


def test_the_bytes_are_those_of_one_thread() -> None:
    limited = "from sector.blas import use_one_thread; use_one_thread()\n"
    assert digest(limited, {VARIABLE: "2"}) == digest("", {VARIABLE: "1"})


def test_other_libraries_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blas, "_library", lambda: None)
    with one_thread():
        assert np.ones(2) @ np.ones(2) == 2
