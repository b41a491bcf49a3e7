"""Sparse rows against dense arithmetic."""

from __future__ import annotations

import numpy as np
from dense import dense
from hypothesis import given
from hypothesis import strategies as st

from sector.encoders import SparseRows


@st.composite
def pairs(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int, int]:
    height, width = draw(st.integers(0, 6)), draw(st.integers(1, 5))
    size = draw(st.integers(0, 30)) if height else 0
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    return rng.integers(0, max(1, height), size), rng.integers(0, width, size), height, width


def counted(rows: np.ndarray, columns: np.ndarray, height: int, width: int) -> np.ndarray:
    counts = np.zeros((height, width), np.float32)
    np.add.at(counts, (rows, columns), 1)
    return counts


@given(pairs())
def test_counting_pairs(case: tuple[np.ndarray, np.ndarray, int, int]) -> None:
    sparse = SparseRows.count(*case)
    assert len(sparse) == case[2]
    assert sparse.indices.dtype == np.int32
    np.testing.assert_array_equal(dense(sparse), counted(*case))


@given(pairs(), st.integers(-2, 7), st.integers(-2, 7), st.integers(1, 4))
def test_slices_and_products(case: tuple[np.ndarray, np.ndarray, int, int], begin: int, end: int, block: int) -> None:
    sparse, full = SparseRows.count(*case), counted(*case)
    np.testing.assert_array_equal(dense(sparse.rows(begin, end)), full[begin:end])
    matrix = np.random.default_rng(0).normal(size=(case[3], 3)).astype(np.float32)
    np.testing.assert_allclose(sparse.dot(matrix, block), full @ matrix, rtol=1e-5, atol=1e-5)


def test_wide_matrices_need_no_more_than_64_bits() -> None:
    sparse = SparseRows.count(np.array([2, 0, 2]), np.array([2**31 - 2, 5, 2**31 - 2]), 3, 2**31 - 1)
    assert sparse.indices.tolist() == [5, 2**31 - 2]
    assert sparse.values.tolist() == [1, 2]
    assert sparse.offsets.tolist() == [0, 1, 1, 2]
