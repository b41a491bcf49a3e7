"""8-bit numbers of an encoder's matrices."""

from __future__ import annotations

import numpy as np

from sector.export.quantize import BLOCK, quantize_blocks, quantize_rows


def test_eight_bits_are_within_half_a_step() -> None:
    matrix = np.random.default_rng(0).normal(size=(BLOCK + 10, 6)).astype(np.float32)
    numbers, scales = quantize_blocks(matrix)
    assert numbers.shape == (6, 2, BLOCK)
    wide = ((numbers.astype(np.float32) - 128) * scales.reshape(6, 2, 1)).reshape(6, -1)[:, : len(matrix)].T
    assert np.abs(wide - matrix).max() <= scales.max() * 0.5001
    rows, sizes = quantize_rows(np.vstack([matrix, np.zeros((1, 6), np.float32)]))
    assert np.abs(rows[:-1] * sizes[:-1] - matrix).max() <= sizes.max() * 0.5001
    assert not rows[-1].any()
