"""A running mean of a run's weights, which is steadier than the weights of any one step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

WARM_UP = 10
"""The larger, the longer the first steps, which know little, are forgotten quickly."""


class WeightAverage:
    """mean ← decay · mean + (1 − decay) · weights after every step; without a decay there is none."""

    def __init__(self, modules: nn.Module, decay: float) -> None:
        self._learned = {name: value for name, value in modules.named_parameters() if value.requires_grad}
        self._decay = decay
        self.state: dict[str, Tensor] = {}
        if decay:
            self.state = {name: value.detach().clone() for name, value in self._learned.items()}
            self.state["steps"] = torch.zeros(())

    @torch.no_grad()
    def update(self) -> None:
        """Update the mean with the weights of a step."""
        if not self._decay:
            return
        self.state["steps"] += 1
        steps = float(self.state["steps"])
        share = 1 - min(self._decay, steps / (steps + WARM_UP))
        means = [self.state[name] for name in self._learned]
        torch._foreach_lerp_(means, list(self._learned.values()), share)

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Give the modules the mean inside a ``with`` statement."""
        if not self._decay:
            yield
            return
        own = {name: value.detach().clone() for name, value in self._learned.items()}
        self._put(self.state)
        try:
            yield
        finally:
            self._put(own)

    @torch.no_grad()
    def _put(self, values: dict[str, Tensor]) -> None:
        for name, parameter in self._learned.items():
            parameter.copy_(values[name])

    def restore(self, state: dict[str, Tensor]) -> None:
        """Restore the state of a checkpoint."""
        for name, value in self.state.items():
            value.copy_(state[name])
