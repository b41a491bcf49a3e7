"""Static sentence vectors for all peers: those that PyPI's wordllama carries, so that nothing is downloaded."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from sector.arrays import Floats2d

PACKAGE = "wordllama"


@cache
def model() -> Any:
    """Load wordllama from its own package folder (left alone, it asks the network for its tokenizer)."""
    wordllama = import_module(PACKAGE)
    logging.getLogger("wordllama").setLevel(logging.ERROR)
    folder = Path(str(wordllama.__file__)).parent
    return wordllama.WordLlama.load(cache_dir=folder, disable_download=True)


def embed(sentences: Sequence[str]) -> Floats2d:
    """Give float32 [sentences, 256], of length 1 or 0."""
    if not sentences:
        return np.zeros((0, 256), np.float32)
    rows = np.asarray(model().embed(list(sentences)), np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    units: Floats2d = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return units
