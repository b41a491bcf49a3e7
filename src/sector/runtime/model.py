"""A loaded model: text in, a document with labelled sections out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from sector import encoders
from sector import segmentation as segmentations
from sector.arrays import Floats2d
from sector.document import Document, as_document
from sector.encoders.base import Rows
from sector.encoders.structure import FLAGS, structure_flags
from sector.errors import ConfigError, DataError, ModelError
from sector.reading import read_text
from sector.runtime.checksums import verify
from sector.runtime.chunking import Chunking
from sector.runtime.companion import Companion, place_of, reason_against
from sector.runtime.folder import ModelFolder
from sector.runtime.network import NetworkSession
from sector.runtime.sections import Cutter, Labeller
from sector.runtime.structured import constrained, prose
from sector.segmentation import Lengths, Reading, Segmentation
from sector.structure import check_headings

EMBEDDED = Path(__file__).parent.parent / "models"
"""The models that come with the package."""
DEFAULT = "en_wiki"
"""The embedded model that is used where none is named, if it is there."""
CHUNK_SENTENCES = 2**14
"""Texts with as many sentences make a chunk, however few they are: bounds memory for long documents."""
MOST_SENTENCES = 1_000_000
"""Of one document; a longer one raises a DataError. As many take about 5 GB with 30 labels and 10 GB with 2,341."""
MOST_CHARACTERS = 100 * MOST_SENTENCES
THREADS = 2
"""That run the network, each a chunk of its own: it leaves the interpreter free, and takes more time than all else."""
Prepared: TypeAlias = tuple[Document, Rows]
"""A document and what computes the network's input for its sentences."""
Group: TypeAlias = Future[tuple[list[Prepared], list[Reading]]]
"""Documents that are being read."""


def models() -> list[str]:
    """Return the names of the embedded models."""
    return sorted(file.parent.name for file in EMBEDDED.glob("*/config.json"))


def default_model() -> str:
    """Return the name of the embedded model that is used where none is named."""
    names = models()
    if not names:
        raise ModelError("No model came with this installation; name the folder of one, or learn one: sector train.")
    return DEFAULT if DEFAULT in names else names[0]


def find(model: str | Path) -> ModelFolder:
    """Return the folder of an embedded model, by its name, or of any other, by its path."""
    if str(model) in models():
        return ModelFolder(EMBEDDED / str(model))
    if not Path(model).exists():
        names = ", ".join(models()) or "none"
        raise ModelError(f"There is no model '{model}': neither a folder nor one of the embedded models ({names}).")
    return ModelFolder(Path(model))


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
        self.name = folder.path.resolve().name
        self.folder = folder
        self.config = folder.config()
        verify(folder.path, self.config.encoder, self.config.files)
        self.labels = self.config.labels
        self.task = self.config.task
        self._labeller = Labeller(self.task, self.labels, self.name)
        encoder = encoders.load(folder.path, self.config.encoder)
        width, expected = encoder.width + self.config.flags * len(FLAGS), self.config.network.inputs
        if width != expected:
            raise ModelError(
                f"{folder.path} is mixed up: its encoder gives {width} values, its network takes {expected}."
            )
        self._inputs = encoder.input_layer(folder.matrix(self.config.network))
        self._network = NetworkSession(folder.graph(), self.config.network, self._inputs.projected or expected)
        self._segmentation = _segmentation_from(self.config.segmentation, len(self.labels))
        self._companion = self._load_companion() if self.config.companion else None

    def __reduce__(self) -> tuple[Callable[[str], Model], tuple[str]]:
        """Pickle the path alone: another process, of a ``ProcessPoolExecutor`` for instance, loads the model again."""
        return load, (str(self.folder.path.resolve()),)

    def _load_companion(self) -> Companion:
        place, share = place_of(self.folder.path.resolve(), self.config.companion)
        folder = ModelFolder(place)
        reason = reason_against(self.config, folder.config())  # before loading: two could name each other
        if reason:
            raise ModelError(f"{place.name} cannot be the companion of {self.name}: {reason}; name another.")
        return Companion.of(self, Model(folder), share)

    def segment(
        self,
        text: str | Document,
        *,
        segmentation: str | Segmentation | None = None,
        granularity: float | None = None,
        merge: bool = False,
        max_chars: int | None = None,
        min_chars: int | None = None,
        headings: str | None = None,
    ) -> Document:
        """Split a text into labelled sections; empty text gives no sections.

        ``granularity`` makes sections shorter (2) or longer (0.5) where the segmentation can do so: "joint", "main"
        and "changepoint". ``merge`` joins neighbouring sections of one label. ``headings``: "use" (the author's cut and
        name sections, the model divides long ones), "only" (the author's sections alone) or "ignore".
        """
        chosen, lengths = self._chosen(segmentation, granularity, merge), segmentations.Lengths(max_chars, min_chars)
        document = _as_document(text, self.config.language, headings)
        (reading,) = self.read([document])
        return self._labeller.segmented(document, reading, chosen, lengths)

    def decode(
        self,
        document: Document,
        reading: Reading,
        *,
        segmentation: str | Segmentation | None = None,
        granularity: float | None = None,
        merge: bool = False,
        max_chars: int | None = None,
        min_chars: int | None = None,
    ) -> Document:
        """Return the document with sections, from what `read` said of it: other options without reading it again.

        The options are those of `segment`, and so is the result.
        """
        chosen, lengths = self._chosen(segmentation, granularity, merge), segmentations.Lengths(max_chars, min_chars)
        return self._labeller.segmented(as_document(document, self.config.language), reading, chosen, lengths)

    def segment_all(
        self,
        texts: Iterable[str | Document],
        *,
        batch_size: int = 32,
        segmentation: str | Segmentation | None = None,
        granularity: float | None = None,
        merge: bool = False,
        max_chars: int | None = None,
        min_chars: int | None = None,
        headings: str | None = None,
    ) -> Iterator[Document]:
        """Segment many texts, in order; the same results as one by one. Options are checked at once.

        ``batch_size`` texts are read together, and up to twice as many are taken ahead of them.
        """
        chosen, lengths = self._chosen(segmentation, granularity, merge), segmentations.Lengths(max_chars, min_chars)
        return self._segmented(self._documents(texts, headings), _checked(batch_size), chosen, lengths)

    def cut_all(
        self, texts: Iterable[str | Document], cutter: Cutter, *, batch_size: int = 32, headings: str | None = None
    ) -> Iterator[Document]:
        """Segment many texts, in order, where a cutter says, which sees what the model says of them."""
        return self._segmented(self._documents(texts, headings), _checked(batch_size), self._segmentation, cutter)

    def _documents(self, texts: Iterable[str | Document], headings: str | None) -> Iterator[Document]:
        return (_as_document(text, self.config.language, headings) for text in texts)

    def _chosen(self, segmentation: str | Segmentation | None, granularity: float | None, merge: bool) -> Segmentation:
        """Return a segmentation; the model's own by default, with what it learned about labels."""
        if segmentation is None or segmentation == self._segmentation.name:
            segmentation = self._segmentation
        chosen = segmentations.make(segmentation)
        if granularity is not None:
            chosen = segmentations.with_granularity(chosen, granularity)
        return segmentations.make(chosen, merge=merge)

    def _segmented(
        self, texts: Iterable[str | Document], size: int, segmentation: Segmentation, lengths: Lengths | Cutter
    ) -> Iterator[Document]:
        """Run the network in other threads while this one prepares the next chunks and finishes the last."""
        pool = ThreadPoolExecutor(THREADS, thread_name_prefix="sector")
        try:
            for chunk in _ahead(self._chunks(pool, texts, size), THREADS):
                for (document, _), reading in zip(*chunk.result(), strict=True):
                    yield self._labeller.segmented(document, reading, segmentation, lengths)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _chunks(self, pool: ThreadPoolExecutor, texts: Iterable[str | Document], size: int) -> Iterator[Group]:
        """Send chunks to the network; an error comes in its place, after all that was before it."""
        chunk: list[Prepared] = []
        try:
            for text in texts:
                chunk.append(self._prepared(text))
                if len(chunk) == size or sum(len(document) for document, _ in chunk) >= CHUNK_SENTENCES:
                    full, chunk = chunk, []
                    yield pool.submit(self._read, full)
        except Exception as error:
            yield pool.submit(self._read, chunk)
            yield _failed(error)
        else:
            yield pool.submit(self._read, chunk)

    def _read(self, chunk: list[Prepared]) -> tuple[list[Prepared], list[Reading]]:
        return chunk, self._network_readings(chunk)

    def read(self, documents: Sequence[Document]) -> list[Reading]:
        """Run the network: labels and embeddings of every sentence of every document."""
        return self._network_readings([self._prepared(document) for document in documents])

    def _network_readings(self, chunk: Sequence[Prepared]) -> list[Reading]:
        readings = self._network.read([rows() for _, rows in chunk])
        if self._companion:
            readings = self._companion.mixed([document for document, _ in chunk], readings)
        return [constrained(document, reading) for (document, _), reading in zip(chunk, readings, strict=True)]

    def _prepared(self, text: str | Document) -> Prepared:
        """Split a text and look its words up: what the network needs."""
        document = as_document(text, self.config.language)
        _check_length(document, len(document.text), MOST_CHARACTERS, "characters")
        _check_length(document, len(document), MOST_SENTENCES, "sentences")
        read = prose(document)
        return document, self._inputs.looked_up(read.sentence_texts, self._flags(read))

    def _flags(self, document: Document) -> Floats2d | None:
        return structure_flags(document) if self.config.flags else None


def _as_document(text: str | Document, language: str, headings: str | None = None) -> Document:
    """Return a document, of a string with the blocks that its layout shows, and how its headings are used."""
    if isinstance(text, str) and len(text) <= MOST_CHARACTERS:
        text = read_text(text)
    document = as_document(text, language)
    if headings is not None and headings != document.headings:
        check_headings(headings)
        document = replace(document, headings=headings)
    return document


def _segmentation_from(settings: Mapping[str, Any], labels: int) -> Segmentation:
    options = dict(settings)
    rows = options.get("transitions")
    if isinstance(rows, list) and len(rows) != labels:
        raise ModelError(f"The model's config.json has transitions of {len(rows)} labels, but the model has {labels}.")
    try:
        return segmentations.make(str(options.pop("name", None)), **options)
    except (ConfigError, TypeError) as error:
        raise ModelError(f"The default segmentation in the model's config.json is broken: {error}") from error


def _checked(batch_size: int) -> int:
    if batch_size < 1:
        raise ConfigError(f"'batch_size' is {batch_size}; it must be at least 1.")
    return batch_size


def _check_length(document: Document, found: int, most: int, unit: str) -> None:
    if found > most:
        name = f"The document '{document.id}'" if document.id else "The text"
        raise DataError(f"{name} has {found:,} {unit}; at most {most:,} are read at once. Split it into parts.")


def _ahead(chunks: Iterable[Group], count: int) -> Iterator[Group]:
    """Return the same chunks, each after ``count`` more have been started."""
    waiting: deque[Group] = deque()
    for chunk in chunks:
        waiting.append(chunk)
        if len(waiting) > count:
            yield waiting.popleft()
    yield from waiting


def _failed(error: Exception) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(error)
    return future
