"""GraphSeg (Glavaš et al. 2016): sentences that are related enough are joined by an edge, and cliques become segments.

The algorithm asks two questions of the maximal cliques: whether one holds two neighbouring sentences, and whether one
holds a sentence of each of two neighbouring segments. Every edge lies in some maximal clique, and two sentences of one
clique have an edge, so both questions are answered by the edges; the cliques, of which there may be exponentially many,
need not be listed. A test compares the result with listed cliques.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Bools1d, Doubles, Ints1d
from sector.baselines.base import BoundarySystem, Material, Task, check_options, with_sections
from sector.baselines.words import WeightedVectors, content_words, weighted_vectors
from sector.document import Document
from sector.errors import MissingExtraError
from sector.evaluation.scoring import score

THRESHOLDS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)
SHORTEST = (1, 2, 3)
"""Values that validation documents choose of, as in the authors' experiments in domain."""
TUNED_ON = 40
"""Validation documents that decide."""
MOST_WORDS = 60
"""Words of a sentence that are aligned; the rest of a longer one is left out."""


@dataclass
class GraphSeg(BoundarySystem):
    """Unsupervised; the vectors and the two thresholds come from elsewhere."""

    name: ClassVar[str] = "graphseg"
    citation: ClassVar[str] = (
        "Glavaš, Nanni and Ponzetto 2016, Unsupervised text segmentation using semantic relatedness graphs (*SEM)"
    )

    threshold: float = 0.0
    """Relatedness above which two sentences have an edge; 0: chosen on the validation documents, 0.25 without any."""
    shortest: int = 0
    """Segments with fewer sentences join a neighbour; 0: chosen likewise, 3 without any."""
    setting: str = field(default="", init=False)
    _chosen: tuple[float, int] = field(default=(0.25, 3), init=False)
    _vectors: WeightedVectors | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        check_options(self, {"threshold": 0, "shortest": 0})

    def fit(self, material: Material, task: Task, folder: Path) -> None:
        """Read or train word vectors, count words, and choose the thresholds."""
        super().fit(material, task, folder)
        self._vectors = weighted_vectors(material, task, folder)
        chosen = (self.threshold or 0.25, self.shortest or 3)
        if material.validation and not (self.threshold and self.shortest):
            chosen = self._choose(material.validation[:TUNED_ON])
        self._chosen = chosen
        self.setting = f"threshold {chosen[0]:g}, shortest {chosen[1]}"

    def _choose(self, documents: Sequence[Document]) -> tuple[float, int]:
        """Return the thresholds with the lowest Pk."""
        tables = [self.relatedness(document) for document in documents]

        def error(setting: tuple[float, int]) -> float:
            found = [
                with_sections(document, segments(table, *setting))
                for document, table in zip(documents, tables, strict=True)
            ]
            return score(documents, found).pk

        thresholds = (self.threshold,) if self.threshold else THRESHOLDS
        shortest = (self.shortest,) if self.shortest else SHORTEST
        return min(((t, s) for t in thresholds for s in shortest), key=error)

    def relatedness(self, document: Document) -> Doubles:
        """Return float64 [sentences, sentences]: weights of the best alignment of words, over both lengths."""
        assert self._vectors is not None
        language = document.language or self.language
        sentences = [
            self._vectors.known(content_words(sentence, language))[:MOST_WORDS] for sentence in document.sentence_texts
        ]
        return alignments(sentences, self._vectors)

    def starts(self, document: Document) -> Ints1d:
        """Return the first sentences of the segments."""
        return segments(self.relatedness(document), *self._chosen)


def alignments(sentences: Sequence[Ints1d], vectors: WeightedVectors) -> Doubles:
    """Return the relatedness of each pair of sentences, each given as the numbers of its words.

    The weight of two words is their cosine times the lower of their information contents; the best one-to-one
    alignment is divided by either sentence's length and the mean taken.
    """
    assign = _assignment()
    used, places = np.unique(np.concatenate([np.zeros(0, np.int64), *sentences]), return_inverse=True)
    units, information = vectors.units[used], vectors.information[used]
    weights = np.maximum(units @ units.T, 0) * np.minimum(information[:, None], information)
    ends = np.cumsum([len(words) for words in sentences])
    words = [places[end - len(part) : end] for end, part in zip(ends, sentences, strict=True)]
    found = np.zeros((len(sentences), len(sentences)))
    for i, own in enumerate(words):
        rows = weights[own]
        for j in range(i):
            other = words[j]
            if len(own) and len(other):
                table = rows[:, other]
                total = table[assign(table, maximize=True)].sum()
                found[i, j] = found[j, i] = total * (1 / len(own) + 1 / len(other)) / 2
    return found


def segments(relatedness: Doubles, threshold: float, shortest: int) -> Ints1d:
    """Return the first sentences of the segments."""
    if not relatedness.any():  # no word is known
        return np.zeros(min(1, len(relatedness)), np.int64)
    edges = relatedness > threshold
    begins = np.flatnonzero(np.concatenate([[True], ~np.diagonal(edges, 1)]))
    begins = begins[_apart(edges, begins)]
    return _joined(relatedness, begins, shortest)


def _apart(edges: NDArray[np.bool_], begins: Ints1d) -> Bools1d:
    """Return for each segment whether no edge leads to the one before it; True for the first."""
    ends = [*begins[1:].tolist(), len(edges)]
    apart = np.ones(len(begins), np.bool_)
    for k in range(1, len(begins)):
        apart[k] = not edges[begins[k - 1] : begins[k], begins[k] : ends[k]].any()
    return apart


def _joined(relatedness: Doubles, begins: Ints1d, shortest: int) -> Ints1d:
    """Join segments that are too short, from left to right, with the neighbour that they are more related to."""
    edges = [*begins.tolist(), len(relatedness)]
    k = 0
    while k < len(edges) - 1 and len(edges) > 2:
        if edges[k + 1] - edges[k] >= shortest:
            k += 1
            continue
        before = _mean(relatedness, edges, k - 1, k) if k else -1.0
        after = _mean(relatedness, edges, k, k + 1) if k + 2 < len(edges) else -1.0
        del edges[k if before >= after else k + 1]
        k = max(0, k - 1)
    return np.array(edges[:-1], np.int64)


def _mean(relatedness: Doubles, edges: list[int], left: int, right: int) -> float:
    return float(relatedness[edges[left] : edges[left + 1], edges[right] : edges[right + 1]].mean())


def _assignment() -> Callable[..., Any]:
    try:
        from scipy.optimize import linear_sum_assignment
    except ImportError as error:
        raise MissingExtraError("scipy", "baselines") from error
    found: Callable[..., Any] = linear_sum_assignment
    return found
