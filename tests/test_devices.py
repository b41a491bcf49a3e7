"""What a process computes on: workers share the cores, and a GPU is asked for by name."""

from __future__ import annotations

import pytest

from sector.devices import own_cores, providers
from sector.errors import ConfigError
from sector.processes import WorkerPool


def nothing() -> None:
    pass


def cores(_: int) -> int:
    return own_cores()


@pytest.mark.parametrize(("there", "share"), [("8", 4), ("3", 1), ("1", 1)])
def test_workers_share_the_cores(monkeypatch: pytest.MonkeyPatch, there: str, share: int) -> None:
    monkeypatch.setenv("SECTOR_CORES", there)
    with WorkerPool(2, nothing, ()) as pool:
        assert [found for _, found in pool.map(cores, range(3))] == [share] * 3


def test_cores_are_those_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for given in ("", "0", "many"):
        monkeypatch.setenv("SECTOR_CORES", given)
        assert own_cores() >= 1
    monkeypatch.delenv("SECTOR_CORES")
    assert own_cores() >= 1


def test_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    import onnxruntime

    assert providers() == ["CPUExecutionProvider"]
    monkeypatch.setenv("SECTOR_DEVICE", "tpu")
    with pytest.raises(ConfigError, match="choose cpu or cuda"):
        providers()
    monkeypatch.setenv("SECTOR_DEVICE", "cuda")
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: ["CPUExecutionProvider"])
    with pytest.raises(ConfigError, match="install onnxruntime-gpu"):
        providers()
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: ["CUDAExecutionProvider"])
    assert providers() == ["CUDAExecutionProvider", "CPUExecutionProvider"]
