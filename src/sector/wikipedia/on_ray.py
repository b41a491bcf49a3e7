"""Pieces of a dump on a Ray cluster: each worker reads its pieces from the dump, which all machines see."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sector.compression import is_packed
from sector.errors import ConfigError
from sector.scale.on_ray import RayParts, RayWorker
from sector.wikipedia.convert import Converter
from sector.wikipedia.dump import DumpFile, Piece


@dataclass(frozen=True)
class PieceJob:
    """What each worker needs."""

    paths: tuple[Path, ...]
    converter: Converter


class RayPieceWorker(RayWorker):
    """Reads and converts pieces."""

    def begin(self, job: PieceJob) -> None:
        """Keep the job."""
        self._job = job

    def work(self, item: str) -> str:
        """Convert a piece, and return its line."""
        given = json.loads(item)
        with self._job.paths[given["file"]].open("rb") as raw:
            raw.seek(given["begin"])
            data = raw.read(given["end"] - given["begin"])
        self._job.converter.convert(Piece(**given, data=data))
        return item


def convert_on_ray(
    files: Iterable[DumpFile], pieces: Iterable[Piece], converter: Converter, engine: RayParts
) -> Iterator[Piece]:
    """Convert the pieces and yield each one when it is done, in any order.

    Raises ConfigError for a dump that is packed as one stream.
    """
    files = list(files)
    for file in files:
        _check(file)
    items = [_line(piece) for piece in pieces]
    if items:
        job = PieceJob(tuple(file.path.resolve() for file in files), converter)
        for item in engine.map(RayPieceWorker, job, items):
            yield Piece(**json.loads(item), data=b"")


def _line(piece: Piece) -> str:
    """Return where a piece is, without what it is."""
    names = ("file", "begin", "end", "is_packed", "read")
    return json.dumps({name: getattr(piece, name) for name in names})


def _check(file: DumpFile) -> None:
    if file.is_multistream:
        return
    with file.path.open("rb") as raw:
        if is_packed(raw):
            raise ConfigError(
                f"{file.path} is packed as one stream, which one process alone can read; take the multistream file of "
                "the dump, unpack it, or leave out --engine ray."
            )
