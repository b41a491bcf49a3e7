"""The simulated cluster keeps the promises of the real one: each part once, and no more time than a plan allows."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from scale.plan import FAULTS, SCENARIOS, Costs, estimate, work_of
from scale.simulation import Cluster, Simulation, Work

WORK = Work(parts=400, seconds=10.0, driver=0.01, poisoned=0.02)
CLUSTER = Cluster(machines=4, cores=8, boot=60.0, load=3.0)
WORST = replace(CLUSTER, lost=12.0, crashes=4.0, slow=0.3, lost_at=(0.3, 0.6), driver_killed=(0.2, 0.5, 0.9))


@pytest.mark.parametrize("seed", range(10))
def test_each_part_is_done_once_whatever_happens(seed: int) -> None:
    outcome = Simulation(WORK, WORST, seed).run()
    assert outcome.exactly_once(WORK.parts)
    assert outcome.attempts > WORK.parts and outcome.wasted > 0


def test_a_seed_gives_the_same_run() -> None:
    assert Simulation(WORK, WORST, 3).run() == Simulation(WORK, WORST, 3).run()


def test_the_plan_holds_without_faults() -> None:
    calm = replace(WORK, poisoned=0.0)
    outcome = Simulation(calm, CLUSTER).run()
    assert outcome.wasted == 0 and outcome.attempts == WORK.parts
    assert outcome.seconds == pytest.approx(estimate(calm, CLUSTER), rel=0.05)


@pytest.mark.parametrize("fault", [name for name in FAULTS if name != "none"])
def test_faults_cost_time(fault: str) -> None:
    cluster = replace(FAULTS[fault], machines=4, cores=8, load=3.0)
    harder = replace(cluster, lost=cluster.lost * 100, crashes=cluster.crashes * 100, slow=min(1.0, cluster.slow * 10))
    calm = Simulation(WORK, replace(CLUSTER, boot=90.0)).run().seconds
    assert Simulation(WORK, harder).run().seconds > calm


def test_small_parts_keep_many_workers_busy() -> None:
    large, small = Work(40, 100.0), Work(400, 10.0)
    assert Simulation(small, CLUSTER).run().seconds < Simulation(large, CLUSTER).run().seconds


def test_the_parts_are_those_of_a_run() -> None:
    work = work_of(SCENARIOS[0], Costs(1.0, 3.0, 300.0, 0.01, 1.3))
    assert work.parts == 2048
