"""The device that a run computes on."""

from __future__ import annotations

import os

import torch

from sector.errors import ConfigError


def choose_device(name: str) -> torch.device:
    """Return the named device, or the GPU where there is one."""
    # Without it cuBLAS sums in no fixed order, and a seed would not repeat a run on a GPU.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise ConfigError(f"The device '{name}' cannot be used here ({error}); try --device cpu.") from error
    return device
