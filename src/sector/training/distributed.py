"""Training on several devices: the processes that ``torchrun`` starts share every batch and keep the same weights.

A batch is the same set of documents however many processes there are, so that a run gives the same weights on one
device and on eight, but for the order of additions and the units that dropout picks. Gradients are averaged by torch's
DistributedDataParallel.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor, distributed, nn
from torch.nn.parallel import DistributedDataParallel

from sector.errors import ConfigError
from sector.training.batches import Batch, lay_out


class Losing(Protocol):
    """What knows the loss of a batch."""

    def loss(self, batch: Any, progress: float, /) -> Tensor:
        """Return a scalar that is a sum over the batch's documents."""
        ...


@contextmanager
def joined() -> Iterator[None]:
    """Take part in the run that ``torchrun`` started; a process that was started without it is alone."""
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        yield
        return
    distributed.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    try:
        yield
    finally:
        distributed.destroy_process_group()


def leads() -> bool:
    """Whether this process writes files and speaks to the user: one of a run does."""
    return not distributed.is_initialized() or distributed.get_rank() == 0


def own_device(name: str) -> str:
    """Return the device of this process: where several share a machine, each has a GPU of its own."""
    number = os.environ.get("LOCAL_RANK")
    if number is None or not distributed.is_initialized() or name not in ("auto", "cuda"):
        return name
    if not torch.cuda.is_available():
        return name
    if int(number) >= torch.cuda.device_count():
        count = torch.cuda.device_count()
        raise ConfigError(f"This machine has {count} GPUs; start at most as many processes (--nproc_per_node {count}).")
    torch.cuda.set_device(int(number))
    return f"cuda:{number}"


class Parallel:
    """The part that this process has in each step; alone, all of it."""

    def __init__(self, modules: nn.Module, learners: Sequence[Losing]) -> None:
        """Broadcast the weights of the first process to all."""
        self._numbers = {id(learner): number for number, learner in enumerate(learners)}
        self._step = _Step(modules, learners)
        self.rank, self.size, self._shared = 0, 1, None
        if distributed.is_initialized():
            self.rank, self.size = distributed.get_rank(), distributed.get_world_size()
            # A step trains one task of several, and an encoder may have layers that nothing is read from.
            self._shared = DistributedDataParallel(self._step, find_unused_parameters=True, broadcast_buffers=False)

    def loss(self, learner: Losing, batch: Any, progress: float) -> Tensor:
        """Return what to go back from: the mean over the processes is the loss of the whole batch."""
        number = self._numbers[id(learner)]
        if self._shared is None:
            return self._step(number, batch, progress)  # type: ignore[no-any-return]
        part, weight = part_of(batch, self.rank, self.size)
        return self._shared(number, part, progress) * (weight * self.size)  # type: ignore[no-any-return]

    def begin_epoch(self, seed: int, epoch: int) -> None:
        """Let each process drop other units; the epoch alone decides which, so that no state needs saving."""
        if self._shared is not None:
            torch.manual_seed(int(np.random.SeedSequence([seed, epoch, self.rank]).generate_state(1)[0]))

    def mean(self, value: Tensor) -> float:
        """Return the mean over the processes."""
        if self._shared is not None:
            value = value.clone()
            distributed.all_reduce(value)
            value /= self.size
        return float(value)

    def agreed(self, figures: Mapping[str, float]) -> dict[str, float]:
        """Return what the first process found, so that all stop after the same epoch."""
        found: list[Any] = [dict(figures)]
        if self._shared is not None:
            distributed.broadcast_object_list(found)
        return dict(found[0])

    def check_epoch(self, epoch: int) -> None:
        """Raise ConfigError where not all processes go on from the same checkpoint."""
        if self._shared is None:
            return
        epochs: list[Any] = [None] * self.size
        distributed.all_gather_object(epochs, epoch)
        if len(set(epochs)) > 1:
            raise ConfigError(
                f"The processes would begin at different epochs ({', '.join(map(str, epochs))}): --output must be a "
                "folder that all machines share."
            )


class _Step(nn.Module):
    """One loss as one module, which is what torch wraps."""

    def __init__(self, modules: nn.Module, learners: Sequence[Losing]) -> None:
        super().__init__()
        self.trained, self._learners = modules, list(learners)

    def forward(self, number: int, batch: Any, progress: float) -> Tensor:
        """Return the loss that one learner finds."""
        return self._learners[number].loss(batch, progress)


def part_of(batch: Any, rank: int, size: int) -> tuple[Any, float]:
    """Return the documents of a batch that one of ``size`` processes reads, and their weight.

    Every ``size``-th document, so that all have about as much to do: a batch is sorted by length. A process that would
    have none reads the first with weight 0, for all must take part. Raises ConfigError for batches of other kinds.
    """
    if not isinstance(batch, Batch):
        raise ConfigError("This task can be trained by one process only; start it without torchrun.")
    lengths = np.bincount(batch.layout[2] % batch.documents, minlength=batch.documents)
    begins = batch.sentences[np.cumsum(lengths) - lengths]
    chosen = slice(rank, None, size) if rank < batch.documents else slice(0, 1)
    return lay_out(begins[chosen], lengths[chosen]), float(rank < batch.documents)
