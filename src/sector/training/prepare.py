"""Preparation: documents → sentences → word numbers and targets, once, so that training does no text work at all."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sector.document import Document
from sector.encoders.base import Encoder, SparseRows
from sector.encoders.structure import FLAGS, structure_flags
from sector.errors import DataError
from sector.text.tokens import tokenize
from sector.training.labels import LabelVocabulary, section_of_sentences
from sector.training.prepared import PreparedData, SplitData, WordFeatures

Advance = Callable[[int], None]


class _Words(dict[str, int]):
    """Numbers words in the order in which they are met."""

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self)
        return number


@dataclass(frozen=True, slots=True, eq=False)
class NumberedSplit:
    """Documents whose words have numbers."""

    documents: Sequence[Document]
    words: NDArray[np.int64]
    """[words] of all sentences of all documents"""
    lengths: NDArray[np.int64]
    """[sentences] in words"""


@dataclass(frozen=True, slots=True, eq=False)
class NumberedCorpus:
    """All splits with one numbering of words: the most frequent is 0, so that numbers are small and pack well."""

    words: list[str]
    splits: Mapping[str, NumberedSplit]


def number_words(splits: Mapping[str, Iterable[Document]], advance: Advance | None = None) -> NumberedCorpus:
    """Split the documents into words and number them; documents without sentences are left out.

    ``advance`` is told how many documents were done.
    """
    met = _Words()
    read = {name: _numbered(documents, met, advance) for name, documents in splits.items()}
    counts = sum((np.bincount(split.words, minlength=len(met)) for split in read.values()), np.zeros(len(met), int))
    order = np.argsort(-counts, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    words = list(met)
    return NumberedCorpus(
        [words[number] for number in order],
        {name: replace(split, words=rank[split.words]) for name, split in read.items()},
    )


def prepare(
    corpus: NumberedCorpus,
    encoder: Encoder,
    *,
    task: str,
    language: str = "",
    min_count: int = 1,
    flags: bool = False,
    about: Mapping[str, Any] | None = None,
) -> PreparedData:
    """Fit the encoder on the ``train`` documents and turn every split into arrays."""
    train = corpus.splits["train"].documents
    if not train:
        raise DataError("There is nothing to train on: no training document has a sentence.")
    labels = LabelVocabulary.from_documents(train, task, language=language, min_count=min_count)
    encoder.fit(document.sentence_texts for document in train)
    features, known = word_features(encoder, corpus.words)
    made = {name: _split_data(split, known, labels, flags) for name, split in corpus.splits.items()}
    described = dict(about or {}) | {"fingerprint": _fingerprint(train), "language": language, "flags": flags}
    described |= {f"{name}_documents": split.documents for name, split in made.items()}
    described |= {f"{name}_sentences": split.sentences for name, split in made.items()}
    return PreparedData(task, labels.labels, features, made, described)


def word_features(encoder: Encoder, words: Sequence[str]) -> tuple[WordFeatures, NDArray[np.bool_]]:
    """Encode every word alone; words that the encoder does not know get no row, and false."""
    rows = encoder.encode_tokens([[word] for word in words])
    if isinstance(rows, SparseRows):
        known = np.diff(rows.offsets) > 0
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.diff(rows.offsets)[known])])
        return WordFeatures(encoder.pooling, rows.width, rows.indices, rows.values, offsets), known
    known = np.any(rows != 0, axis=1)
    return WordFeatures(encoder.pooling, rows.shape[1], dense=rows[known]), known


def _numbered(documents: Iterable[Document], words: _Words, advance: Advance | None) -> NumberedSplit:
    kept: list[Document] = []
    numbers: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
    lengths: list[int] = []
    for document in documents:
        if len(document):
            kept.append(document)
            tokens = [tokenize(sentence) for sentence in document.sentence_texts]
            lengths += map(len, tokens)
            numbers.append(np.array([words[word] for sentence in tokens for word in sentence], np.int64))
        if advance:
            advance(1)
    return NumberedSplit(kept, np.concatenate(numbers), np.array(lengths, np.int64))


def _split_data(split: NumberedSplit, known: NDArray[np.bool_], labels: LabelVocabulary, flags: bool) -> SplitData:
    kept = known[split.words]
    before = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])
    sections, section_labels = _targets(split.documents, labels)
    flag_rows = [structure_flags(document).astype(np.uint8) for document in split.documents] if flags else []
    return SplitData(
        words=(np.cumsum(known) - 1)[split.words[kept]].astype(np.uint32),
        word_offsets=before[np.concatenate([np.zeros(1, np.int64), np.cumsum(split.lengths)])],
        document_offsets=_offsets(split.documents),
        sections=sections,
        labels=np.fromiter(chain.from_iterable(section_labels), np.int64),
        label_offsets=_offsets(section_labels),
        flags=np.concatenate(flag_rows) if flag_rows else np.zeros((len(split.lengths), len(FLAGS) * flags), np.uint8),
    )


def _targets(documents: Sequence[Document], labels: LabelVocabulary) -> tuple[NDArray[np.int64], list[list[int]]]:
    """Number the sections that have sentences through all documents; no sections count as one without labels."""
    sections: list[NDArray[np.int64]] = []
    named: list[list[int]] = []
    for document in documents:
        used, own = np.unique(section_of_sentences(document), return_inverse=True)
        sections.append(own + len(named))
        if document.sections:
            named += labels.numbers([document.sections[i] for i in used])
        else:
            named.append([])
    return np.concatenate([np.zeros(0, np.int64), *sections]).astype(np.int64), named


def _offsets(parts: Iterable[Any]) -> NDArray[np.int64]:
    lengths = np.fromiter((len(part) for part in parts), np.int64)
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])


def _fingerprint(documents: Iterable[Document]) -> str:
    digest = hashlib.sha256()
    for document in documents:
        digest.update(document.text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:16]
