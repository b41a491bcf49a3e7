"""Our search and that of ruptures on the same vectors and penalties: do they find the same partitions?"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from importlib import import_module

import numpy as np

from sector.arrays import Floats2d
from sector.baselines.splitters import vectors
from sector.document import Document
from sector.segmentation.partition import partition

PENALTY = 1.4


def report(documents: Sequence[Document]) -> Iterator[str]:
    """Compare the partitions of all documents; says nothing where ruptures or the vectors are missing."""
    try:
        rows = [vectors.embed(document.sentence_texts) for document in documents if len(document.spans) > 1]
        found, seconds = _timed(_ours, rows)
        expected, other = _timed(_theirs, rows)
    except ImportError:
        return
    same = sum(one == two for one, two in zip(found, expected, strict=True))
    yield f"\nThe search alone, penalty {PENALTY}: the partition is that of ruptures KernelCPD (linear, C) in {same} of"
    yield f"{len(rows)} documents; {seconds:.2f} s, ruptures {other:.2f} s."


def _timed(search: object, rows: Sequence[Floats2d]) -> tuple[list[list[int]], float]:
    assert callable(search)
    search(rows[0])
    start = time.perf_counter()
    found = [search(each) for each in rows]
    return found, time.perf_counter() - start


def _ours(rows: Floats2d) -> list[int]:
    begins: list[int] = partition(rows, np.full(len(rows), PENALTY)).tolist()
    return begins


def _theirs(rows: Floats2d) -> list[int]:
    detection = import_module("ruptures").KernelCPD(kernel="linear", min_size=1)
    return [0, *detection.fit(rows.astype(np.float64)).predict(pen=PENALTY)[:-1]]
