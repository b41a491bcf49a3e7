"""Haystack: `SectorDocumentSplitter`, a component in the place of any other splitter.

A pipeline with it is written to YAML and read again. Haystack reads components of modules that it trusts, and importing
this module says so for this module alone.
"""

from __future__ import annotations

import asyncio
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from sector.chunks import AnyTokenizer, Chunk
from sector.errors import ConfigError, DataError, MissingExtraError
from sector.integrations.chunking import Chunker, Original, known, uuid_of
from sector.integrations.models import ModelName, name_of

try:
    from haystack import Document, component, default_from_dict, default_to_dict
    from haystack.core.errors import SerializationError
    from haystack.utils import deserialize_callable, serialize_callable
except ImportError as error:
    raise MissingExtraError("haystack-ai", "haystack") from error

try:
    from haystack.core.serialization_security import allow_deserialization_module
except ImportError:  # older versions trust every module
    pass
else:
    allow_deserialization_module(__name__)

if TYPE_CHECKING:
    from sector.runtime.given import Labels


@component
class SectorDocumentSplitter:
    """Splits documents into coherent, labelled chunks within a number of tokens.

    Args:
        model: a model, its name or its folder; by default the general English model.
        max_tokens: no chunk has more.
        tokenizer: counts them: a function, an object of tokenizers, transformers or tiktoken, or the name of one; by
            default an estimate that common ones stay below.
        overlap: how many sentences of the chunk before are repeated.
        fill: mean share of the limit to reach where a text is long enough.
        headings: the author's: "use", "only" or "ignore".
        labels: your own, as names or ``{name: description}``, in place of the model's.
        prefix: put before the names in meta, where the documents have some of the same names already.

    Raises:
        ConfigError: options that cannot be.
    """

    def __init__(
        self,
        model: ModelName = None,
        *,
        max_tokens: int = 512,
        tokenizer: AnyTokenizer = None,
        overlap: int = 0,
        fill: float = 0.8,
        headings: str | None = None,
        labels: Labels | None = None,
        prefix: str = "",
    ) -> None:
        self.tokenizer, self.prefix = tokenizer, prefix
        self.chunker = Chunker(model, max_tokens, tokenizer, overlap, fill, headings, labels)

    def warm_up(self) -> None:
        """Load the model."""
        self.chunker.warm_up()

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Return the chunks of documents; none of an empty one.

        Args:
            documents: with text; their meta is copied into each of their chunks.

        Returns:
            ``{"documents": chunks}``: ``id`` is a UUID that stays the same.

        Raises:
            DataError: a document that has no text, an image for instance.
        """
        kept = list(documents)
        found = self.chunker.chunks([_original(document) for document in kept])
        parts = [
            self._part(document, chunk, number)
            for document, chunks in zip(kept, found, strict=True)
            for number, chunk in enumerate(chunks)
        ]
        return {"documents": parts}

    @component.output_types(documents=list[Document])
    async def run_async(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Return what `run` does, without blocking others meanwhile."""
        return await asyncio.to_thread(self.run, documents)

    def to_dict(self) -> dict[str, Any]:
        """Return the settings.

        Raises ConfigError for a tokenizer or a model that cannot be written as text.
        """
        used = self.chunker
        record: dict[str, Any] = default_to_dict(
            self,
            model=name_of(used.model),
            max_tokens=used.max_tokens,
            tokenizer=_written(self.tokenizer),
            overlap=used.overlap,
            fill=used.fill,
            headings=used.headings,
            labels=used.labels,
            prefix=self.prefix,
        )
        return record

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> SectorDocumentSplitter:
        """Read what `to_dict` returned."""
        settings = dict(data.get("init_parameters", {}))
        if isinstance(settings.get("tokenizer"), dict):
            settings["tokenizer"] = deserialize_callable(settings["tokenizer"]["function"])
        made: SectorDocumentSplitter = default_from_dict(cls, data | {"init_parameters": settings})
        return made

    def _part(self, document: Document, chunk: Chunk, number: int) -> Document:
        own = {self.prefix + name: value for name, value in known(chunk).items()}
        text = document.content
        before = text[: chunk.begin + len(chunk.text) - len(chunk.text.lstrip())]
        places = {
            "source_id": document.id,
            "split_id": number,
            "split_idx_start": chunk.begin,
            "page_number": chunk.page or before.count("\f") + 1,
        }
        return Document(id=uuid_of(chunk.id), content=chunk.text, meta=deepcopy(document.meta) | places | own)


def _original(document: Document) -> Original:
    if not isinstance(document, Document):
        raise DataError(f"A Document of Haystack is expected, not {type(document).__name__}; put texts into Documents.")
    if document.content is None:
        raise DataError(f"The document {document.id} has no text; convert it to text first, e.g. with a converter.")
    title = document.meta.get("title")
    return Original(document.content, document.id, title if isinstance(title, str) else "")


def _written(tokenizer: AnyTokenizer) -> Any:
    """Return a tokenizer as text: its name, or where its function is found."""
    if tokenizer is None or isinstance(tokenizer, str):
        return tokenizer
    try:
        return {"function": serialize_callable(tokenizer)}
    except (SerializationError, AttributeError, TypeError) as error:
        raise ConfigError(
            f"The tokenizer {type(tokenizer).__name__} cannot be written; give its name instead: a tokenizer.json, an "
            "encoding of tiktoken, or a function of a module."
        ) from error
