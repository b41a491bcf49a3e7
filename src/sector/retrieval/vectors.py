"""Vectors of chunks in memory, and the nearest of them: exact, by one product of matrices."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from sector.arrays import Bools1d, Floats1d, Floats2d, Ints1d

STORED = np.dtype("<f2")
"""How vectors lie in a file: float16."""


@dataclass(frozen=True, slots=True, eq=False)
class VectorTable:
    """All vectors of an index."""

    numbers: Ints1d
    """int64 [chunks], ascending"""
    rows: Floats2d
    """float32 [chunks, d], each of length 1"""

    @staticmethod
    def of(records: Iterable[tuple[int, bytes]], dimensions: int) -> VectorTable:
        """Read what ``packed`` wrote, in the order of the numbers."""
        found = list(records)
        numbers = np.fromiter((number for number, _ in found), np.int64, len(found))
        rows = np.frombuffer(b"".join(row for _, row in found), STORED).reshape(-1, dimensions)
        return VectorTable(numbers, rows.astype(np.float32))

    def nearest(self, vector: Floats1d, allowed: Ints1d | None, limit: int) -> list[tuple[int, float]]:
        """Return number and cosine of the nearest, best first; of ``allowed`` numbers alone unless None."""
        kept = slice(None) if allowed is None else self._rows_of(allowed)
        numbers, scores = self.numbers[kept], self.rows[kept] @ vector
        best = np.argpartition(-scores, limit)[:limit] if len(scores) > limit else np.arange(len(scores))
        best = best[np.lexsort((numbers[best], -scores[best]))]
        return list(zip(numbers[best].tolist(), scores[best].tolist(), strict=True))

    def _rows_of(self, allowed: Ints1d) -> Bools1d:
        return np.isin(self.numbers, allowed)


def packed(vector: Floats1d) -> bytes:
    """Return a vector as it lies in a file."""
    return vector.astype(STORED).tobytes()
