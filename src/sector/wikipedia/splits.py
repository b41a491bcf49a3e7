"""Random order and 70/10/20 splits of the documents that lie in finished pieces, without holding their texts.

A document's place in the order depends on the seed and its page number alone: neither on the order of the
dump nor on the other documents, so that a later dump gives nearly the same splits.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sector.datasets.record import Record
from sector.datasets.wikisection import document_of
from sector.document import Document
from sector.wikipedia.work import WorkFolder

SHARES = {"train": 0.7, "validation": 0.1, "test": 0.2}


@dataclass(frozen=True)
class Shuffled:
    """Where each document lies, in random order."""

    files: Sequence[Path]
    places: NDArray[np.int64]
    """[documents, 2]: file and byte."""

    def __len__(self) -> int:
        return len(self.places)

    def splits(self) -> dict[str, Shuffled]:
        """Cut the order into the three splits; the last one takes what rounding leaves."""
        edges = [round(len(self) * share) for share in np.cumsum([0, *SHARES.values()])]
        parts = zip(SHARES, edges[:-1], edges[1:], strict=True)
        return {name: Shuffled(self.files, self.places[begin:end]) for name, begin, end in parts}

    def documents(self) -> Iterator[Document]:
        """Read the documents one by one."""
        for number, (file, place) in enumerate(self.places.tolist()):
            with self.files[file].open("rb") as stream:
                stream.seek(place)
                values = json.loads(stream.readline().partition(b"\t")[2])
            yield document_of(Record(values, str(self.files[file]), number))


def shuffle(work: WorkFolder, seed: int) -> Shuffled:
    """Find the documents and put them into random order; a page that is there twice is taken once."""
    files = [path for path, _ in work.summaries()]
    pages, places = array("q"), array("q")
    for number, path in enumerate(files):
        for page, place in _lines(path):
            pages.append(page)
            places.extend((number, place))
    numbers, first = np.unique(np.frombuffer(pages, np.int64), return_index=True)
    keys = np.array([_key(seed, page) for page in numbers.tolist()], np.uint64)
    order = np.argsort(keys, kind="stable")
    return Shuffled(files, np.frombuffer(places, np.int64).reshape(-1, 2)[first[order]])


def _lines(path: Path) -> Iterator[tuple[int, int]]:
    """Return the page number and the place of each record."""
    with path.open("rb") as stream:
        place = len(stream.readline())
        for line in stream:
            yield int(line.partition(b"\t")[0]), place
            place += len(line)


def _key(seed: int, page: int) -> int:
    return int.from_bytes(hashlib.blake2b(f"{seed} {page}".encode(), digest_size=8).digest(), "big")
