"""Vectors of sentences in sections: one direction per section, and noise."""

from __future__ import annotations

import numpy as np

from sector.arrays import Doubles2d


def noisy_sections(sizes: tuple[int, ...], noise: float, seed: int, width: int) -> Doubles2d:
    """Return [sentences, width]; the sections have these sizes."""
    rng = np.random.default_rng(seed)
    topics = rng.normal(size=(len(sizes), width))
    rows: Doubles2d = np.repeat(topics, sizes, axis=0) + noise * rng.normal(size=(sum(sizes), width))
    return rows
