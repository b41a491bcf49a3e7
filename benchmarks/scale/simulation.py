"""A run over a corpus on a cluster, event by event: parts, workers, slow machines, lost ones, a driver that is killed.

Workers do what `sector.scale` does: each takes the largest part that is left, reads it, segments it, writes it and
marks it. A part whose worker is lost before the mark goes back and is done again. Nothing is started twice.
"""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial


@dataclass(frozen=True)
class Work:
    """A corpus in parts, and what each costs."""

    parts: int
    seconds: float
    """Of one worker for a part: read, segment, write, mark."""
    spread: float = 0.1
    """Of these seconds: standard deviation by mean."""
    driver: float = 0.0
    """Seconds of the driver for a part; it does one after the other."""
    poisoned: float = 0.0
    """Share of parts with a document that ends its process."""


@dataclass(frozen=True)
class Cluster:
    """Machines, and what happens to them."""

    machines: int
    cores: int
    boot: float
    """Seconds until a machine is there."""
    load: float
    """Seconds until a worker has its model."""
    lost: float = 0.0
    """Machines lost, per machine and hour."""
    crashes: float = 0.0
    """Workers ended, per worker and hour."""
    slow: float = 0.0
    """Share of machines that are slow; of several, one at least."""
    slowness: float = 3.0
    """How many times as long these take."""
    lost_at: tuple[float, ...] = ()
    """When one machine in ten, at least one, is lost: shares of the time that the work would take without faults."""
    driver_killed: tuple[float, ...] = ()
    """When the driver is killed, as shares of the time that the work would take without faults."""


@dataclass
class Outcome:
    """What a run took."""

    seconds: float = 0.0
    wasted: float = 0.0
    """Seconds of workers for attempts that were lost."""
    useful: float = 0.0
    attempts: int = 0
    finished: Counter[int] = field(default_factory=Counter)
    """How often each part was marked."""

    def exactly_once(self, parts: int) -> bool:
        """Say whether each part was marked, and none of them twice."""
        return len(self.finished) == parts and set(self.finished.values()) == {1}


@dataclass(eq=False)
class Worker:
    """One process of a machine; ``life`` counts its restarts, so that events of an earlier one mean nothing."""

    machine: int
    life: int = 0
    part: int | None = None
    begun: float = 0.0
    is_waiting: bool = False


CAREFUL = 1.5
"""How many times as long a part takes whose documents are read in a process each."""
RESTART = 30.0
"""Seconds until a killed driver is there again."""


class Simulation:
    """One run; the same seed gives the same one."""

    def __init__(self, work: Work, cluster: Cluster, seed: int = 0) -> None:
        self._work, self._cluster, self._random = work, cluster, random.Random(seed)
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._now, self._number, self._driver_free = 0.0, 0, 0.0
        chosen = self._random
        spread = max(work.spread, 1e-9)
        sizes = (chosen.gammavariate(1 / spread**2, work.seconds * spread**2) for _ in range(work.parts))
        self._seconds = sorted(sizes, reverse=True)
        self._tried = [0] * work.parts
        self._poisoned = {part for part in range(work.parts) if chosen.random() < work.poisoned}
        self._waiting = list(range(work.parts - 1, -1, -1))
        """Parts that nobody works on; the next one is the last."""
        self._workers = [Worker(machine) for machine in range(cluster.machines) for _ in range(cluster.cores)]
        slow = self._some_machines(cluster.slow) if cluster.slow else []
        self._speed = [1 / cluster.slowness if machine in slow else 1.0 for machine in range(cluster.machines)]
        self._there = [cluster.boot] * cluster.machines
        """When each machine is there."""
        self._begun = [0] * cluster.machines
        """How often its workers were to begin; the last time counts."""
        self._idle: list[Worker] = []
        self.outcome = Outcome()

    def run(self) -> Outcome:
        """Return what the run took."""
        cluster, work = self._cluster, self._work
        for machine in range(cluster.machines):
            self._begin_machine(machine, cluster.boot)
            self._later(cluster.lost, partial(self._lose, machine))
        ideal = sum(self._seconds) / len(self._workers)
        begun = cluster.boot + cluster.load
        for share in cluster.lost_at:
            for machine in self._some_machines(0.1):
                self._after(begun + share * ideal, partial(self._lose, machine))
        for share in cluster.driver_killed:
            self._after(begun + share * ideal, self._kill_driver)
        while len(self.outcome.finished) < work.parts:
            self._now, _, act = heapq.heappop(self._events)
            act()
        self.outcome.seconds = self._now
        return self.outcome

    def _after(self, seconds: float, act: Callable[[], None]) -> None:
        self._number += 1
        heapq.heappush(self._events, (self._now + seconds, self._number, act))

    def _later(self, per_hour: float, act: Callable[[], None]) -> None:
        """Let something happen that happens so often on average."""
        if per_hour:
            self._after(self._random.expovariate(per_hour / 3600), act)

    def _some_machines(self, share: float) -> list[int]:
        """Return a share of the machines, at least one of several."""
        count = self._cluster.machines
        return self._random.sample(range(count), max(count > 1, round(share * count)))

    def _machine_speed(self) -> float:
        return 1 / self._cluster.slowness if self._random.random() < self._cluster.slow else 1.0

    def _of(self, machine: int) -> list[Worker]:
        cores = self._cluster.cores
        return self._workers[machine * cores : (machine + 1) * cores]

    def _begin_machine(self, machine: int, at: float) -> None:
        """Start the workers of a machine at a time, unless they are to begin at another by then."""
        self._there[machine] = at
        self._begun[machine] += 1
        self._after(at - self._now, partial(self._machine_up, machine, self._begun[machine]))

    def _machine_up(self, machine: int, begun: int) -> None:
        if self._begun[machine] == begun:
            for worker in self._of(machine):
                self._start(worker)

    def _start(self, worker: Worker) -> None:
        """Load the model, then work."""
        self._after(self._cluster.load, partial(self._ready, worker, worker.life))
        self._later(self._cluster.crashes, partial(self._crash, worker, worker.life))

    def _ready(self, worker: Worker, life: int) -> None:
        if worker.life != life:
            return
        if not self._waiting:
            worker.is_waiting = True
            self._idle.append(worker)
            return
        part = self._waiting.pop()
        self._driver_free = max(self._driver_free, self._now) + self._work.driver
        self._tried[part] += 1
        self.outcome.attempts += 1
        worker.part, worker.begun = part, self._driver_free
        took = self._seconds[part] / self._speed[worker.machine]
        act = partial(self._finish, worker, life)
        if part in self._poisoned and self._tried[part] <= 2:
            took, act = took * self._random.random(), partial(self._crash, worker, life)
        elif part in self._poisoned:
            took *= CAREFUL
        self._after(self._driver_free - self._now + took, act)

    def _finish(self, worker: Worker, life: int) -> None:
        if worker.life != life or worker.part is None:
            return
        self.outcome.finished[worker.part] += 1
        self.outcome.useful += self._now - worker.begun
        worker.part = None
        self._ready(worker, life)

    def _end(self, worker: Worker) -> None:
        """End a worker; what it was doing goes back."""
        worker.life += 1
        if worker.is_waiting:
            self._idle.remove(worker)
            worker.is_waiting = False
        if worker.part is not None:
            self.outcome.wasted += max(0.0, self._now - worker.begun)
            self._waiting.append(worker.part)
            worker.part = None

    def _wake(self) -> None:
        while self._idle and self._waiting:
            worker = self._idle.pop()
            worker.is_waiting = False
            self._ready(worker, worker.life)

    def _crash(self, worker: Worker, life: int) -> None:
        if worker.life != life:
            return
        self._end(worker)
        self._start(worker)
        self._wake()

    def _lose(self, machine: int) -> None:
        """Lose a machine; another takes its place."""
        for worker in self._of(machine):
            self._end(worker)
        self._speed[machine] = self._machine_speed()
        self._begin_machine(machine, self._now + self._cluster.boot)
        self._later(self._cluster.lost, partial(self._lose, machine))
        self._wake()

    def _kill_driver(self) -> None:
        """End all workers; the same command begins them again on machines that are there."""
        for worker in self._workers:
            self._end(worker)
        self._idle.clear()
        for machine in range(self._cluster.machines):
            self._begin_machine(machine, max(self._now + RESTART, self._there[machine]))
