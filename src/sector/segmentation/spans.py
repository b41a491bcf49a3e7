"""Where sections lie in the text and which sentences they have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sector.arrays import Floats2d, Ints1d
from sector.text.sentences import SentenceSpans


@dataclass(frozen=True, slots=True, eq=False)
class SectionSpans:
    """The positions of sections, in characters, without a gap, and in sentences, as arrays of one length."""

    begin: Ints1d
    end: Ints1d
    first: Ints1d
    """The first sentence that the section has a part of,"""
    last: Ints1d
    """and the one after its last; equal to ``first`` where there is nothing but white space."""

    def __len__(self) -> int:
        return len(self.begin)

    @classmethod
    def between(cls, edges: Sequence[int], sentences: SentenceSpans) -> SectionSpans:
        """Make the sections that lie between neighbouring ``edges``."""
        begin, end = np.array(edges[:-1], np.int64), np.array(edges[1:], np.int64)
        first = np.searchsorted(sentences.end, begin, side="right")
        last = np.maximum(first, np.searchsorted(sentences.begin, end, side="left"))
        return cls(begin, end, first, last)

    def means(self, probabilities: Floats2d) -> Floats2d:
        """Return float32 [sections, labels], each row the mean of the section's sentences.

        White space takes the row of a sentence beside it; without any sentence all labels are as probable.
        """
        labels = probabilities.shape[1]
        if not len(probabilities):
            return np.full((len(self), labels), 1 / max(1, labels), np.float32)
        firsts = np.minimum(self.first, len(probabilities) - 1)
        lasts = np.maximum(self.last, firsts + 1)
        rows = [probabilities[i:j].mean(axis=0, dtype=np.float64) for i, j in zip(firsts, lasts, strict=True)]
        return np.array(rows, np.float32).reshape(len(self), labels)
