"""An encoder that has been exported: onnxruntime reads every sentence once, and the network alone is trained."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import torch
from torch import Tensor

from sector.encoders.piece_encoder import PieceEncoder
from sector.training.prepared import SplitData
from sector.training.readers import SentenceReader, SentenceTable

CHUNK = 2**14
"""Sentences whose pieces are lists at the same time."""


class EncodedReader(SentenceReader):
    """The vectors that a model will have too, in half precision. Nothing is learned."""

    def __init__(self, encoder: PieceEncoder) -> None:
        super().__init__()
        self.encoder = encoder

    def table(self, split: SplitData, device: torch.device) -> SentenceTable:
        """Read a split's sentences."""
        parts = [self._read(split, first) for first in range(0, split.sentences, CHUNK)]
        vectors = torch.cat([torch.zeros(0, self.encoder.width, dtype=torch.float16), *parts])
        return replace(super().table(split, device), vectors=vectors.to(device))

    def _read(self, split: SplitData, first: int) -> Tensor:
        offsets = split.word_offsets[first : first + CHUNK + 1]
        rows = self.encoder.encode_tokens([split.words[begin:end].tolist() for begin, end in pairwise(offsets)])
        return torch.from_numpy(rows).half()
