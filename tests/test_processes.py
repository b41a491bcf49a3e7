"""Worker processes: order, bounded reading ahead, workers that fail or are ended."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from sector.errors import SectorError
from sector.processes import WorkerPool

_offset = 0


def begin(offset: int) -> None:
    global _offset
    _offset = offset


def add(number: int) -> int:
    return number + _offset


def end(number: int) -> int:
    os.kill(os.getpid(), 9)
    return number


def refuse(number: int) -> int:
    raise ValueError(f"not {number}")


def test_items_come_in_order_and_few_are_taken_ahead() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in range(20):
            taken.append(number)
            yield number

    found = []
    with WorkerPool(2, begin, (100,)) as pool:
        for item, answer in pool.map(add, items(), ahead=2):
            assert len(taken) <= item + 4
            found.append(answer)
    assert found == list(range(100, 120))


def test_errors_of_the_work_are_raised_here() -> None:
    with pytest.raises(ValueError, match="not 1"), WorkerPool(2, begin, (0,)) as pool:
        list(pool.map(refuse, [1, 2, 3]))


def test_a_worker_that_was_ended_is_said_to_be() -> None:
    with pytest.raises(SectorError, match="fewer --workers"), WorkerPool(1, begin, (0,)) as pool:
        list(pool.map(end, [1]))
