"""Pieces through worker processes: a bounded number at once, so that memory has a bound whatever the dump's length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sector.processes import WorkerPool
from sector.wikipedia.convert import Converter
from sector.wikipedia.dump import Piece

_converter: Converter | None = None
"""What this worker process converts with."""


def convert_all(pieces: Iterable[Piece], converter: Converter, workers: int) -> Iterator[Piece]:
    """Convert the pieces and yield each one, in order, when it is done."""
    if workers == 1:
        for piece in pieces:
            converter.convert(piece)
            yield piece
        return
    with WorkerPool(workers, _begin, (converter,)) as pool:
        yield from (piece for piece, _ in pool.map(_convert, pieces))


def _begin(converter: Converter) -> None:
    global _converter
    _converter = converter


def _convert(piece: Piece) -> None:
    assert _converter is not None
    _converter.convert(piece)
