"""What a run over all of Wikipedia or a crawl of the web takes: an estimate, and a simulation that checks it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil
from statistics import median

from harness.page import table
from scale.simulation import Cluster, Outcome, Simulation, Work
from sector.scale.parts import part_size

TITLE = "Plans for large corpora"
MB, GB = 1e6, 1e9


@dataclass(frozen=True)
class Costs:
    """What one core does: measured by `scale/engines`."""

    per_mb: float
    """Processor seconds for a megabyte of text."""
    load: float
    """Seconds until a worker has its model."""
    memory: float
    """MB of a worker."""
    driver: float
    """Seconds of the driver for a part."""
    written: float
    """Bytes of results for a byte of text."""


@dataclass(frozen=True)
class Storage:
    """What an object store gives: assumed."""

    latency: float = 0.05
    """Seconds of a request."""
    requests: int = 8
    """Of a part: its attempts (read, written, removed), marker (sought, written), text (found, read) and results."""
    per_worker: float = 25 * MB
    """Bytes per second."""

    def seconds(self, read: float, written: float) -> float:
        return self.requests * self.latency + (read + written) / self.per_worker


@dataclass(frozen=True)
class Scenario:
    """A corpus, and the clusters that it is planned for."""

    name: str
    documents: int
    bytes_each: float
    machines: tuple[int, ...]
    cores: int = 16

    @property
    def size(self) -> float:
        return self.documents * self.bytes_each


SCENARIOS = (
    Scenario("English Wikipedia", 7_000_000, 4_000, (1, 4, 16)),
    Scenario("a crawl of the web", 1_000_000_000, 4_000, (16, 64, 256)),
)
PRICES = (0.012, 0.05)
"""Dollars for a core and an hour: of machines that may be taken back, and of others."""
CALM = Cluster(1, 16, boot=90.0, load=0.0)
FAULTS = {
    "none": CALM,
    "5 % of machines (at least one) take 3 times as long": replace(CALM, slow=0.05),
    "a machine in ten (at least one) lost at 50 %": replace(CALM, lost_at=(0.5,)),
    "5 % of machines lost per hour": replace(CALM, lost=0.05),
    "a worker in 100 ended per hour": replace(CALM, crashes=0.01),
    "the driver killed at 50 % and at 90 %": replace(CALM, driver_killed=(0.5, 0.9)),
    "all of these": replace(CALM, slow=0.05, lost_at=(0.5,), lost=0.05, crashes=0.01, driver_killed=(0.5, 0.9)),
}
POISONED = 0.001
"""Share of parts with a document that ends its process."""
PER_PART = 1000
"""Bytes of a part's line of the plan and of its result: all that goes through Ray."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--per-mb", type=float, default=0.82, help="processor seconds for a megabyte of text")
    parser.add_argument("--load", type=float, default=1.0, help="seconds until a worker has its model")
    parser.add_argument("--memory", type=float, default=281.0, help="MB of a worker")
    parser.add_argument("--driver", type=float, default=0.0071, help="seconds of the driver for a part")
    parser.add_argument("--written", type=float, default=1.39, help="bytes of results for a byte of text")
    parser.add_argument("--seeds", type=int, default=5, help="runs of each simulation")


def report(options: argparse.Namespace) -> Iterator[str]:
    costs = Costs(options.per_mb, options.load, options.memory, options.driver, options.written)
    yield "## Cost\n"
    yield from table(["", *(scenario.name for scenario in SCENARIOS)], _costs(costs))
    for scenario in SCENARIOS:
        yield f"\n## {scenario.name}: how many machines\n"
        yield from table(_head("cores"), _sizes(scenario, costs, options.seeds))
        yield f"\n## {scenario.name}: what faults cost, {scenario.machines[1]} machines\n"
        yield from table(_head("fault"), _faults(scenario, costs, options.seeds))
    yield "\n## What limits it\n"
    yield from table(
        ["", *(f"{each.name}, {each.machines[-1] * each.cores:,} cores" for each in SCENARIOS)], _limits(costs)
    )


def work_of(scenario: Scenario, costs: Costs, storage: Storage | None = None) -> Work:
    """Return the parts of a corpus as `sector.scale` makes them."""
    parts = ceil(scenario.size / part_size(int(scenario.size)))
    each = scenario.size / parts
    seconds = each / MB * costs.per_mb + (storage or Storage()).seconds(each, each * costs.written)
    return Work(parts, seconds, driver=costs.driver, poisoned=POISONED)


def estimate(work: Work, cluster: Cluster) -> float:
    """Return the plan's seconds: start, work by workers, and half a part until the last one is done."""
    workers = cluster.machines * cluster.cores
    return cluster.boot + cluster.load + work.parts * work.seconds / workers + work.seconds / 2


def simulated(work: Work, cluster: Cluster, seeds: int) -> list[Outcome]:
    """Return several runs, after a check that each part was done once."""
    outcomes = [Simulation(work, cluster, seed).run() for seed in range(seeds)]
    assert all(outcome.exactly_once(work.parts) for outcome in outcomes)
    return sorted(outcomes, key=lambda outcome: outcome.seconds)


def _costs(costs: Costs) -> Iterator[list[str]]:
    works = [work_of(scenario, costs) for scenario in SCENARIOS]
    hours = [work.parts * work.seconds / 3600 for work in works]
    yield ["documents", *(f"{each.documents:,}" for each in SCENARIOS)]
    yield ["text, GB", *(f"{each.size / GB:,.0f}" for each in SCENARIOS)]
    yield ["results as JSON Lines, GB", *(f"{each.size * costs.written / GB:,.0f}" for each in SCENARIOS)]
    yield ["parts", *(f"{work.parts:,}" for work in works)]
    yield ["seconds of a part", *(f"{work.seconds:.1f}" for work in works)]
    yield ["core-hours", *(f"{each:,.0f}" for each in hours)]
    millions = [each.documents / 1e6 for each in SCENARIOS]
    yield ["core-hours per million documents", *(f"{h / m:.2f}" for h, m in zip(hours, millions, strict=True))]
    per_million = [f"{_dollars(h / m)}" for h, m in zip(hours, millions, strict=True)]
    yield ["price per million documents", *per_million]
    yield ["price", *map(_dollars, hours)]


def _head(first: str) -> list[str]:
    return [
        first,
        "planned, h",
        "simulated, h",
        "longest, h",
        "simulated ÷ planned",
        "cores at work",
        "lost work",
        "price",
    ]


def _sizes(scenario: Scenario, costs: Costs, seeds: int) -> Iterator[list[str]]:
    for machines in scenario.machines:
        cluster = replace(FAULTS["all of these"], machines=machines, cores=scenario.cores, load=costs.load)
        yield [f"{machines * scenario.cores:,}", *_figures(work_of(scenario, costs), cluster, seeds)]


def _faults(scenario: Scenario, costs: Costs, seeds: int) -> Iterator[list[str]]:
    for name, faults in FAULTS.items():
        cluster = replace(faults, machines=scenario.machines[1], cores=scenario.cores, load=costs.load)
        yield [name, *_figures(work_of(scenario, costs), cluster, seeds)]


def _figures(work: Work, cluster: Cluster, seeds: int) -> list[str]:
    planned, outcomes = estimate(work, cluster), simulated(work, cluster, seeds)
    seconds = median(outcome.seconds for outcome in outcomes)
    cores = cluster.machines * cluster.cores
    busy = median(outcome.useful / (outcome.seconds * cores) for outcome in outcomes)
    lost = median(outcome.wasted / outcome.useful for outcome in outcomes)
    hours = [f"{each / 3600:,.2f}" for each in (planned, seconds, outcomes[-1].seconds)]
    shares = [f"{seconds / planned:.2f}", f"{busy:.0%}", f"{lost:.1%}"]
    return [*hours, *shares, _dollars(seconds * cores / 3600)]


def _limits(costs: Costs) -> Iterator[list[str]]:
    storage = Storage()
    works = [(work_of(each, costs), each, each.machines[-1] * each.cores) for each in SCENARIOS]
    read = [each.size / work.parts / work.seconds * cores / MB for work, each, cores in works]
    yield ["text read, MB/s", *(f"{rate:,.0f}" for rate in read)]
    yield ["results written, MB/s", *(f"{rate * costs.written:,.0f}" for rate in read)]
    yield ["requests to the storage per second", *(f"{storage.requests * c / w.seconds:,.0f}" for w, _, c in works)]
    yield ["time that workers wait for the storage", *(f"{_waiting(w, e, costs):.1%}" for w, e, _ in works)]
    yield ["driver at work", *(f"{costs.driver * cores / work.seconds:.0%}" for work, _, cores in works)]
    yield ["loading models, of the time of workers", *(f"{_loading(w, c, costs):.2%}" for w, _, c in works)]
    yield ["memory of a machine for workers, GB", *(f"{each.cores * costs.memory / 1000:.1f}" for _, each, _ in works)]
    yield [
        "object store of Ray, MB",
        *(f"{w.parts * PER_PART / MB:,.1f}" for w, _, _ in works),
    ]


def _waiting(work: Work, scenario: Scenario, costs: Costs) -> float:
    each = scenario.size / work.parts
    return Storage().seconds(each, each * costs.written) / work.seconds


def _loading(work: Work, cores: int, costs: Costs) -> float:
    return costs.load * cores / (costs.load * cores + work.parts * work.seconds)


def _dollars(core_hours: float) -> str:
    low, high = (core_hours * price for price in PRICES)
    return f"${low:,.2f}–{high:,.2f}" if high < 100 else f"${low:,.0f}–{high:,.0f}"
