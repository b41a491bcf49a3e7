"""PV>T (Le and Mikolov 2014): paragraph vectors of topics; a sentence is called what its vector is nearest to.

As in the authors' code: each training section is one text with its topic as the paragraph's name, learned by DBOW
together with word vectors and hierarchical softmax; scores are cosines to the topics' vectors, shifted to begin at 0
and to sum to 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from sector.arrays import Floats2d
from sector.baselines.base import Classifier, Material, Task, check_options
from sector.document import Document
from sector.errors import DataError, MissingExtraError
from sector.segmentation import Reading
from sector.text.tokens import tokenize


@dataclass
class ParagraphVectors(Classifier):
    """Gensim's Doc2Vec with the paper's settings."""

    name: ClassVar[str] = "pv"
    citation: ClassVar[str] = "Le and Mikolov 2014, Distributed representations of sentences and documents (ICML)"
    segmentations: ClassVar[tuple[str, ...]] = ("newline", "max", "emd")

    dimensions: int = 256
    window: int = 7
    epochs: int = 10
    learning_rate: float = 0.025
    min_count: int = 3
    steps: int = 10
    """Epochs over a sentence when its vector is inferred."""
    labels: tuple[str, ...] = field(default=(), init=False)
    _model: Any = field(default=None, init=False, repr=False)
    _names: Floats2d = field(default_factory=lambda: np.zeros((0, 0), np.float32), init=False, repr=False)

    def __post_init__(self) -> None:
        check_options(self, {"dimensions": 1, "window": 1, "epochs": 1, "learning_rate": 0, "min_count": 1, "steps": 1})

    def fit(self, material: Material, task: Task, folder: Path) -> None:
        """Learn a vector for each topic."""
        self.language = task.language
        if task.name != "topics":
            raise DataError("PV>T gives a text one name and cannot learn the words of headings; try --task topics.")
        doc2vec = _gensim()
        texts = [doc2vec.TaggedDocument(words, [label]) for words, label in _sections(material.train)]
        if not texts:
            raise DataError("PV>T learns from labelled sections; give documents that have some with --train.")
        self._model = doc2vec.Doc2Vec(
            vector_size=self.dimensions,
            window=self.window,
            min_count=self.min_count,
            alpha=self.learning_rate,
            min_alpha=0.001,
            epochs=self.epochs,
            dm=0,
            dbow_words=1,
            hs=1,
            negative=0,
            seed=task.seed,
            workers=1,
        )
        self._model.build_vocab(texts)
        if not len(self._model.wv):
            raise DataError(f"No word occurs {self.min_count} times in the documents; lower 'min_count'.")
        self._model.train(texts, total_examples=self._model.corpus_count, epochs=self.epochs)
        self.labels = tuple(self._model.dv.index_to_key)
        self._names = _units(np.asarray(self._model.dv.vectors, np.float32))

    def read(self, document: Document) -> Reading:
        """Infer a vector for each sentence and compare it with the topics' vectors."""
        rows = [self._vector(tokenize(sentence)) for sentence in document.sentence_texts]
        vectors = np.array(rows, np.float32).reshape(len(rows), self.dimensions)
        scores = _units(vectors) @ self._names.T
        scores -= scores.min(axis=1, keepdims=True, initial=1.0)
        totals = scores.sum(axis=1, keepdims=True)
        even = np.full_like(scores, 1 / max(1, len(self.labels)))
        return Reading(np.divide(scores, totals, out=even, where=totals > 0), forward=vectors)

    def _vector(self, words: Sequence[str]) -> Any:
        if not any(word in self._model.wv for word in words):
            return np.zeros(self.dimensions, np.float32)
        self._model.random.seed(1)  # else a sentence would have another vector each time
        return self._model.infer_vector(list(words), epochs=self.steps)


def _sections(documents: Sequence[Document]) -> Iterator[tuple[list[str], str]]:
    for document in documents:
        for section in document.sections:
            if section.label:
                yield tokenize(section.text), section.label


def _units(rows: Floats2d) -> Floats2d:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0))


def _gensim() -> Any:
    try:
        from gensim.models import doc2vec
    except ImportError as error:
        raise MissingExtraError("gensim", "baselines") from error
    return doc2vec
