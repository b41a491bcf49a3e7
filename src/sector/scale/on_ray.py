"""Parts on Ray Data: a pool of actors, each with the model loaded once, on one machine or a cluster.

What travels through Ray is the names of parts and what was counted. Documents go from the storage to the worker that
reads them, and sections back to the storage, so that the object store is never a bottleneck.
"""

from __future__ import annotations

import logging
import os
import socket
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from sector.blas import use_one_thread
from sector.devices import CORES, DEVICE
from sector.errors import ConfigError, MissingExtraError, SectorError
from sector.scale.engines import check_shared
from sector.scale.parts import CorpusPart
from sector.scale.totals import PartResult
from sector.scale.worker import PartJob, PartWorker

ANSWERS = 10
"""Seconds in which a cluster accepts a connection."""


@dataclass(frozen=True, slots=True)
class RayParts:
    """Actors of Ray Data. The pool grows up to ``workers`` as the cluster has room."""

    workers: int | None = None
    """None: one for each CPU of the cluster."""
    address: str | None = None
    """Of a cluster, e.g. ``auto`` or ``ray://host:10001``; None: the one in use, that of RAY_ADDRESS, or a new one."""
    cpus: float = 1.0
    """That each worker takes."""
    gpus: float = 0.0
    """That each worker reserves, e.g. 0.25; it computes there if its onnxruntime can."""

    def __post_init__(self) -> None:
        """Raise MissingExtraError before anything is begun."""
        if find_spec("ray") is None:
            raise MissingExtraError("ray[data]", "ray")

    def run(self, job: PartJob, parts: Sequence[CorpusPart]) -> Iterator[PartResult]:
        """Return the result of each part; parts of workers and machines that are lost are done again."""
        check_shared(job, parts)
        yield from map(PartResult.from_json, self.map(RayPartWorker, job, [part.to_json() for part in parts]))

    def map(self, worker: type[RayWorker], job: Any, items: Sequence[str]) -> Iterator[str]:
        """Return what workers make of items, in any order; those of workers and machines that are lost are done again.

        Args:
            worker: each actor makes one with the job.
            job: what all workers need.
            items: a line each.
        """
        data = _ray_data()
        with _connected(self.address, self.workers) as ray, _quiet(data):
            rows = data.from_items([{"item": item} for item in items], override_num_blocks=len(items))
            found = rows.map_batches(
                worker,
                fn_constructor_args=(job, self._environment),
                batch_size=1,
                compute=self._pool(ray, data, len(items)),
                num_cpus=self.cpus,
                num_gpus=self.gpus or None,
                udf_modifying_row_count=False,
            )
            try:
                for batch in found.iter_batches(batch_size=None, batch_format="numpy", prefetch_batches=0):
                    yield from batch["result"]
            except ray.exceptions.RayError as error:
                raise SectorError(f"{_said(error)} The same command goes on where this one stopped.") from error

    @property
    def _environment(self) -> dict[str, str]:
        """What workers compute on: as many cores as they reserve, and a GPU if they reserve a part of one."""
        return {CORES: str(max(1, int(self.cpus)))} | ({DEVICE: "cuda"} if self.gpus else {})

    def _pool(self, ray: Any, data: Any, parts: int) -> Any:
        there = max(1, int(ray.cluster_resources().get("CPU", 1) // self.cpus))
        most = min(self.workers or there, parts)
        return data.ActorPoolStrategy(min_size=min(there, most), max_size=most, max_tasks_in_flight_per_actor=1)


class RayWorker(ABC):
    """A class whose instances Ray keeps."""

    def __init__(self, job: Any, environment: Mapping[str, str]) -> None:
        os.environ.update(environment)
        use_one_thread()
        self.begin(job)

    @abstractmethod
    def begin(self, job: Any) -> None:
        """Load what the job needs."""

    @abstractmethod
    def work(self, item: str) -> str:
        """Return what is made of an item, in a line."""

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        """Return the results of a batch of items."""
        return {"result": [self.work(item) for item in batch["item"]]}


class RayPartWorker(RayWorker):
    """Works on parts of a corpus."""

    def begin(self, job: PartJob) -> None:
        """Load the model."""
        self._work = PartWorker(job)

    def work(self, item: str) -> str:
        """Return the result of a part."""
        return self._work(CorpusPart.from_json(item)).to_json().decode()


def _ray_data() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is sent anywhere
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    logging.getLogger("ray").setLevel(logging.ERROR)
    try:
        import ray.data
    except ImportError as error:
        raise MissingExtraError("ray[data]", "ray") from error
    return ray.data


@contextmanager
def _connected(address: str | None, workers: int | None) -> Iterator[Any]:
    """Use a cluster, or start one of this machine and stop it at the end."""
    import ray

    if ray.is_initialized():
        yield ray
        return
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    try:
        _check_answers(address or os.environ.get("RAY_ADDRESS", ""))
        with _no_greeting():
            if address or os.environ.get("RAY_ADDRESS"):
                ray.init(address=address, **quiet)
            else:
                ray.init(address="local", num_cpus=workers, include_dashboard=False, **quiet)
    except (OSError, ValueError, RuntimeError) as error:
        raise ConfigError(f"There is no Ray cluster at {address or 'RAY_ADDRESS'} ({error}).") from error
    try:
        yield ray
    finally:
        ray.shutdown()


def _check_answers(address: str) -> None:
    """Raise OSError where nobody listens, for which Ray would wait for minutes."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), ANSWERS).close()


@contextmanager
def _no_greeting() -> Iterator[None]:
    """Keep from the terminal that Ray has read its log level, which it says whatever the level is."""
    kept, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)


@contextmanager
def _quiet(data: Any) -> Iterator[None]:
    """Leave progress and messages to us."""
    context, logger = data.DataContext.get_current(), logging.getLogger("ray.data")
    shown, level = context.enable_progress_bars, logger.level
    context.enable_progress_bars = False
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        context.enable_progress_bars = shown
        logger.setLevel(level)


def _said(error: BaseException) -> str:
    """Return the last line of what Ray says, which is the error of ours if there is one."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"Ray stopped: {lines[-1] if lines else type(error).__name__}."
