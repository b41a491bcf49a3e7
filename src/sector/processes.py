"""Worker processes: work in order, a bounded number of pieces at once, and no worker outlives the main process."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, as_completed, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import connection, get_context, parent_process
from typing import Any, Self, TypeVar

from sector.blas import use_one_thread
from sector.devices import CORES, own_cores
from sector.errors import SectorError

Item = TypeVar("Item")
Found = TypeVar("Found")


class WorkerPool:
    """Processes that call one function on many items; to be used in a ``with`` statement.

    ``begin`` is called with ``arguments`` in each new process, e.g. to load a model once. When the statement is left by
    an error or an interruption, or when the main process is killed, the workers end at once.
    """

    def __init__(self, workers: int, begin: Callable[..., None], arguments: tuple[Any, ...]) -> None:
        self._workers = workers
        # A worker sees the end of this pipe when it is closed here, or when this process is gone.
        self._ended, self._open = get_context("spawn").Pipe(duplex=False)
        share = max(1, own_cores() // workers)
        self._pool = ProcessPoolExecutor(
            workers, get_context("spawn"), initializer=_begin, initargs=(self._ended, share, begin, arguments)
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        if failed:
            self._open.close()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._open.close()
        self._ended.close()

    def map(self, work: Callable[[Item], Found], items: Iterable[Item], ahead: int = 2) -> Iterator[tuple[Item, Found]]:
        """Return each item with what ``work`` made of it, in order.

        At most ``ahead`` items per worker wait, so that none is idle and memory has a bound. Raises SectorError where a
        worker was ended from outside.
        """
        waiting: deque[tuple[Item, Future[Found]]] = deque()
        with _break_explained():
            for item in items:
                waiting.append((item, self._pool.submit(work, item)))
                if len(waiting) >= ahead * self._workers:
                    yield _first(waiting)
            while waiting:
                yield _first(waiting)

    def unordered(self, work: Callable[[Item], Found], items: Iterable[Item]) -> Iterator[Found]:
        """Return what ``work`` made of each item, as soon as it is there: a long one holds none of the others up.

        Raises SectorError where a worker was ended from outside.
        """
        waiting: set[Future[Found]] = set()
        with _break_explained():
            for item in items:
                waiting.add(self._pool.submit(work, item))
                if len(waiting) > self._workers:
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    yield from (future.result() for future in done)
            yield from (future.result() for future in as_completed(waiting))


def _first(waiting: deque[tuple[Item, Future[Found]]]) -> tuple[Item, Found]:
    item, future = waiting.popleft()
    return item, future.result()


@contextmanager
def _break_explained() -> Iterator[None]:
    try:
        yield
    except BrokenProcessPool as error:
        message = "A worker process was ended, perhaps because memory ran out"
        raise SectorError(f"{message}. Run the same command again to go on, with fewer --workers.") from error


def _begin(ended: Any, cores: int, begin: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    """Prepare a worker: it has its share of the cores; interruptions are the main process's to handle, and its end is
    the worker's.
    """
    os.environ[CORES] = str(cores)
    use_one_thread()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_main, args=(ended,), daemon=True).start()
    begin(*arguments)


def _end_with_main(ended: Any) -> None:
    main = parent_process()
    connection.wait([ended, *([main.sentinel] if main else [])])
    os._exit(1)
