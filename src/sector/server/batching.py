"""Dynamic micro-batching: documents of concurrent requests are read together, from a queue that is bounded twice.

A thread that is free takes the request that has waited longest and all others for the same model that fit into its
batch; nothing waits for a batch to fill. The queue has a most number of documents, and no request joins it whose
estimated wait is longer than its deadline: overload is answered at once instead of by time-outs.
"""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from sector.server.errors import DeadlineError, DrainingError, OverloadedError
from sector.server.metrics import Metrics
from sector.server.settings import Settings

Item = TypeVar("Item")
Result = TypeVar("Result")
BATCH_CHARACTERS = 400_000
"""Most characters read together, unless one request alone has more: what waits behind a batch should not wait long."""
MEMORY = 0.8
"""Share of the past in the running mean of the time that a model takes per character."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds that a request waited and was read."""

    queue: float
    inference: float


@dataclass(eq=False, slots=True)
class QueuedRequest(Generic[Item, Result]):
    """The documents of one request."""

    model: str
    items: Sequence[Item]
    characters: int
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[tuple[list[Result], Timing]]
    begun: float = field(default_factory=time.perf_counter)
    abandoned: bool = False

    def settle(self, outcome: tuple[list[Result], Timing] | Exception) -> None:
        """Answer from another thread."""
        self.loop.call_soon_threadsafe(self._settle, outcome)

    def _settle(self, outcome: tuple[list[Result], Timing] | Exception) -> None:
        if self.future.done():
            return
        if isinstance(outcome, Exception):
            self.future.set_exception(outcome)
        else:
            self.future.set_result(outcome)


class Batcher(Generic[Item, Result]):
    """Threads that run ``work(model, items)`` for the documents of several requests at once."""

    def __init__(self, work: Callable[[str, list[Item]], list[Result]], settings: Settings, metrics: Metrics) -> None:
        self._work = work
        self._settings = settings
        self._metrics = metrics
        self._jobs: deque[QueuedRequest[Item, Result]] = deque()
        self._changed = threading.Condition()
        self._documents = 0
        """Of all jobs that wait or are being read."""
        self._pending: dict[str, int] = {}
        """Characters of the same, by model."""
        self._pace: dict[str, float] = {}
        """Seconds per character, by model."""
        self._closed = False
        self._threads = [
            threading.Thread(target=self._run, name=f"sector-{n}", daemon=True) for n in range(settings.threads)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def full(self) -> bool:
        """Whether a request with one document would be refused."""
        return self._documents >= self._settings.queue_documents

    async def submit(self, model: str, items: Sequence[Item], characters: int) -> tuple[list[Result], Timing]:
        """Return the results of one request.

        Raises OverloadedError, DrainingError or DeadlineError, and whatever the work raises.
        """
        loop = asyncio.get_running_loop()
        job: QueuedRequest[Item, Result] = QueuedRequest(model, items, characters, loop, loop.create_future())
        self._enqueue(job)
        try:
            return await asyncio.wait_for(job.future, self._settings.deadline)
        except TimeoutError:
            raise DeadlineError(
                f"There was no result within {self._settings.deadline:g} seconds; send less text, or try again later."
            ) from None
        finally:
            job.abandoned = True

    def close(self) -> None:
        """Accept no more requests, finish the accepted ones, and end the threads."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _enqueue(self, job: QueuedRequest[Item, Result]) -> None:
        with self._changed:
            if self._closed:
                raise DrainingError("The service is about to stop; ask another replica.")
            self._check_room(len(job.items))
            self._jobs.append(job)
            self._count(job, +1)
            self._changed.notify()

    def _check_room(self, documents: int) -> None:
        wait = sum(count * self._pace.get(model, 0.0) for model, count in self._pending.items()) / len(self._threads)
        if self._documents + documents > self._settings.queue_documents:
            raise OverloadedError(
                f"{self._documents} documents wait already, and at most {self._settings.queue_documents} may; "
                "try again later.",
                max(1, math.ceil(wait)),
            )
        if self._jobs and wait > self._settings.deadline:
            raise OverloadedError(
                f"The documents that wait take about {wait:.0f} seconds, longer than the deadline; try again later.",
                max(1, math.ceil(wait - self._settings.deadline)),
            )

    def _count(self, job: QueuedRequest[Item, Result], sign: int) -> None:
        self._documents += sign * len(job.items)
        self._pending[job.model] = self._pending.get(job.model, 0) + sign * job.characters
        self._metrics.waiting(self._documents)

    def _run(self) -> None:
        while batch := self._next():
            try:
                self._process(batch)
            finally:
                with self._changed:
                    for job in batch:
                        self._count(job, -1)

    def _next(self) -> list[QueuedRequest[Item, Result]]:
        """Wait for jobs; return those that are read together, none when it is time to end."""
        with self._changed:
            while True:
                while self._jobs and self._jobs[0].abandoned:
                    self._count(self._jobs.popleft(), -1)
                if self._jobs:
                    return self._taken(self._jobs.popleft())
                if self._closed:
                    return []
                self._changed.wait()

    def _taken(self, first: QueuedRequest[Item, Result]) -> list[QueuedRequest[Item, Result]]:
        """Take what fits beside the first job from the queue; leave the others in their order."""
        batch, documents, characters = [first], len(first.items), first.characters
        left: deque[QueuedRequest[Item, Result]] = deque()
        for job in self._jobs:
            fits = (
                job.model == first.model
                and documents + len(job.items) <= self._settings.batch_documents
                and characters + job.characters <= BATCH_CHARACTERS
            )
            if not fits or job.abandoned:
                left.append(job)
                continue
            batch.append(job)
            documents, characters = documents + len(job.items), characters + job.characters
        self._jobs = left
        return batch

    def _process(self, batch: list[QueuedRequest[Item, Result]]) -> None:
        """Run a batch; if it fails, each job alone, so that one bad document spoils nobody else's request."""
        begun = time.perf_counter()
        try:
            results = self._work(batch[0].model, [item for job in batch for item in job.items])
        except Exception as error:
            if len(batch) > 1:
                for job in batch:
                    self._process([job])
            else:
                batch[0].settle(error)
            return
        self._measure(batch, time.perf_counter() - begun)
        taken = iter(results)
        for job in batch:
            own = [next(taken) for _ in job.items]
            self._metrics.waited(begun - job.begun)
            job.settle((own, Timing(begun - job.begun, time.perf_counter() - begun)))

    def _measure(self, batch: list[QueuedRequest[Item, Result]], seconds: float) -> None:
        model, characters = batch[0].model, sum(job.characters for job in batch)
        self._metrics.read(model, sum(len(job.items) for job in batch), characters, seconds)
        pace = seconds / max(1, characters)
        self._pace[model] = MEMORY * self._pace.get(model, pace) + (1 - MEMORY) * pace
