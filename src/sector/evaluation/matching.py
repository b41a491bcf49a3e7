"""Which predicted section answers which gold section: the largest overlap in characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Ints1d
from sector.document import Section


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Pairs of a gold and a predicted section: every gold section in order, then the extra predictions."""

    gold: Ints1d
    """[examples] index of the gold section"""
    predicted: Ints1d
    """[examples] index of the predicted section; −1 where no prediction touches the gold section"""


def match_sections(gold: Sequence[Section], predicted: Sequence[Section]) -> Matches:
    """Pair each gold section with a predicted one, then each unused prediction with a gold section.

    Args:
        gold: the gold sections of a document, in order.
        predicted: the predicted sections of the same text.

    Returns:
        Pairs with the largest overlap in characters; the first of several equal ones.
    """
    overlaps = overlap_matrix(gold, predicted)
    if not overlaps.size:
        return Matches(np.arange(len(gold)), np.full(len(gold), -1))
    answers = np.where(overlaps.any(axis=1), overlaps.argmax(axis=1), -1)
    extra = np.setdiff1d(np.flatnonzero(overlaps.any(axis=0)), answers)
    return Matches(
        gold=np.concatenate([np.arange(len(gold)), overlaps[:, extra].argmax(axis=0)]),
        predicted=np.concatenate([answers, extra]),
    )


def overlap_matrix(gold: Sequence[Section], predicted: Sequence[Section]) -> NDArray[np.int64]:
    """Return the number of characters that each gold section [rows] shares with each prediction [columns]."""
    left, right = _spans(gold), _spans(predicted)
    shared = np.minimum.outer(left[:, 1], right[:, 1]) - np.maximum.outer(left[:, 0], right[:, 0])
    return np.asarray(np.maximum(shared, 0))


def _spans(sections: Sequence[Section]) -> NDArray[np.int64]:
    return np.array([(section.begin, section.end) for section in sections], dtype=np.int64).reshape(-1, 2)
