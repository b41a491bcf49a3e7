"""spaCy: ``nlp.add_pipe("sector")`` puts the sections of a document into ``doc.spans["sections"]``.

The factory is found by an entry point: nothing has to be imported. A section is a span that begins with the first
token in it, so the spans are contiguous, in order and cover the document. ``span.label_`` is the label;
``span._.sector`` has the exact characters, the confidence, the author's heading, the level and the page.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise, tee
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

from sector.errors import ConfigError, MissingExtraError
from sector.integrations.models import ModelName, copy_model, is_embedded, name_of, shared

try:
    from spacy.language import Language
    from spacy.tokens import Doc, Span
except ImportError as error:
    raise MissingExtraError("spacy", "spacy") from error

if TYPE_CHECKING:
    from sector.document import Document
    from sector.runtime import Model

OPTIONS = ("segmentation", "granularity", "sections", "merge", "max_chars", "min_chars", "headings", "labels")
DEFAULTS: dict[str, Any] = {"model": None, "spans_key": "sections"} | dict.fromkeys(OPTIONS) | {"merge": False}
SETTINGS = "settings.json"

if not Span.has_extension("sector"):
    Span.set_extension("sector", default=None)


@Language.factory("sector", assigns=["doc.spans"], default_config=DEFAULTS)
def make_sector(
    nlp: Language,
    name: str,
    model: str | None,
    spans_key: str,
    segmentation: str | None,
    granularity: float | None,
    sections: int | None,
    merge: bool,
    max_chars: int | None,
    min_chars: int | None,
    headings: str | None,
    labels: list[str] | dict[str, str] | None,
) -> SectorComponent:
    """Return the component for a pipeline; its configuration has the options of `Model.segment`."""
    values = (segmentation, granularity, sections, merge, max_chars, min_chars, headings, labels)
    return SectorComponent(model, spans_key, **dict(zip(OPTIONS, values, strict=True)))


class SectorComponent:
    """Finds the sections of documents; their model is loaded with the first one."""

    def __init__(self, model: ModelName = None, spans_key: str = "sections", **options: Any) -> None:
        unknown = [option for option in options if option not in OPTIONS]
        if unknown:
            raise ConfigError(f"There is no option '{unknown[0]}'; the options are: {', '.join(OPTIONS)}.")
        self.model_name, self.spans_key = name_of(model), spans_key
        self.options = {option: value for option, value in options.items() if value is not None}

    @property
    def segmenter(self) -> Model:
        """The model, loaded once per process; spaCy reads every component's ``model`` as soon as it is added."""
        return shared(self.model_name)

    def __call__(self, doc: Doc) -> Doc:
        """Annotate one document."""
        return self._annotated(doc, self.segmenter.segment(doc.text, **self.options))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 32) -> Iterator[Doc]:
        """Annotate a stream of documents, ``batch_size`` at once; the same result as one by one."""
        docs, copies = tee(stream)
        segmented = self.segmenter.segment_all((doc.text for doc in copies), batch_size=batch_size, **self.options)
        for doc, document in zip(docs, segmented, strict=True):
            yield self._annotated(doc, document)

    def _annotated(self, doc: Doc, document: Document) -> Doc:
        begins = [token.idx for token in doc]
        edges = [bisect_left(begins, section.begin) for section in document.sections] + [len(doc)]
        spans = []
        for section, (first, last) in zip(document.sections, pairwise(edges), strict=True):
            if first < last:
                span = Span(doc, first, last, label=section.label)
                span._.sector = {name: value for name, value in section.to_dict().items() if name != "text"}
                spans.append(span)
        doc.spans[self.spans_key] = spans
        doc.spans[self.spans_key].attrs["model"] = document.model
        return doc

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the settings, and the model too unless it comes with the package."""
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        kept = self.model_name
        if not is_embedded(self.segmenter.folder.path):
            kept = copy_model(self.segmenter, folder).name
        (folder / SETTINGS).write_text(json.dumps(self._settings() | {"model": kept}), encoding="utf-8")

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> SectorComponent:
        """Read what `to_disk` wrote."""
        folder = Path(path)
        self._set(json.loads((folder / SETTINGS).read_text(encoding="utf-8")))
        if self.model_name and (folder / self.model_name).is_dir():
            self.model_name = str(folder / self.model_name)
        return self

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Return the settings; a model that does not come with the package stays where it is."""
        return json.dumps(self._settings()).encode()

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> SectorComponent:
        """Read what `to_bytes` returned."""
        self._set(json.loads(data))
        return self

    def _settings(self) -> dict[str, Any]:
        return {"model": self.model_name, "spans_key": self.spans_key, "options": self.options}

    def _set(self, settings: Mapping[str, Any]) -> None:
        self.model_name, self.spans_key, self.options = (settings[name] for name in ("model", "spans_key", "options"))


# spaCy before 3.8.13 reads the types of a factory's arguments as they stand, and would find strings.
make_sector.__annotations__ = get_type_hints(make_sector)
