"""What a system of a comparison is: it may learn from documents, then it segments, and perhaps labels, others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, Protocol

import numpy as np

from sector.arrays import Ints1d
from sector.datasets import load
from sector.document import Document, Section, as_document
from sector.errors import ConfigError
from sector.progress import Advance
from sector.runtime.sections import Labeller
from sector.segmentation import Reading, make
from sector.tasks import TaskName

SEGMENTS = "segments"
"""The entry of a document's metadata that tells a system, which asks for it, how many segments the gold data has."""
LONGEST = 1500
"""Sentences that a method of quadratic cost looks at together; a longer document is cut into pieces of like length."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be learned, and with what."""

    name: TaskName = "topics"
    """``topics`` or ``headings``"""
    language: str = ""
    min_count: int = 3
    """How often a heading word must occur in training to be learned."""
    seed: int = 1
    vectors: Path | None = None
    """Word vectors for those systems that read them; without it they are trained on the training documents."""
    device: str = "auto"
    advance: Advance = field(default=lambda count: None, compare=False)


class Material:
    """The documents that a system may learn from; files are read when they are first asked for."""

    def __init__(
        self, train: Path | None = None, validation: Path | None = None, language: str = "", limit: int = 0
    ) -> None:
        self._paths = {"train": train, "validation": validation}
        self._language, self.limit = language, limit
        self.files = tuple(path for path in (train, validation) if path)
        """A trained system is used again for the same files only."""

    @classmethod
    def of(cls, train: Sequence[Document] = (), validation: Sequence[Document] = ()) -> Material:
        """Make material of documents that are there already."""
        made = cls()
        made.__dict__ |= {"train": list(train), "validation": list(validation)}
        return made

    @cached_property
    def train(self) -> list[Document]:
        """The documents to learn from."""
        return self._load("train")

    @cached_property
    def validation(self) -> list[Document]:
        """The documents that decide what a system may choose."""
        return self._load("validation")

    def _load(self, part: str) -> list[Document]:
        path = self._paths[part]
        documents = load(path, language=self._language) if path else []
        return documents[: self.limit or None]


class System(Protocol):
    """One compared system. Its options are the fields of a dataclass."""

    name: ClassVar[str]
    citation: ClassVar[str]
    segmentations: ClassVar[tuple[str, ...]]
    """The names of the rows that it has in a table; one empty name for a system with a segmentation of its own."""
    labels: tuple[str, ...]
    """What it calls sections, once it has learned; empty for a system that only segments."""

    def fit(self, material: Material, task: Task, folder: Path) -> None:
        """Train, or load from ``folder`` what an earlier training on the same documents left there."""
        ...

    def segment_all(self, documents: Iterable[str | Document], /, *, segmentation: Any = None) -> Iterator[Document]:
        """Return a segmented document for each document, in order."""
        ...


class BoundarySystem:
    """Base of systems that find boundaries and know no labels: a document to the sentences that begin a section."""

    segmentations: ClassVar[tuple[str, ...]] = ("",)
    labels: tuple[str, ...] = ()
    language = ""

    def fit(self, material: Material, task: Task, folder: Path) -> None:
        """Remember the language; there is nothing to learn."""
        self.language = task.language

    def starts(self, document: Document) -> Ints1d:
        """Return the sentences that begin a section, sorted; a system overrides this."""
        raise NotImplementedError

    def segment_all(self, documents: Iterable[str | Document], /, *, segmentation: Any = None) -> Iterator[Document]:
        """Return a segmented document for each document, in order."""
        for text in documents:
            document = as_document(text, self.language)
            yield with_sections(document, in_pieces(self.starts, document) if len(document) > 1 else np.zeros(0, int))


class Classifier:
    """Base of systems that score the labels of each sentence; sections are found by our own segmentations."""

    segmentations: ClassVar[tuple[str, ...]] = ("newline", "max")
    labels: tuple[str, ...] = ()
    task: TaskName = "topics"
    language = ""

    def read(self, document: Document) -> Reading:
        """Return the scores, and perhaps embeddings, of the sentences; a system overrides this."""
        raise NotImplementedError

    def segment_all(self, documents: Iterable[str | Document], /, *, segmentation: Any = None) -> Iterator[Document]:
        """Return a segmented document for each document, in order."""
        method = make(segmentation or self.segmentations[-1])
        labeller = Labeller(self.task, self.labels)
        for text in documents:
            document = as_document(text, self.language)
            reading = replace(self.read(document), paragraph_end=document.spans.paragraph_end)
            yield labeller.segmented(document, reading, method)


def with_sections(document: Document, starts: Ints1d) -> Document:
    """Return the document with sections that begin at these sentences and cover the text; none if it is empty."""
    if not document.text:
        return document
    begins = document.spans.begin[np.asarray(starts, np.int64)]
    edges = [0, *(int(begin) for begin in np.unique(begins) if begin > 0), len(document.text)]
    sections = tuple(Section(begin, end, source=document.text) for begin, end in pairwise(edges))
    return replace(document, sections=sections, given_spans=document.spans)


def in_pieces(find: Callable[[Document], Ints1d], document: Document, longest: int = LONGEST) -> Ints1d:
    """Apply ``find`` to a long document piece by piece; each piece begins a section."""
    if len(document) <= longest:
        return find(document)
    spans = document.spans
    found = []
    for first, last in pieces(len(document), longest):
        part = type(spans)(spans.begin[first:last], spans.end[first:last], spans.paragraph_end[first:last])
        found.append(np.union1d([0], find(replace(document, given_spans=part, sections=()))) + first)
    return np.concatenate(found).astype(np.int64)


def pieces(sentences: int, longest: int) -> list[tuple[int, int]]:
    """Cut a number of sentences into as few runs of like length as possible, none longer than ``longest``."""
    edges = np.linspace(0, sentences, -(-sentences // longest) + 1).astype(int).tolist()
    return list(pairwise(edges))


def known_segments(document: Document) -> int | None:
    """Return the gold number of segments where the document says it."""
    found = document.metadata.get(SEGMENTS, "")
    return int(found) if found.isdigit() else None


def check_options(system: Any, least: dict[str, float]) -> None:
    """Raise ConfigError for an option of a system that is no number or lies below its least value."""
    for name, bound in least.items():
        value = getattr(system, name)
        if not isinstance(value, int | float) or isinstance(value, bool) or not bound <= value < float("inf"):
            raise ConfigError(f"The option '{name}' of '{system.name}' is {value!r}; it must be at least {bound}.")


def options_of(system: Any) -> dict[str, Any]:
    """Return the options of a system, for its record."""
    return {entry.name: getattr(system, entry.name) for entry in fields(system) if entry.init}
