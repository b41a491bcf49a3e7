"""TopicTiling (Riedl and Biemann 2012): TextTiling over the topics that LDA gives the words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Doubles, Ints1d
from sector.baselines.base import BoundarySystem, Material, Task, check_options, with_sections
from sector.baselines.depth import block_cosines, deep_valleys, depth_scores
from sector.document import Document
from sector.errors import DataError, MissingExtraError
from sector.evaluation.scoring import score
from sector.text.stopwords import stop_words
from sector.text.tokens import tokenize

WINDOWS = (2, 5, 8, 12, 16)
DEVIATIONS = (0.5, 0.0, -0.5, -1.0)
"""Values that validation documents choose of; the first deviation is the authors', made for short documents."""
TUNED_ON = 100
"""Validation documents that decide."""


@dataclass
class TopicTiling(BoundarySystem):
    """Each word gets its likeliest topic in the document; sentences are compared by counts of topics."""

    name: ClassVar[str] = "topictiling"
    citation: ClassVar[str] = "Riedl and Biemann 2012, TopicTiling: a segmentation algorithm based on LDA (ACL SRW)"

    topics: int = 100
    window: int = 0
    """Sentences on either side of a gap; 0: chosen on the validation documents, 2 without any."""
    passes: int = 5
    """Of the variational training over the documents."""
    min_count: int = 5
    """Documents that a word must occur in."""
    deviations: float | None = None
    """A valley counts if it is deeper than mean − so many deviations of all; None: chosen likewise, 0.5 without any."""
    setting: str = field(default="", init=False)
    _chosen: tuple[int, float] = field(default=(2, 0.5), init=False)
    _words: dict[str, int] = field(default_factory=dict, init=False, repr=False)
    _lda: Any = field(default=None, init=False, repr=False)
    _in_topics: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0)), init=False, repr=False)

    def __post_init__(self) -> None:
        check_options(self, {"topics": 2, "window": 0, "passes": 1, "min_count": 1})

    def fit(self, material: Material, task: Task, folder: Path) -> None:
        """Train LDA on the documents and choose the window."""
        super().fit(material, task, folder)
        if not material.train:
            raise DataError("TopicTiling learns its topics from documents; give some with --train.")
        models = _gensim()
        bags = self._number([self._tokens(document) for document in material.train], task)
        self._lda = models.LdaModel(
            bags,
            num_topics=self.topics,
            id2word={number: word for word, number in self._words.items()},
            passes=self.passes,
            alpha=[50 / self.topics] * self.topics,
            eta=0.01,
            random_state=task.seed,
            eval_every=None,
            dtype=np.float32,
        )
        self._in_topics = np.log(self._lda.get_topics().astype(np.float64) + 1e-100)
        self._chosen = self._choose(material.validation[:TUNED_ON])
        self.setting = f"window {self._chosen[0]}, deviations {self._chosen[1]:g}"

    def _number(self, documents: list[list[list[str]]], task: Task) -> list[list[tuple[int, int]]]:
        """Number the words that enough documents have and return each document's counts."""
        found: dict[str, int] = {}
        for document in documents:
            for word in {word for sentence in document for word in sentence}:
                found[word] = found.get(word, 0) + 1
        kept = sorted(word for word, count in found.items() if self.min_count <= count <= len(documents) / 2)
        if not kept:
            raise DataError(f"No word occurs in {self.min_count} of the training documents; lower 'min_count'.")
        self._words = {word: number for number, word in enumerate(kept)}
        task.advance(len(documents))
        return [_bag(self._numbers(document)) for document in documents]

    def _tokens(self, document: Document) -> list[list[str]]:
        ignored = stop_words(document.language or self.language)
        return [
            [word for word in tokenize(sentence) if word not in ignored and "#" not in word]
            for sentence in document.sentence_texts
        ]

    def _numbers(self, sentences: list[list[str]]) -> list[Ints1d]:
        places = self._words
        return [np.array([places[word] for word in words if word in places], np.int64) for words in sentences]

    def _choose(self, documents: Sequence[Document]) -> tuple[int, float]:
        """Return the window and the depth with the lowest Pk."""
        windows = (self.window,) if self.window else WINDOWS
        depths = DEVIATIONS if self.deviations is None else (self.deviations,)
        if not documents:
            return windows[0], depths[0]
        rows = [self.topic_counts(document) for document in documents]

        def error(setting: tuple[int, float]) -> float:
            found = [
                with_sections(document, self._valleys(counts, *setting))
                for document, counts in zip(documents, rows, strict=True)
            ]
            return score(documents, found).pk

        return min(product(windows, depths), key=error)

    def topic_counts(self, document: Document) -> Doubles:
        """Return float64 [sentences, topics]: how many words of each sentence have each topic."""
        numbers = self._numbers(self._tokens(document))
        counts = np.zeros((len(numbers), self.topics))
        bag = _bag(numbers)
        if not bag:
            return counts
        mixture, _ = self._lda.inference([bag])
        # The digamma of the variational parameters would be exact; their logarithm orders topics alike.
        likeliest = (np.log(mixture[0])[:, None] + self._in_topics).argmax(axis=0)
        for row, words in zip(counts, numbers, strict=True):
            np.add.at(row, likeliest[words], 1)
        return counts

    def starts(self, document: Document) -> Ints1d:
        """Return 0 and the sentences after the deep valleys."""
        return self._valleys(self.topic_counts(document), *self._chosen)

    def _valleys(self, counts: Doubles, window: int, deviations: float) -> Ints1d:
        if len(counts) < 2:
            return np.zeros(min(1, len(counts)), np.int64)
        depths = depth_scores(block_cosines(counts, window))
        return np.union1d([0], np.flatnonzero(deep_valleys(depths, deviations)) + 1).astype(np.int64)


def _bag(sentences: list[Ints1d]) -> list[tuple[int, int]]:
    if not sentences:
        return []
    words, counts = np.unique(np.concatenate(sentences), return_counts=True)
    return list(zip(words.tolist(), counts.tolist(), strict=True))


def _gensim() -> Any:
    try:
        from gensim import models
    except ImportError as error:
        raise MissingExtraError("gensim", "baselines") from error
    return models
