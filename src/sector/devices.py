"""What a process computes on: its share of the cores, or a GPU where one is asked for."""

from __future__ import annotations

import os

from sector.errors import ConfigError

CORES, DEVICE = "SECTOR_CORES", "SECTOR_DEVICE"
"""Variables of the environment: how many cores a process uses, and ``cpu`` (the default) or ``cuda``."""
ON_CPU, ON_CUDA = "CPUExecutionProvider", "CUDAExecutionProvider"


def own_cores() -> int:
    """Return how many cores this process may use; one of several workers has its share."""
    given = os.environ.get(CORES, "")
    if given.isdecimal() and int(given):
        return int(given)
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def providers() -> list[str]:
    """Return what onnxruntime executes a graph with; raises ConfigError for a device that it does not have."""
    device = os.environ.get(DEVICE, "cpu")
    if device == "cpu":
        return [ON_CPU]
    if device != "cuda":
        raise ConfigError(f"{DEVICE} is '{device}'; choose cpu or cuda.")
    import onnxruntime

    if ON_CUDA not in onnxruntime.get_available_providers():
        raise ConfigError(
            f"{DEVICE} is cuda, but the installed onnxruntime computes on the CPU alone; install onnxruntime-gpu in "
            "its place, or leave the variable out."
        )
    return [ON_CUDA, ON_CPU]
