"""Sentence embedding "emb" (section 4.1 of the paper): rare words weigh more, the first component is removed.

The method is that of Arora et al. 2017 (SIF): v(s) = mean over the words w of s of α / (α + p(w)) · v(w);
x(s) = v(s) − u uᵀ v(s), with p(w) from the text of the vectors and the first principal component u from the training
sentences. It is all linear: ``fit`` changes the word vectors once and for all, and a sentence is the mean of its words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Floats2d, Ints1d
from sector.encoders.base import EncoderSettings, InputLayer, Weights
from sector.encoders.features import WordFeatures
from sector.encoders.inputs import VectorInput
from sector.encoders.settings import check_choice, check_least, check_positive, from_settings
from sector.encoders.sparse_rows import SparseRows
from sector.encoders.vector_files import read_vectors
from sector.encoders.vectors import WordVectors
from sector.encoders.word2vec import token_file, train_on_file
from sector.encoders.words import WordEncoder, flatten
from sector.errors import ConfigError, DataError
from sector.visible import brief

BLOCK = 4096
"""Sentences that are looked at together in ``fit``."""
LEARNED = "vectors"
"""The reader's name for word vectors that were learned with the network."""


class EmbeddingEncoder(WordEncoder[Floats2d]):
    """The mean of the changed vectors of a sentence's known words; zeros for a sentence without any."""

    name: ClassVar[str] = "emb"
    int8_network: ClassVar[bool] = True

    def __init__(
        self,
        vectors: WordVectors | Path | str | None = None,
        alpha: float = 1e-4,
        pooling: str = "mean",
        components: int = 0,
        dimensions: int = 256,
        window: int = 7,
        epochs: int = 8,
        min_count: int = 3,
        max_words: int = 200_000,
        seed: int = 1,
        workers: int = 2,
    ) -> None:
        """``vectors`` are word vectors or their file; None trains them with the options that follow.

        ``alpha`` is the α of the weights; ``pooling`` divides a sentence's sum by the number n of its known words
        ("mean"), or by √n ("root"), which lets the length be seen. Of the vectors, of length 1 each, ``components``
        principal components are kept; with 0 they stay as they are. At most ``max_words`` words are kept, those of
        the documents first.
        """
        if not alpha > 0:
            raise ConfigError(f"The option 'alpha' is {brief(alpha)}; it must be a positive number.")
        self.alpha, self.seed = alpha, seed
        self.pooling = check_choice("pooling", pooling, ("mean", "root"))
        self.components = check_least("components", components, 0)
        self.dimensions = check_positive("dimensions", dimensions)
        self.window = check_positive("window", window)
        self.epochs = check_positive("epochs", epochs)
        self.min_count = check_positive("min_count", min_count)
        self.max_words = check_positive("max_words", max_words)
        self.workers = check_positive("workers", workers)
        self._source = vectors
        self._set(WordVectors([], np.zeros((0, dimensions), np.float32)))

    def _set(self, vectors: WordVectors) -> None:
        self.vectors = vectors
        self._numbers = {word: number for number, word in enumerate(vectors.words)}

    @property
    def width(self) -> int:
        """The number of dimensions."""
        return self.vectors.width

    def fit(self, documents: Iterable[Sequence[str]]) -> Self:
        """Weight the vectors by the words' frequencies and take the first component out of them."""
        with token_file(documents) as file:
            source = self._source_vectors(file)
            counts = Counter(word for line in _lines(file) for word in line)
            kept = sorted(range(len(source)), key=lambda i: -counts[source.words[i]])[: self.max_words]
            weights = self._weights(source, counts)[kept]
            matrix = self._reduced(source.matrix[kept], [counts[source.words[i]] for i in kept])
            weighted = (matrix * weights[:, None]).astype(np.float32)
            self._set(WordVectors([source.words[i] for i in kept], weighted))
            self._finish(*self._first_component(file))
        return self

    def _source_vectors(self, file: Path) -> WordVectors:
        if self._source is None:
            sizes = (self.dimensions, self.window, self.epochs, self.min_count)
            return train_on_file(file, *sizes, self.seed, self.workers)
        if isinstance(self._source, WordVectors):
            return self._source.as_tokens()
        found = read_vectors(Path(self._source))
        return found if Path(self._source).is_dir() else found.as_tokens()

    def _reduced(self, matrix: Floats2d, counts: Sequence[int]) -> Floats2d:
        """Keep the principal components of the vectors, in which a frequent word weighs as the root of its number."""
        if not self.components:
            return matrix
        lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
        unit = (matrix / np.maximum(lengths, 1e-9)).astype(np.float64)
        weights = np.sqrt(np.array(counts, np.float64))[:, None]
        centred = unit - (unit * weights).sum(axis=0) / max(1.0, weights.sum())
        axes = np.linalg.eigh((centred * weights).T @ centred).eigenvectors[:, ::-1][:, : self.components]
        return np.asarray(centred @ axes * (lengths > 0), np.float32)

    def _weights(self, source: WordVectors, counts: Counter[str]) -> NDArray[np.float64]:
        """Return each word's α / (α + p(w)), with p from the text of the vectors where that is known.

        In the documents themselves the very words that tell their topics apart are frequent, and would be lost.
        """
        found = np.array([counts[word] for word in source.words], np.float64)
        if not found.any():
            raise DataError("The word vectors know no word of the training documents; is their language the same?")
        total = counts.total()
        if source.counts is not None:
            found, total = source.counts.astype(np.float64), int(source.counts.sum())
        weights: NDArray[np.float64] = self.alpha / (self.alpha + found / max(1, total))
        return weights

    def _first_component(self, file: Path) -> tuple[NDArray[np.float64], float]:
        """Return u, the first right singular vector of the matrix of training sentences, not centred.

        Beside it: the root mean square of what is left in a sentence's dimension without u.
        """
        gram, seen = np.zeros((self.width, self.width)), 0
        lines = _lines(file)
        while block := list(islice(lines, BLOCK)):
            rows = self.encode_tokens(block).astype(np.float64)
            gram += rows.T @ rows
            seen += int(rows.any(axis=1).sum())
        found = np.linalg.eigh(gram)
        remaining = float(found.eigenvalues[:-1].clip(min=0).sum())
        return np.asarray(found.eigenvectors[:, -1]), (remaining / max(1, seen * self.width)) ** 0.5

    def _finish(self, component: NDArray[np.float64], size: float) -> None:
        """Apply I − u uᵀ, make the dimensions of a sentence 1 in size, and round to what ``save`` keeps."""
        matrix = self.vectors.matrix
        remaining = (matrix - np.outer(matrix @ component, component)) / (size or 1.0)
        self._set(WordVectors(self.vectors.words, remaining.astype(np.float16).astype(np.float32)))

    def encode_tokens(self, sentences: Sequence[Sequence[str]]) -> Floats2d:
        """Return one row per sentence, each given as its words."""
        if not self._numbers:
            raise ConfigError("The encoder 'emb' has no word vectors yet; call 'fit' first.")
        words, rows = flatten(sentences)
        numbers = self.numbers(words)
        rows, numbers = rows[numbers >= 0], numbers[numbers >= 0]
        counted = SparseRows.count(rows, numbers, len(sentences), len(self.vectors))
        lengths = np.maximum(np.bincount(rows, minlength=len(sentences)), 1).astype(np.float32)
        divisors = lengths if self.pooling == "mean" else np.sqrt(lengths)
        return np.asarray(counted.dot(self.vectors.matrix) / divisors[:, None], np.float32)

    def numbers(self, words: Sequence[str]) -> Ints1d:
        """Return the row of each word among the vectors; −1 for a word that is not known."""
        return np.fromiter((self._numbers.get(word, -1) for word in words), np.int64, len(words))

    def features(self, tokens: Sequence[str]) -> tuple[WordFeatures, Ints1d]:
        """Return all vectors in the encoder's own order, so that learned ones can take their places."""
        return WordFeatures(self.pooling, self.width, dense=self.vectors.matrix), self.numbers(tokens)

    def input_layer(self, matrix: Floats2d | None) -> InputLayer:
        """Return the layer that finds the words of many sentences at once."""
        return VectorInput(self.vectors.matrix, self._numbers, self.pooling)

    def with_matrix(self, matrix: Floats2d) -> Self:
        """Return a copy whose words have other vectors, learned in training."""
        changed = copy(self)
        changed._set(WordVectors(self.vectors.words, np.asarray(matrix, np.float32)))
        return changed

    def save(self, folder: Path, precision: str = "float16") -> EncoderSettings:
        """Write the words and their changed vectors."""
        self.vectors.save(folder, precision if precision == "int8" else "float16")
        options = (
            "alpha",
            "pooling",
            "components",
            "dimensions",
            "window",
            "epochs",
            "min_count",
            "max_words",
            "seed",
            "workers",
        )
        return {"name": self.name} | {option: getattr(self, option) for option in options}

    def export(self, folder: Path, weights: Weights, precision: str) -> EncoderSettings:
        """Write the words and their vectors, learned ones where there are any."""
        learned = weights.get(LEARNED)
        return (self if learned is None else self.with_matrix(learned)).save(folder, precision)

    @classmethod
    def load(cls, folder: Path, settings: Mapping[str, Any]) -> Self:
        """Read the words and their changed vectors."""
        encoder = from_settings(cls, settings)
        encoder._set(WordVectors.load(folder))
        return encoder


def _lines(file: Path) -> Iterator[list[str]]:
    with file.open(encoding="utf-8", errors="surrogatepass", newline="\n") as lines:
        for line in lines:
            yield line.split()
