"""What is done with each document of a part: sections, or chunks; each is rows of a file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Protocol

from sector.chunks.names import tokenizer_named
from sector.corpus.chunking import chunk_documents
from sector.corpus.engine import SegmentOptions
from sector.corpus.languages import by_model
from sector.document import Document
from sector.runtime.fingerprint import model_fingerprint
from sector.text.language import detect_language

if TYPE_CHECKING:
    from sector.runtime import Model

BATCH = 32
"""Documents that the network reads at once."""


@dataclass(frozen=True, slots=True)
class Finished:
    """What was made of a document."""

    document: str
    """Its id."""
    rows: Sequence[dict[str, Any]]
    labels: Sequence[str]
    """One for each section or chunk."""


class DocumentTask(Protocol):
    """Something that is done with documents; it can be sent to another machine, where the model is loaded once."""

    @property
    def unit(self) -> str:
        """What is counted: ``sections`` or ``chunks``."""
        ...

    def settings(self) -> dict[str, Any]:
        """Return what the results depend on beside the documents."""
        ...

    def prepare(self) -> None:
        """Load the model and check the options."""
        ...

    def finish(self, documents: Sequence[Document]) -> list[Finished]:
        """Return what is made of each document, in order."""
        ...


class Modelled(ABC):
    """A task with a model; one that none was named for is chosen by the document's language."""

    model: str | None

    @cached_property
    def loaded(self) -> Model:
        """Load the model."""
        from sector.runtime import load

        return load(self.model)

    def prepare(self) -> None:
        """Load the model and check the options."""
        list(self.made_of([]))

    def finish(self, documents: Sequence[Document]) -> list[Finished]:
        """Return what is made of each document, in order; those that are read together are alike."""
        known = [self._with_language(document) for document in documents]
        order = sorted(range(len(known)), key=lambda number: (known[number].language, len(known[number].text)))
        made = self.made_of([known[number] for number in order])
        return [found for _, found in sorted(zip(order, made, strict=True), key=itemgetter(0))]

    @abstractmethod
    def made_of(self, documents: Sequence[Document]) -> Iterable[Finished]:
        """Return what is made of each document, in order, as they come."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "loaded"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def options(self) -> dict[str, Any]:
        """Return all fields but the model."""
        return {name: value for name, value in vars(self).items() if name not in ("model", "loaded")}

    def settings(self) -> dict[str, Any]:
        """Return the model and the options."""
        model = self.loaded
        by = {"model": model.name, "fingerprint": model_fingerprint(model.folder), "by_language": self.model is None}
        return {"task": type(self).__name__.removesuffix("Task").lower()} | by | self.options()

    def _with_language(self, document: Document) -> Document:
        if self.model is not None or document.language:
            return document
        return replace(document, language=detect_language(document.text))


@dataclass(frozen=True)
class SegmentTask(SegmentOptions, Modelled):
    """Sections: a row per document."""

    model: str | None = None

    @property
    def unit(self) -> str:
        """Sections."""
        return "sections"

    def made_of(self, documents: Sequence[Document]) -> Iterator[Finished]:
        """Return the JSON object of each document."""
        self.loaded.segment_all([], **self.options())
        for chosen, group in by_model(documents, self.loaded, self.model is None):
            for document in chosen.segment_all(group, batch_size=BATCH, **self.options()):
                yield Finished(document.id, [document.to_dict()], [section.name for section in document.sections])


@dataclass(frozen=True)
class ChunkTask(Modelled):
    """Chunks for retrieval: a row per chunk."""

    model: str | None = None
    max_tokens: int = 512
    tokenizer: str | None = None
    overlap: int = 0
    fill: float = 0.8
    headings: str | None = None

    @property
    def unit(self) -> str:
        """Chunks."""
        return "chunks"

    def made_of(self, documents: Sequence[Document]) -> Iterator[Finished]:
        """Return the chunks of each document."""
        options = self.options() | {"tokenizer": tokenizer_named(self.tokenizer)}
        self.loaded.chunk_all([], **options)
        found = chunk_documents(documents, self.loaded, by_language=self.model is None, **options)
        for document, chunks in found:
            yield Finished(document.id, [chunk.to_dict() for chunk in chunks], [chunk.label for chunk in chunks])
