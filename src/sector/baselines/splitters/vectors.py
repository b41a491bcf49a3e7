"""Sentence vectors for splitters that want some: those of PyPI's wordllama for English, else means of word vectors."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from sector.arrays import Floats2d
from sector.baselines.base import Material, Task
from sector.baselines.words import WeightedVectors, weighted_vectors
from sector.text.tokens import tokenize

PACKAGE = "wordllama"
WIDTH = 256
Embed: TypeAlias = Callable[[Sequence[str]], Floats2d]
"""Returns float32 [texts, dimensions], of length 1 or 0."""


def vectors_of(material: Material, task: Task, folder: Path) -> Embed:
    """Return wordllama's vectors where it is installed and the language is English, else those of the task."""
    if task.language in ("", "en") and find_spec(PACKAGE):
        model()
        return embed
    return mean_vectors(weighted_vectors(material, task, folder))


@cache
def model() -> Any:
    """Load wordllama from its own package folder (left alone, it asks the network for its tokenizer)."""
    wordllama = import_module(PACKAGE)
    logging.getLogger("wordllama").setLevel(logging.ERROR)
    folder = Path(str(wordllama.__file__)).parent
    return wordllama.WordLlama.load(cache_dir=folder, disable_download=True)


def embed(texts: Sequence[str]) -> Floats2d:
    """Return wordllama's vectors."""
    if not texts:
        return np.zeros((0, WIDTH), np.float32)
    return units(np.asarray(model().embed(list(texts)), np.float32))


def mean_vectors(vectors: WeightedVectors) -> Embed:
    """Make vectors of texts as means of their words', each weighted by how much the word tells."""

    def give(texts: Sequence[str]) -> Floats2d:
        rows = np.zeros((len(texts), vectors.units.shape[1]), np.float32)
        for row, text in zip(rows, texts, strict=True):
            words = vectors.known(tokenize(text))
            row += (vectors.units[words] * vectors.information[words, None]).sum(axis=0)
        return units(rows)

    return give


def units(rows: Floats2d) -> Floats2d:
    """Return rows of length 1; a row of zeros stays."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0))
