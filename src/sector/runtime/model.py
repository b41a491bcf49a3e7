"""A loaded model: text in, a document with labelled sections out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from sector import encoders
from sector import segmentation as segmentations
from sector.arrays import Floats2d
from sector.document import Document
from sector.encoders.structure import FLAGS, structure_flags
from sector.errors import ConfigError, ModelError
from sector.runtime.folder import ModelFolder
from sector.runtime.inputs import InputLayer
from sector.runtime.network import NetworkSession
from sector.runtime.sections import Labeller
from sector.segmentation import Lengths, Reading, Segmentation

EMBEDDED = Path(__file__).parent.parent / "models"
"""The models that come with the package."""
DEFAULT = "en_wiki"
"""The embedded model that is used where none is named, if it is there."""
BATCH_SENTENCES = 4096
"""Most padded sentences in one run of the graph: bounds memory for long documents."""


def models() -> list[str]:
    """Give the names of the embedded models."""
    return sorted(file.parent.name for file in EMBEDDED.glob("*/config.json"))


def default_model() -> str:
    """Give the name of the embedded model that is used where none is named."""
    names = models()
    if not names:
        raise ModelError("No model came with this installation; name the folder of one, or learn one: sector train.")
    return DEFAULT if DEFAULT in names else names[0]


def find(model: str | Path) -> ModelFolder:
    """Give the folder of an embedded model, by its name, or of any other, by its path."""
    if str(model) in models():
        return ModelFolder(EMBEDDED / str(model))
    if not Path(model).exists():
        names = ", ".join(models()) or "none"
        raise ModelError(f"There is no model '{model}': neither a folder nor one of the embedded models ({names}).")
    return ModelFolder(Path(model))


def load(model: str | Path) -> Model:
    """Load an embedded model by its name, or a model folder by its path."""
    return Model(find(model))


class Model:
    """A trained model, ready to segment."""

    def __init__(self, folder: ModelFolder) -> None:
        self.name = folder.path.resolve().name
        self.folder = folder
        self.config = folder.config()
        self.labels = self.config.labels
        self.task = self.config.task
        self._labeller = Labeller(self.task, self.labels, self.name)
        encoder = encoders.load(folder.path, self.config.encoder)
        width, expected = encoder.width + self.config.flags * len(FLAGS), self.config.network.inputs
        if width != expected:
            raise ModelError(
                f"{folder.path} is mixed up: its encoder gives {width} values, its network takes {expected}."
            )
        self._inputs = InputLayer(encoder, folder.matrix(self.config.network))
        self._network = NetworkSession(folder.graph(), self.config.network, self._inputs.projected or expected)
        self._segmentation = _segmentation_from(self.config.segmentation)

    def segment(
        self,
        text: str | Document,
        *,
        segmentation: str | Segmentation | None = None,
        max_chars: int | None = None,
        min_chars: int | None = None,
    ) -> Document:
        """Split a text into labelled sections; empty text gives no sections."""
        options = {"segmentation": segmentation, "max_chars": max_chars, "min_chars": min_chars}
        return next(self.segment_all([text], **options))  # type: ignore[arg-type]

    def segment_all(
        self,
        texts: Iterable[str | Document],
        *,
        batch_size: int = 32,
        segmentation: str | Segmentation | None = None,
        max_chars: int | None = None,
        min_chars: int | None = None,
    ) -> Iterator[Document]:
        """Segment many texts, in order; the same results as one by one. Options are checked at once."""
        if batch_size < 1:
            raise ConfigError(f"'batch_size' is {batch_size}; it must be at least 1.")
        chosen = self._segmentation if segmentation is None else segmentations.make(segmentation)
        return self._segmented(texts, batch_size, chosen, segmentations.Lengths(max_chars, min_chars))

    def _segmented(
        self, texts: Iterable[str | Document], size: int, segmentation: Segmentation, lengths: Lengths
    ) -> Iterator[Document]:
        source = iter(texts)
        while chunk := [_as_document(text, self.config.language) for text in islice(source, size)]:
            for document, reading in zip(chunk, self.read(chunk), strict=True):
                yield self._labeller.segmented(document, reading, segmentation, lengths)

    def read(self, documents: Sequence[Document]) -> list[Reading]:
        """Run the network: labels and embeddings of every sentence of every document."""
        inputs = [self._inputs.rows(document.sentence_texts, self._flags(document)) for document in documents]
        batches = list(_batches([len(x) for x in inputs]))
        read = [self._network.read([inputs[i] for i in batch]) for batch in batches]
        readings = dict(zip(chain.from_iterable(batches), chain.from_iterable(read), strict=True))
        nothing = self._network.nothing()
        return [
            replace(readings.get(number, nothing), paragraph_end=document.spans.paragraph_end)
            for number, document in enumerate(documents)
        ]

    def _flags(self, document: Document) -> Floats2d | None:
        return structure_flags(document) if self.config.flags else None


def _as_document(text: str | Document, language: str) -> Document:
    """Make a document; one that says neither its language nor its sentences is split as the model's language is."""
    if not isinstance(text, Document):
        return Document(text, language=language)
    return text if text.language or text.given_spans is not None else replace(text, language=language)


def _segmentation_from(settings: Mapping[str, Any]) -> Segmentation:
    options = dict(settings)
    try:
        return segmentations.make(str(options.pop("name", None)), **options)
    except (ConfigError, TypeError) as error:
        raise ModelError(f"The default segmentation in the model's config.json is broken: {error}") from error


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Group documents of like length; no group has more than ``BATCH_SENTENCES`` unless one document alone has."""
    group: list[int] = []
    for number in sorted((i for i, n in enumerate(lengths) if n), key=lengths.__getitem__):
        if group and lengths[number] * (len(group) + 1) > BATCH_SENTENCES:
            yield group
            group = []
        group.append(number)
    if group:
        yield group
