"""What neural baselines read: documents as word numbers, targets and small word vectors, made once for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Floats2d
from sector.baselines.base import Material, Task
from sector.baselines.cache import invalidate, is_cached, mark_cached, training_key
from sector.baselines.words import vectors_for
from sector.document import Document
from sector.encoders.base import EncoderSettings
from sector.encoders.files import read_words, write_words
from sector.encoders.vectors import WordVectors
from sector.encoders.words import WordEncoder
from sector.errors import DataError
from sector.text.tokens import tokenize
from sector.training.prepare import TaskOptions, number_tokens, prepare
from sector.training.prepared import PreparedData, SplitData

PREPARED, WORDS = "prepared.npz", "words.txt"
MOST_WORDS = 25_000
"""Words that have a vector; the others of a document are left out."""
STEPS = 32.0
"""Vectors are stored as integers from −127 to 127, this many for 1.0, which is the mean size of a dimension."""


class VectorEncoder(WordEncoder[Floats2d]):
    """Word vectors as they are stored: of one length, in 8 bits per number."""

    name: ClassVar[str] = "vectors"

    def __init__(self, vectors: WordVectors, most: int = MOST_WORDS) -> None:
        self._width = vectors.width
        self._places = {word: number for number, word in enumerate(vectors.words[:most])}
        rows = vectors.matrix[:most]
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        units = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0) * vectors.width**0.5
        self._rows = np.clip(np.round(units * STEPS), -127, 127).astype(np.float32)

    @property
    def width(self) -> int:
        """The number of dimensions."""
        return self._width

    def encode_tokens(self, sentences: Sequence[Sequence[str]]) -> Floats2d:
        """Return the sum of the words' vectors; zeros for unknown words."""
        found = np.zeros((len(sentences), self.width), np.float32)
        for row, words in zip(found, sentences, strict=True):
            for word in words:
                if word in self._places:
                    row += self._rows[self._places[word]]
        return found

    def save(self, folder: Path, precision: str = "float16") -> EncoderSettings:
        """Write nothing: prepared data has the vectors."""
        return {"name": self.name}

    @classmethod
    def load(cls, folder: Path, settings: Mapping[str, Any]) -> Self:
        """Refuse: prepared data has the vectors."""
        raise NotImplementedError


def prepared_words(material: Material, task: Task, folder: Path) -> Path:
    """Return the folder of prepared data, made anew if it belongs to other documents; it lies beside ``folder``."""
    place, key = folder.parent / "words", training_key(material, task, {"most_words": MOST_WORDS})
    if is_cached(place, key):
        return place
    if not material.train:
        raise DataError("This system learns from documents; give some with --train.")
    invalidate(place)
    splits: dict[str, list[Document]] = {"train": material.train}
    if material.validation:
        splits["validation"] = material.validation
    encoder = VectorEncoder(vectors_for(material, task, folder))
    corpus = number_tokens(splits, encoder, task.advance)
    data = prepare(corpus, encoder, TaskOptions(task.name, task.language, task.min_count))
    if data.features.dense is None or not len(data.features.dense):
        raise DataError("The word vectors know no word of the training documents; is their language the same?")
    data.save(place / PREPARED)
    known = np.flatnonzero(np.any(encoder.encode_tokens([[word] for word in corpus.tokens]), axis=1))
    write_words(place / WORDS, [corpus.tokens[number] for number in known])
    mark_cached(place, key)
    return place


class WordIndexer:
    """Turns any document into the arrays that networks read."""

    def __init__(self, place: Path) -> None:
        self._places = {word: number for number, word in enumerate(read_words(place / WORDS))}

    def read(self, document: Document) -> SplitData:
        """Return the document alone as a split; it has no targets."""
        sentences = [self._numbers(sentence) for sentence in document.sentence_texts]
        lengths = np.array([len(words) for words in sentences], np.int64)
        empty = np.zeros(0, np.int64)
        return SplitData(
            words=np.concatenate([empty, *sentences]).astype(np.uint32),
            word_offsets=np.concatenate([[0], np.cumsum(lengths)]),
            document_offsets=np.array([0, len(sentences)]),
            sections=np.zeros(len(sentences), np.int64),
            labels=empty,
            label_offsets=np.zeros(2, np.int64),
            flags=np.zeros((len(sentences), 0), np.uint8),
        )

    def _numbers(self, sentence: str) -> NDArray[np.int64]:
        places = self._places
        return np.array([places[word] for word in tokenize(sentence) if word in places], np.int64)


@lru_cache(maxsize=4)
def boundaries(split: SplitData) -> NDArray[np.bool_]:
    """Return for each sentence whether a segment begins with it: where the section and its labels change.

    The first sentence of a document never counts. A section without labels differs from every other. The last few
    splits are remembered, for every batch asks again.
    """
    rows = [
        tuple(split.labels[begin:end].tolist())
        for begin, end in zip(split.label_offsets[:-1], split.label_offsets[1:], strict=True)
    ]
    changed: NDArray[np.bool_] = np.diff(split.sections, prepend=-1) != 0
    for sentence in np.flatnonzero(changed):
        before, here = rows[split.sections[sentence - 1]], rows[split.sections[sentence]]
        changed[sentence] = before != here or not here
    changed[split.document_offsets[:-1][np.diff(split.document_offsets) > 0]] = False
    return changed


@lru_cache(maxsize=4)
def main_boundaries(split: SplitData) -> NDArray[np.bool_]:
    """Return for each sentence whether a main section begins with it; without heading paths all sections are main."""
    if split.mains is None:
        return boundaries(split)
    changed: NDArray[np.bool_] = (np.diff(split.sections, prepend=-1) != 0) & (split.mains[split.sections] > 0)
    changed[split.document_offsets[:-1][np.diff(split.document_offsets) > 0]] = False
    return changed


def load_prepared(place: Path) -> PreparedData:
    """Read the prepared data of a folder."""
    return PreparedData.load(place / PREPARED)
