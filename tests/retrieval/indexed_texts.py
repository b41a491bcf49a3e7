"""Texts of an index, and embeddings of them that need no model."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from sector.arrays import Floats2d
from tiny import HELD_OUT

SYMPTOMS, TREATMENT, CLIMATE = (part + "\n" for part in HELD_OUT.split("\n\n"))
TEXTS = {"clinic": SYMPTOMS + "\n" + TREATMENT, "valley": CLIMATE}
DIMENSIONS = 64


def letters(texts: list[str]) -> Floats2d:
    """Embed texts by how often pairs of letters occur in them."""
    rows = np.zeros((len(texts), DIMENSIONS))
    for row, text in zip(rows, texts, strict=True):
        for first, second in pairwise(text):
            row[(31 * ord(first) + ord(second)) % DIMENSIONS] += 1
    return rows.astype(np.float32)
