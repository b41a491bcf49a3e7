"""Sparse sentence vectors: a matrix of few non-zero values, row by row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Floats1d, Floats2d, Ints1d


@dataclass(frozen=True, slots=True, eq=False)
class SparseRows:
    """A matrix of few non-zero values, row by row (CSR); the columns of a row are sorted and unique."""

    indices: NDArray[np.int32]
    """int32 [values]: the column of each value."""
    values: Floats1d
    offsets: Ints1d
    """int64 [rows + 1]: row i has the values from ``offsets[i]`` to ``offsets[i + 1]``."""
    width: int

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @classmethod
    def count(cls, rows: Ints1d, columns: NDArray[np.integer[Any]], height: int, width: int) -> SparseRows:
        """Count how often each (row, column) occurs; the pairs may come in any order."""
        fits = height * width < np.iinfo(np.int32).max
        keys = (rows * width + columns).astype(np.int32 if fits else np.int64)
        keys.sort()
        first = np.flatnonzero(np.diff(keys, prepend=-1))
        counts = np.diff(first, append=len(keys)).astype(np.float32)
        found = keys[first]
        row_begins = np.arange(height + 1, dtype=np.int64) * width
        offsets = np.searchsorted(found, row_begins).astype(np.int64)
        columns_found = found - np.repeat(row_begins[:-1], np.diff(offsets))
        return cls(columns_found.astype(np.int32), counts, offsets, width)

    def rows(self, begin: int, end: int) -> SparseRows:
        """Return the rows of a slice ``[begin:end]``; nothing is copied but the offsets."""
        begin, end, _ = slice(begin, end).indices(len(self))
        end = max(begin, end)
        first, last = self.offsets[begin], self.offsets[end]
        offsets = self.offsets[begin : end + 1] - first
        return SparseRows(self.indices[first:last], self.values[first:last], offsets, self.width)

    def dot(self, matrix: NDArray[np.floating[Any]], block: int = 4096) -> Floats2d:
        """Multiply by a dense matrix [width, columns], gathering about ``block`` of its rows at once."""
        product = np.zeros((len(self), matrix.shape[1]), np.float32)
        begin = 0
        while begin < len(self):
            fitting = int(np.searchsorted(self.offsets, self.offsets[begin] + block, side="right")) - 1
            end = max(begin + 1, fitting)
            self.rows(begin, end)._add_products(matrix, product[begin:end])
            begin = end
        return product

    def _add_products(self, matrix: NDArray[np.floating[Any]], product: Floats2d) -> None:
        filled = np.flatnonzero(np.diff(self.offsets))
        if len(filled):
            gathered = matrix[self.indices] * self.values[:, None]
            product[filled] = np.add.reduceat(gathered, self.offsets[filled], axis=0)
