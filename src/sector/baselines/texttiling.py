"""TextTiling (Hearst 1997): valleys of the similarity of neighbouring blocks of words; the floor of a comparison.

nltk's TextTilingTokenizer is not used: it wants blank lines between paragraphs as the only places for a boundary,
raises an error where there are none, as in Choi's documents, and needs a corpus download for its stop words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sector.arrays import Doubles, Ints1d
from sector.baselines.base import BoundarySystem, check_options
from sector.baselines.depth import block_cosines, deep_valleys, depth_scores
from sector.baselines.stems import Stems, stems_of
from sector.document import Document


@dataclass
class TextTiling(BoundarySystem):
    """Block comparison of token sequences; boundaries move to the nearest sentence end."""

    name: ClassVar[str] = "texttiling"
    citation: ClassVar[str] = "Hearst 1997, TextTiling: segmenting text into multi-paragraph subtopic passages (CL)"

    words: int = 20
    """Length of a token sequence."""
    block: int = 10
    """Token sequences on either side of a gap that are compared."""
    smoothing: int = 2
    """Gaps that a mean of similarities reaches over; 0 smooths nothing."""
    deviations: float = 0.5
    """A valley counts if it is deeper than mean − so many standard deviations; less is more cautious."""

    def __post_init__(self) -> None:
        check_options(self, {"words": 1, "block": 1, "smoothing": 0, "deviations": 0})

    def starts(self, document: Document) -> Ints1d:
        """Return 0 and the sentences that begin nearest to a deep valley."""
        stems = stems_of(document, self.language)
        rows = _sequences(stems, self.words)
        cohesion = _smoothed(block_cosines(rows, self.block), self.smoothing)
        gaps = np.flatnonzero(deep_valleys(depth_scores(cohesion), self.deviations)) + 1
        begins = np.searchsorted(stems.sentence, np.arange(stems.sentences))
        nearest = np.abs(begins[None, :] - (gaps * self.words)[:, None]).argmin(axis=1)
        return np.union1d([0], nearest).astype(np.int64)


def _sequences(stems: Stems, words: int) -> Doubles:
    """Count stems in sequences of so many stems; a rest of less than half joins the last but one."""
    count = max(1, round(len(stems.numbers) / words))
    sequence = np.minimum(np.arange(len(stems.numbers)) // words, count - 1)
    rows = np.zeros((count, stems.size))
    np.add.at(rows, (sequence, stems.numbers), 1)
    return rows


def _smoothed(values: Doubles, width: int) -> Doubles:
    if not width or len(values) < 2:
        return values
    kernel = np.ones(width + 1)
    counts = np.convolve(np.ones(len(values)), kernel, "full")
    begin = width // 2
    return (np.convolve(values, kernel, "full") / counts)[begin : begin + len(values)]
