"""Sparse rows as arrays, to compare them with plain arithmetic."""

from __future__ import annotations

import numpy as np

from sector.arrays import Floats2d
from sector.encoders import SparseRows


def dense(rows: SparseRows | Floats2d) -> Floats2d:
    """Return float32 [rows, width]."""
    if not isinstance(rows, SparseRows):
        return rows
    found = np.zeros((len(rows), rows.width), np.float32)
    found[np.repeat(np.arange(len(rows)), np.diff(rows.offsets)), rows.indices] = rows.values
    return found
