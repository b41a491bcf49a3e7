"""Preparation: documents → sentences → word numbers and targets, once, so that training does no text work at all."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sector.document import Document
from sector.encoders.base import Encoder
from sector.encoders.features import WordFeatures
from sector.encoders.structure import FLAGS, structure_flags
from sector.errors import DataError
from sector.progress import Advance
from sector.tasks import TaskName
from sector.text.headings import PATH, main_heading
from sector.training.labels import LabelVocabulary, section_of_sentences
from sector.training.prepared import PreparedData, SplitData

UNKNOWN_MAIN = 2
"""In ``mains``: nobody knows whether this section is a main one."""
MANY = 6
"""Sections of a document without levels that are hardly all main ones."""


class _Numbering(dict[Any, int]):
    """Numbers words, or pieces of words, in the order in which they are met."""

    def __missing__(self, token: Any) -> int:
        self[token] = number = len(self)
        return number


@dataclass(frozen=True, slots=True, eq=False)
class NumberedSplit:
    """Documents whose words, or pieces of words, have numbers."""

    documents: Sequence[Document]
    tokens: NDArray[np.int64]
    """[tokens] of all sentences of all documents"""
    lengths: NDArray[np.int64]
    """[sentences] in tokens"""


@dataclass(frozen=True, slots=True, eq=False)
class NumberedCorpus:
    """All splits with one numbering of tokens: the most frequent is 0, so that numbers are small and pack well."""

    tokens: list[Any]
    """Words, or pieces of words, as the encoder gives them."""
    splits: Mapping[str, NumberedSplit]


def number_tokens(
    splits: Mapping[str, Iterable[Document]], encoder: Encoder, advance: Advance | None = None
) -> NumberedCorpus:
    """Split the documents into what the encoder reads and number it; documents without sentences are left out.

    ``advance`` is told how many documents were done.
    """
    met = _Numbering()
    read = {name: _numbered(documents, encoder, met, advance) for name, documents in splits.items()}
    counts = sum((np.bincount(split.tokens, minlength=len(met)) for split in read.values()), np.zeros(len(met), int))
    order = np.argsort(-counts, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    tokens = list(met)
    return NumberedCorpus(
        [tokens[number] for number in order],
        {name: replace(split, tokens=rank[split.tokens]) for name, split in read.items()},
    )


@dataclass(frozen=True, slots=True)
class TaskOptions:
    """What is to be learned of documents."""

    task: TaskName
    language: str = ""
    min_count: int = 1
    flags: bool = False
    about: Mapping[str, Any] = field(default_factory=dict)
    """What the model folder will say beside what is found here."""


def prepare(corpus: NumberedCorpus, encoder: Encoder, options: TaskOptions) -> PreparedData:
    """Fit the encoder on the ``train`` documents and turn every split into arrays."""
    return prepare_tasks({"": corpus.splits}, corpus.tokens, encoder, {"": options})[""]


def prepare_tasks(
    splits: Mapping[str, Mapping[str, NumberedSplit]],
    tokens: Sequence[Any],
    encoder: Encoder,
    tasks: Mapping[str, TaskOptions],
) -> dict[str, PreparedData]:
    """Fit one encoder on the ``train`` documents of all tasks; tokens have the same numbers in all of them."""
    trained = [document for name in tasks for document in splits[name]["train"].documents]
    if not trained:
        raise DataError("There is nothing to train on: no training document has a sentence.")
    encoder.fit(document.sentence_texts for document in trained)
    features, numbers = encoder.features(tokens)
    return {name: _prepared(splits[name], options, features, numbers) for name, options in tasks.items()}


def _prepared(
    splits: Mapping[str, NumberedSplit], options: TaskOptions, features: WordFeatures, numbers: NDArray[np.int64]
) -> PreparedData:
    train, language = splits["train"].documents, options.language
    labels = LabelVocabulary.from_documents(train, options.task, language=language, min_count=options.min_count)
    made = {name: split_data(split, numbers, labels, options.flags) for name, split in splits.items()}
    described = {**options.about, "fingerprint": _fingerprint(train), "language": language, "flags": options.flags}
    described |= {f"{name}_documents": split.documents for name, split in made.items()}
    described |= {f"{name}_sentences": split.sentences for name, split in made.items()}
    return PreparedData(options.task, labels.labels, features, made, described)


def _numbered(
    documents: Iterable[Document], encoder: Encoder, met: _Numbering, advance: Advance | None
) -> NumberedSplit:
    kept: list[Document] = []
    numbers: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
    lengths: list[int] = []
    for document in documents:
        if len(document):
            kept.append(document)
            tokens = encoder.tokenize(document.sentence_texts)
            lengths += map(len, tokens)
            numbers.append(np.array([met[token] for sentence in tokens for token in sentence], np.int64))
        if advance:
            advance(1)
    return NumberedSplit(kept, np.concatenate(numbers), np.array(lengths, np.int64))


def split_data(split: NumberedSplit, numbers: NDArray[np.int64], labels: LabelVocabulary, flags: bool) -> SplitData:
    """Turn documents into arrays; ``numbers`` are the rows of the words' features, −1 for words that are left out."""
    words = numbers[split.tokens]
    kept = words >= 0
    before = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])
    sections, section_labels = _targets(split.documents, labels)
    flag_rows = [structure_flags(document).astype(np.uint8) for document in split.documents] if flags else []
    return SplitData(
        words=words[kept].astype(np.uint32),
        word_offsets=before[np.concatenate([np.zeros(1, np.int64), np.cumsum(split.lengths)])],
        document_offsets=_offsets(split.documents),
        sections=sections,
        labels=np.fromiter(chain.from_iterable(section_labels), np.int64),
        label_offsets=_offsets(section_labels),
        flags=np.concatenate(flag_rows) if flag_rows else np.zeros((len(split.lengths), len(FLAGS) * flags), np.uint8),
        mains=None if labels.task == "topics" else _mains(split.documents, labels.task == "open"),
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


def _mains(documents: Sequence[Document], open_vocabulary: bool) -> NDArray[np.uint8]:
    """Return for the sections that have sentences, in the order of ``_targets``, whether a main section begins there.

    With an open vocabulary it is `UNKNOWN_MAIN` in long documents whose headings have no levels at all.
    """
    found: list[int] = []
    for document in documents:
        used = np.unique(section_of_sentences(document)) if document.sections else np.zeros(0, np.int64)
        headings = [document.sections[i].heading for i in used]
        names = [main_heading(heading) for heading in headings] or [""]
        flat = open_vocabulary and len(names) > MANY and not any(PATH in heading for heading in headings)
        found += [1, *(UNKNOWN_MAIN if flat else int(one != other) for one, other in pairwise(names))]
    return np.array(found, np.uint8)


def _offsets(parts: Iterable[Any]) -> NDArray[np.int64]:
    lengths = np.fromiter((len(part) for part in parts), np.int64)
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])


def _fingerprint(documents: Iterable[Document]) -> str:
    """Return a name that changes with the texts, and with the begins, labels and headings of their sections."""
    digest = hashlib.sha256()
    for document in documents:
        sections = [(section.begin, section.label, section.heading) for section in document.sections]
        digest.update(f"{document.text}\0{sections}\0".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:16]
