"""What training reads of each word, once for all sentences that it is in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class WordFeatures:
    """What each word adds to its sentence's vector: sparse columns, or a dense row."""

    pooling: str
    """``sum`` of the words' features, ``clip``: sum cut at 1, ``mean``: over their number n, ``root``: over √n;
    ``none``: words are pieces that a pretrained encoder reads."""
    width: int
    indices: NDArray[np.int32] | None = None
    """[entries] columns, sparse features only"""
    values: NDArray[np.float32] | None = None
    """[entries]"""
    offsets: NDArray[np.int64] | None = None
    """[words + 1]"""
    dense: NDArray[np.float32] | None = None
    """[words, width], dense features only"""

    @property
    def is_whole(self) -> bool:
        """Whether the features are here, and not in the file of another task; pieces of words have none."""
        return self.pooling == "none" or self.dense is not None or self.indices is not None
