"""The queue: batches of concurrent requests, full queues, deadlines, failures and draining."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from service import settings

from sector.server.batching import Batcher
from sector.server.errors import DeadlineError, DrainingError, OverloadedError
from sector.server.metrics import Metrics


class Work:
    """Doubles numbers once it is let go; keeps the batches."""

    def __init__(self) -> None:
        self.go, self.begun = threading.Event(), threading.Event()
        self.batches: list[list[int]] = []

    def __call__(self, model: str, items: list[int]) -> list[int]:
        self.begun.set()
        self.go.wait(10)
        self.batches.append(items)
        if 13 in items:
            raise ValueError("thirteen")
        return [2 * item for item in items]


@pytest.fixture
def work() -> Iterator[Work]:
    work = Work()
    yield work
    work.go.set()


def made(work: Work, **others: Any) -> Batcher[int, int]:
    return Batcher(work, settings(Path("tiny"), threads=1, **others), Metrics())


async def start(batcher: Batcher[int, int], work: Work, item: int = 1) -> asyncio.Task[Any]:
    """Let one request occupy the only thread."""
    task = asyncio.create_task(batcher.submit("m", [item], 1))
    await asyncio.to_thread(work.begun.wait, 10)
    return task


async def settled(tasks: list[asyncio.Task[Any]]) -> list[Any]:
    found = await asyncio.gather(*tasks, return_exceptions=True)
    return [entry if isinstance(entry, BaseException) else entry[0] for entry in found]


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    asyncio.run(coroutine)


def test_requests_that_wait_are_read_together(work: Work) -> None:
    async def scene() -> None:
        batcher = made(work)
        first = await start(batcher, work)
        others = [asyncio.create_task(batcher.submit("m", [n, n + 1], 2)) for n in (2, 4)]
        other_model = asyncio.create_task(batcher.submit("n", [7], 1))
        await asyncio.sleep(0.05)
        work.go.set()
        assert await settled([first, *others, other_model]) == [[2], [4, 6], [8, 10], [14]]
        assert work.batches == [[1], [2, 3, 4, 5], [7]]
        batcher.close()

    run(scene())


def test_a_batch_has_a_most_number_of_documents(work: Work) -> None:
    async def scene() -> None:
        batcher = made(work, batch_documents=2)
        tasks = [await start(batcher, work)]
        tasks += [asyncio.create_task(batcher.submit("m", [n], 1)) for n in (2, 3, 4)]
        await asyncio.sleep(0.05)
        work.go.set()
        await settled(tasks)
        assert work.batches == [[1], [2, 3], [4]]
        batcher.close()

    run(scene())


def test_a_full_queue_refuses(work: Work) -> None:
    async def scene() -> None:
        batcher = made(work)
        tasks = [await start(batcher, work)]
        tasks += [asyncio.create_task(batcher.submit("m", [n], 1)) for n in range(7)]
        await asyncio.sleep(0.05)
        assert batcher.full
        with pytest.raises(OverloadedError) as refused:
            await batcher.submit("m", [9], 1)
        assert refused.value.retry_after >= 1
        work.go.set()
        assert (await settled(tasks))[1:] == [[2 * n] for n in range(7)]
        assert (await batcher.submit("m", [9], 1))[0] == [18]
        batcher.close()

    run(scene())


def test_a_queue_that_takes_longer_than_the_deadline_refuses(work: Work) -> None:
    async def scene() -> None:
        batcher = made(work, deadline=20.0)
        work.go.set()
        await batcher.submit("m", [1], 1)
        batcher._pace["m"] = 0.1  # seconds per character, as if it had been measured
        work.go.clear()
        work.begun.clear()
        tasks = [await start(batcher, work)]
        tasks += [asyncio.create_task(batcher.submit("m", [n], 150)) for n in (2, 3)]
        await asyncio.sleep(0.05)
        with pytest.raises(OverloadedError, match="deadline"):
            await batcher.submit("m", [4], 1)
        work.go.set()
        await settled(tasks)
        batcher.close()

    run(scene())


def test_no_result_before_the_deadline(work: Work) -> None:
    async def scene() -> None:
        batcher = made(work, deadline=0.1)
        first = await start(batcher, work)
        waiting = asyncio.create_task(batcher.submit("m", [2], 1))
        assert [type(entry) for entry in await settled([first, waiting])] == [DeadlineError, DeadlineError]
        work.go.set()
        await asyncio.to_thread(batcher.close)
        assert work.batches == [[1]]  # nobody waits for the second one any more

    run(scene())


def test_a_failure_spoils_no_other_request(work: Work) -> None:
    async def scene() -> None:
        batcher = made(work)
        tasks = [await start(batcher, work)]
        tasks += [asyncio.create_task(batcher.submit("m", [n], 1)) for n in (2, 13, 4)]
        await asyncio.sleep(0.05)
        work.go.set()
        found = await settled(tasks)
        assert found[:2] + found[3:] == [[2], [4], [8]]
        assert isinstance(found[2], ValueError)
        batcher.close()

    run(scene())


def test_draining_finishes_what_was_accepted(work: Work) -> None:
    async def scene() -> None:
        batcher = made(work)
        tasks = [await start(batcher, work), asyncio.create_task(batcher.submit("m", [2], 1))]
        await asyncio.sleep(0.05)
        closing = asyncio.create_task(asyncio.to_thread(batcher.close))
        await asyncio.sleep(0.05)
        with pytest.raises(DrainingError):
            await batcher.submit("m", [3], 1)
        work.go.set()
        await closing
        assert await settled(tasks) == [[2], [4]]

    run(scene())
