"""Sections from starts: their mean label distributions; neighbours with the same label become one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

import numpy as np

from sector.arrays import Floats1d, Floats2d, Ints1d
from sector.segmentation.base import Decoded, Reading, Segmentation, decode


def section_means(starts: Ints1d, probabilities: Floats2d) -> Floats2d:
    """Return the mean of the sentences' rows in each section.

    Args:
        starts: int64 [sections], the first sentence of each, sorted, 0 first.
        probabilities: float32 [sentences, labels].

    Returns:
        float32 [sections, labels].
    """
    if not len(starts):
        return np.zeros((0, probabilities.shape[1]), np.float32)
    totals = np.add.reduceat(probabilities, starts, axis=0, dtype=np.float64)
    lengths = np.diff(starts, append=len(probabilities))
    return (totals / lengths[:, None]).astype(np.float32)


def merge_equal(starts: Ints1d, probabilities: Floats2d) -> Ints1d:
    """Return the starts without those of sections whose best label is that of the section before them.

    Args:
        starts: int64 [sections], the first sentence of each, sorted, 0 first.
        probabilities: float32 [sentences, labels].
    """
    return _merged(Decoded(starts, probabilities))


def _merged(found: Decoded) -> Ints1d:
    """Merge until no neighbours have the same label.

    Where two means agree on the best label, the mean of both does too: one round is enough, but for rounding.
    """
    starts = found.starts
    while len(starts) > 1 and found.probabilities.shape[1]:
        labels = found.means(partial(section_means, starts)).argmax(axis=1)
        kept = starts[np.concatenate([[True], labels[1:] != labels[:-1]])]
        if len(kept) == len(starts):
            break
        starts = kept
    return starts


@dataclass(frozen=True, slots=True)
class Merged:
    """Another segmentation whose neighbouring sections of one label become one."""

    name: ClassVar[str] = "merged"

    inner: Segmentation

    def starts(self, reading: Reading) -> Ints1d:
        """Return the other's starts without those of sections that go on with the same label."""
        return self.decode(reading).starts

    def decode(self, reading: Reading) -> Decoded:
        """Return the starts that are left, and what the other names sections by."""
        found = decode(self.inner, reading)
        starts = _merged(found)
        levels = None if found.levels is None else found.levels[np.isin(found.starts, starts)]
        return replace(found, starts=starts, levels=levels)

    def deviation(self, reading: Reading) -> Floats1d:
        """Return the other's deviation."""
        return self.inner.deviation(reading)
