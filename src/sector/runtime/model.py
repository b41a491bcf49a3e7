"""A loaded model: text in, a document with labelled sections out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from sector import segmentation as segmentations
from sector.arrays import Floats2d
from sector.document import Document, as_document
from sector.documents import many
from sector.encoders.settings import check_positive
from sector.errors import ConfigError
from sector.runtime.chunking import Chunking
from sector.runtime.domain import TrainedDomain
from sector.runtime.folder import ModelFolder
from sector.runtime.given import OTHER, Calibration, Examples, GivenLabels, Labels, given_labels
from sector.runtime.guard import guarded, prove
from sector.runtime.input import fitting, laid_out
from sector.runtime.installed import default_model, find
from sector.runtime.plan import Plan, own_segmentation
from sector.runtime.reader import Reader
from sector.runtime.sections import Cutter, Labeller
from sector.runtime.space import Space, normalized, space_of
from sector.runtime.titles import ByHeadings
from sector.segmentation import Lengths, Reading, Segmentation


def load(model: str | Path | None = None) -> Model:
    """Load a model.

    Args:
        model: the name of an embedded model or the path of a model folder; by default the general English model.

    Returns:
        The model, ready to segment.

    Raises:
        ModelError: there is no such model, or its folder is broken, incomplete or mixed with that of another.
    """
    return Model(find(default_model() if model is None else model))


class Model(Chunking):
    """A trained model, ready to segment."""

    def __init__(self, folder: ModelFolder) -> None:
        self.name, self.folder = folder.path.resolve().name, folder
        with guarded(folder.path):
            self._reader = Reader(folder)
            self.config = self._reader.config
            self.labels, self.task = self.config.labels, self.config.task
            self._space = space_of(folder.path, self.config.space) if self.task == "open" else None
            self._given: GivenLabels | None = None
            naming = ByHeadings.of(self._space, self.config.space) if self._space else None
            domain = TrainedDomain.load(folder.path, self.config.domain)
            self._labeller = Labeller(self.task, self.labels, self.name, naming, domain)
            self._segmentation = own_segmentation(self.config.segmentation, len(self.labels))
            prove(self.segment)

    def __reduce__(self) -> tuple[Callable[..., Model], tuple[Any, ...]]:
        """Pickle the path alone: another process, of a ``ProcessPoolExecutor`` for instance, loads the model again."""
        return _restored, (str(self.folder.path.resolve()), self._given)

    def segment(
        self,
        text: str | Document,
        *,
        segmentation: str | Segmentation | None = None,
        granularity: float | None = None,
        sections: int | None = None,
        merge: bool = False,
        max_chars: int | None = None,
        min_chars: int | None = None,
        headings: str | None = None,
        labels: Labels | None = None,
        examples: Examples | None = None,
    ) -> Document:
        """Split a text into labelled sections; empty text gives no sections.

        Args:
            text: a text, or a document of `sector.read`.
            segmentation: its name or an object; by default the model's own.
            granularity: 2 for about twice as many sections, 0.5 for half as many (joint, main, changepoint).
            sections: how many sections there are to be, in place of a granularity (joint).
            merge: join neighbouring sections of one label.
            max_chars: the most characters of a section; no section is longer.
            min_chars: sections with fewer characters join a neighbour, unless the two are too long.
            headings: the author's: "use" them (the model divides long sections), "only" them, or "ignore" them.
            labels: names of your own, and ``examples`` of them, as `with_labels` takes them.

        Raises:
            ConfigError: an option that cannot be; DataError: what is no text, or too long.
        """
        model = self._labelled(labels, examples)
        plan = model._plan(segmentation, granularity, sections, merge, max_chars, min_chars)
        document = laid_out(text, model.config.language, headings)
        return plan.segmented(document, *model.read([document]))

    def decode(
        self,
        document: Document,
        reading: Reading,
        *,
        segmentation: str | Segmentation | None = None,
        granularity: float | None = None,
        sections: int | None = None,
        merge: bool = False,
        max_chars: int | None = None,
        min_chars: int | None = None,
        labels: Labels | None = None,
        examples: Examples | None = None,
    ) -> Document:
        """Return the document with sections, from what `read` said of it: other options without reading it again.

        The options are those of `segment`, and so is the result. Labels need a reading of a model of open vocabulary.
        """
        model = self._labelled(labels, examples)
        plan = model._plan(segmentation, granularity, sections, merge, max_chars, min_chars)
        document = as_document(document, model.config.language)
        return plan.segmented(document, model._compared(fitting(reading, document)))

    def cut(self, document: Document, reading: Reading, cutter: Cutter) -> Document:
        """Return the document with sections where a cutter says, from what `read` said of it."""
        document = as_document(document, self.config.language)
        reading = self._compared(fitting(reading, document))
        return self._labeller.segmented(document, reading, self._segmentation, cutter)

    def segment_all(
        self,
        texts: Iterable[str | Document],
        *,
        batch_size: int = 32,
        segmentation: str | Segmentation | None = None,
        granularity: float | None = None,
        sections: int | None = None,
        merge: bool = False,
        max_chars: int | None = None,
        min_chars: int | None = None,
        headings: str | None = None,
        labels: Labels | None = None,
        examples: Examples | None = None,
    ) -> Iterator[Document]:
        """Segment many texts, in order; the same results as one by one. Options are checked at once.

        ``batch_size`` texts are read together, and up to twice as many are taken ahead of them.
        """
        model = self._labelled(labels, examples)
        plan = model._plan(segmentation, granularity, sections, merge, max_chars, min_chars)
        return model._segmented(model._documents(texts, headings), check_positive("batch_size", batch_size), plan)

    def cut_all(
        self, texts: Iterable[str | Document], cutter: Cutter, *, batch_size: int = 32, headings: str | None = None
    ) -> Iterator[Document]:
        """Segment many texts, in order, where a cutter says, which sees what the model says of them."""
        plan = Plan(self._labeller, self._segmentation, cutter)
        return self._segmented(self._documents(texts, headings), check_positive("batch_size", batch_size), plan)

    def _documents(self, texts: Iterable[str | Document], headings: str | None) -> Iterator[Document]:
        return (laid_out(text, self.config.language, headings) for text in many(texts, "texts"))

    def _segmented(self, documents: Iterable[Document], size: int, plan: Plan) -> Iterator[Document]:
        for chunk, readings in self._reader.read_all(documents, size):
            for document, reading in zip(chunk, readings, strict=True):
                yield plan.segmented(document, self._compared(reading))

    def read(self, documents: Sequence[Document]) -> list[Reading]:
        """Run the network: labels and embeddings of every sentence of every document."""
        return [self._compared(reading) for reading in self._reader.read(list(many(documents, "documents")))]

    def with_labels(self, labels: Labels | None = None, examples: Examples | None = None) -> Model:
        """Return a model that names sections by labels of the caller's, without training.

        Args:
            labels: names, or ``{name: description}``; None: the names that examples are given of.
            examples: a few texts of each label, ``{name: texts}`` or pairs ``(text, name)``.

        Returns:
            A model that shares all else with this one. Where no label fits it says "other". A model of topics or
            heading words has no space for labels: the default model of open vocabulary takes its place.

        Raises:
            ConfigError: labels or examples that cannot be used, or no model of open vocabulary is there.
        """
        if self._space is None:
            return _open_model(self).with_labels(labels, examples)
        plain = self if self._given is None else Model(self.folder)
        calibration = Calibration.of(self.config.space)
        return self._with(given_labels(self._space, labels, examples, plain._section_vectors, calibration))

    def embed(self, texts: Sequence[str]) -> Floats2d:
        """Return phrases, descriptions or queries as vectors in the space of ``Section.embedding``.

        Args:
            texts: any texts; of several sentences the mean counts.

        Returns:
            float32 [texts, d], each of length 1; zeros for a text without any word.

        Raises:
            ConfigError: the model has no such space.
        """
        if self._space is None:
            raise ConfigError(
                f"The model {self.name} has labels of its own and no space for texts; load one of open vocabulary, "
                "e.g. sector.load()."
            )
        if isinstance(texts, str):
            raise ConfigError("A list of texts is expected, not one text; give [text].")
        return self._space.embed(list(texts))

    @property
    def segmentation(self) -> Segmentation:
        """The model's own way to find sections, its default."""
        return self._segmentation

    @property
    def space(self) -> Space | None:
        """The space of headings; None in a model that has labels of its own."""
        return self._space

    def _labelled(self, labels: Labels | None, examples: Examples | None) -> Model:
        return self if labels is None and examples is None else self.with_labels(labels, examples)

    def _with(self, given: GivenLabels) -> Model:
        """Return a copy with these labels; the network and the encoder are the same objects."""
        copied = object.__new__(Model)
        copied.__dict__.update(self.__dict__)
        given = replace(given, space=self._space)
        copied._given, copied.task = given, "topics"
        copied.labels = (*given.given, OTHER)
        copied._labeller = replace(self._labeller, task="topics", labels=copied.labels, naming=given)
        return copied

    def _compared(self, reading: Reading) -> Reading:
        """Add the probabilities of given labels."""
        if self._given is None:
            return reading
        if reading.vectors is None:
            raise ConfigError(
                "Labels need the reading of a model of open vocabulary, and this is that of another; read the document "
                "with the model that 'with_labels' returns."
            )
        return self._given.reading(reading)

    def _section_vectors(self, texts: Sequence[str]) -> Floats2d:
        """Return each text as one section in the space, float32 [texts, d] of length 1."""
        readings = self.read([laid_out(text, self.config.language, "ignore") for text in texts])
        rows = [reading.vectors for reading in readings if reading.vectors is not None]
        return normalized(np.stack([row.sum(axis=0, dtype=np.float32) for row in rows]))

    def _plan(
        self,
        segmentation: str | Segmentation | None,
        granularity: float | None,
        sections: int | None,
        merge: bool,
        max_chars: int | None,
        min_chars: int | None,
    ) -> Plan:
        """Check options; the segmentation is the model's own by default, with what it learned about labels."""
        if segmentation is None or (isinstance(segmentation, str) and segmentation == self._segmentation.name):
            segmentation = self._segmentation
        chosen = segmentations.with_dial(segmentations.make(segmentation), granularity, sections)
        return Plan(self._labeller, segmentations.make(chosen, merge=merge), Lengths(max_chars, min_chars))


def _restored(folder: str, given: GivenLabels | None) -> Model:
    model = load(folder)
    return model._with(given) if given else model


def _open_model(instead_of: Model) -> Model:
    """Return the default model of open vocabulary; raises ConfigError where there is none for this one's language."""
    name, language = default_model(), instead_of.config.language
    known = find(name).config()
    if known.task != "open":
        raise ConfigError(
            f"Labels of your own need a model of open vocabulary; neither {instead_of.name} nor {name}, the default, "
            "is one."
        )
    if language and known.language and language != known.language:
        raise ConfigError(
            f"Labels of your own need a model of open vocabulary, and {name} knows '{known.language}' but not "
            f"'{language}', the language of {instead_of.name}."
        )
    return load(name)
