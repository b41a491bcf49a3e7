"""Word vectors for systems that read them: ours, or trained on the documents that the system learns from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Floats2d, Ints1d
from sector.baselines.base import Material, Task
from sector.baselines.cache import invalidate, is_cached, mark_cached, training_key
from sector.encoders.vector_files import read_vectors
from sector.encoders.vectors import WordVectors
from sector.encoders.word2vec import train
from sector.errors import DataError
from sector.text.stopwords import stop_words
from sector.text.tokens import tokenize


@dataclass(frozen=True, slots=True, eq=False)
class WeightedVectors:
    """The words that have a vector, with unit vectors and how much each word tells."""

    places: dict[str, int]
    units: Floats2d
    """float32 [words, dimensions], of length 1 or 0"""
    information: NDArray[np.float64]
    """[words] −log of the word's share of all, divided by the greatest"""

    @classmethod
    def of(cls, vectors: WordVectors) -> WeightedVectors:
        """Use the counts of the vectors' text or, where they are not known, the order of the words (Zipf's law)."""
        counts = 1e6 / np.arange(1, len(vectors) + 1) if vectors.counts is None else vectors.counts
        information = -np.log((counts + 1.0) / (counts + 1.0).sum())
        lengths = np.linalg.norm(vectors.matrix, axis=1, keepdims=True)
        units = np.divide(vectors.matrix, lengths, out=np.zeros_like(vectors.matrix), where=lengths > 0)
        return cls({w: n for n, w in enumerate(vectors.words)}, units, information / information.max())

    def known(self, words: Sequence[str]) -> Ints1d:
        """Return the numbers of those words that have a vector."""
        return np.array([self.places[word] for word in words if word in self.places], np.int64)


def content_words(sentence: str, language: str) -> list[str]:
    """Return the words of a sentence without stop words and numbers."""
    ignored = stop_words(language)
    return [word for word in tokenize(sentence) if word not in ignored and "#" not in word]


def vectors_for(material: Material, task: Task, folder: Path) -> WordVectors:
    """Return the given vectors, or train some on the training documents and keep them beside ``folder``."""
    if task.vectors is not None:
        found = read_vectors(task.vectors)
        return found if task.vectors.is_dir() else found.as_tokens()
    if not material.train:
        raise DataError("This system reads word vectors; give some with --vectors, or documents with --train.")
    place, key = folder.parent / "vectors", training_key(material, task, {})
    if not is_cached(place, key):
        invalidate(place)
        train((document.sentence_texts for document in material.train), seed=task.seed).save(place)
        mark_cached(place, key)
    return WordVectors.load(place)


def weighted_vectors(material: Material, task: Task, folder: Path) -> WeightedVectors:
    """Return the vectors that the options name, with what each word tells."""
    return WeightedVectors.of(vectors_for(material, task, folder))
