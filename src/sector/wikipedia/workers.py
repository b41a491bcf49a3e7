"""Pieces through worker processes: a bounded number at once, so that memory has a bound whatever the dump's length."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from sector.errors import SectorError
from sector.wikipedia.convert import Converter
from sector.wikipedia.dump import Piece

_converter: Converter | None = None
"""What this worker process converts with."""


def convert_all(pieces: Iterable[Piece], converter: Converter, workers: int) -> Iterator[Piece]:
    """Convert the pieces and give each one, in order, when it is done."""
    if workers == 1:
        for piece in pieces:
            converter.convert(piece)
            yield piece
        return
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin, (converter,))
    try:
        yield from _through(pool, pieces, workers + 2)
    except BrokenProcessPool as error:
        message = "A worker process ended without reason; memory may have run out"
        raise SectorError(f"{message}. Run the same command again to go on, perhaps with --workers 1.") from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _through(pool: ProcessPoolExecutor, pieces: Iterable[Piece], most: int) -> Iterator[Piece]:
    waiting: deque[tuple[Piece, Future[None]]] = deque()
    for piece in pieces:
        waiting.append((piece, pool.submit(_convert, piece)))
        if len(waiting) >= most:
            yield _first(waiting)
    while waiting:
        yield _first(waiting)


def _first(waiting: deque[tuple[Piece, Future[None]]]) -> Piece:
    piece, future = waiting.popleft()
    future.result()
    return piece


def _begin(converter: Converter) -> None:
    """Prepare a worker; an interruption is for the main process, which lets workers finish their piece."""
    global _converter
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _converter = converter


def _convert(piece: Piece) -> None:
    assert _converter is not None
    _converter.convert(piece)
