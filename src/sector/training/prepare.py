"""Preparation: documents → sentences → word numbers and targets, once, so that training does no text work at all."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
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
class _NumberedSplit:
    """A split whose words have numbers."""

    documents: Sequence[Document]
    words: NDArray[np.int64]
    """[words] of all sentences of all documents"""
    lengths: NDArray[np.int64]
    """[sentences] in words"""


def prepare(
    splits: Mapping[str, Iterable[Document]],
    encoder: Encoder,
    *,
    task: str,
    language: str = "",
    min_count: int = 1,
    flags: bool = False,
    about: Mapping[str, Any] | None = None,
    advance: Advance | None = None,
) -> PreparedData:
    """Fit the encoder on the ``train`` documents and turn every split into arrays.

    ``advance`` is told how many documents were done; documents without sentences are left out.
    """
    words = _Words()
    read = {name: _numbered(documents, words, advance) for name, documents in splits.items()}
    train = read["train"]
    if not train.documents:
        raise DataError("There is nothing to train on: no training document has a sentence.")
    labels = LabelVocabulary.from_documents(train.documents, task, language=language, min_count=min_count)
    encoder.fit(document.sentence_texts for document in train.documents)
    features, ranks = _word_features(encoder, list(words), _by_frequency(words, read.values()))
    made = {name: _split_data(split, ranks, labels, flags) for name, split in read.items()}
    described = dict(about or {}) | {"fingerprint": _fingerprint(train.documents), "language": language, "flags": flags}
    described |= {f"{name}_documents": split.documents for name, split in made.items()}
    described |= {f"{name}_sentences": split.sentences for name, split in made.items()}
    return PreparedData(task, labels.labels, features, made, described)


def _numbered(documents: Iterable[Document], words: _Words, advance: Advance | None) -> _NumberedSplit:
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
    return _NumberedSplit(kept, np.concatenate(numbers), np.array(lengths, np.int64))


def _by_frequency(words: _Words, splits: Iterable[_NumberedSplit]) -> NDArray[np.int64]:
    """Give the words' numbers, most frequent first: small numbers for common words make a small file."""
    counts = sum(np.bincount(split.words, minlength=len(words)) for split in splits)
    return np.argsort(-np.asarray(counts), kind="stable")


def _word_features(
    encoder: Encoder, words: Sequence[str], order: NDArray[np.int64]
) -> tuple[WordFeatures, NDArray[np.int64]]:
    """Encode every word alone, in this order; give each word's row, −1 for those that the encoder does not know."""
    rows = encoder.encode_tokens([[words[number]] for number in order])
    if isinstance(rows, SparseRows):
        known = np.diff(rows.offsets) > 0
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.diff(rows.offsets)[known])])
        features = WordFeatures(encoder.pooling, rows.width, rows.indices, rows.values, offsets)
    else:
        known = np.any(rows != 0, axis=1)
        features = WordFeatures(encoder.pooling, rows.shape[1], dense=rows[known])
    ranks = np.full(len(words), -1, np.int64)
    ranks[order[known]] = np.arange(known.sum())
    return features, ranks


def _split_data(
    split: _NumberedSplit, ranks: NDArray[np.int64], labels: LabelVocabulary, flags: bool
) -> SplitData:
    rows = ranks[split.words]
    sentence = np.repeat(np.arange(len(split.lengths)), split.lengths)[rows >= 0]
    sections, section_labels = _targets(split.documents, labels)
    flag_rows = [structure_flags(document).astype(np.uint8) for document in split.documents] if flags else []
    return SplitData(
        words=rows[rows >= 0].astype(np.uint32),
        word_offsets=np.searchsorted(sentence, np.arange(len(split.lengths) + 1)).astype(np.int64),
        document_offsets=_offsets(split.documents),
        sections=sections,
        labels=np.fromiter(chain.from_iterable(section_labels), np.int64),
        label_offsets=_offsets(section_labels),
        flags=np.concatenate(flag_rows) if flag_rows else np.zeros((len(split.lengths), len(FLAGS) * flags), np.uint8),
    )


def _targets(documents: Sequence[Document], labels: LabelVocabulary) -> tuple[NDArray[np.int64], list[list[int]]]:
    """Number the sections that have sentences through all documents; a document without sections gets one without labels."""
    sections: list[NDArray[np.int64]] = []
    named: list[list[int]] = []
    for document in documents:
        used, own = np.unique(section_of_sentences(document), return_inverse=True)
        sections.append(own + len(named))
        if document.sections:
            named += labels.all_numbers([document.sections[i] for i in used])
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
