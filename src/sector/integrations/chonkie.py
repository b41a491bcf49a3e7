"""chonkie: `SectorChunker` in the place of any other chunker, also in pipelines: ``.chunk_with("sector")``.

Importing this module registers it. No tokenizer is fetched unless it is one that chonkie itself would fetch.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from sector.chunks import AnyTokenizer
from sector.chunks import Chunk as SectorChunk
from sector.chunks.tokens import token_counter
from sector.errors import MissingExtraError
from sector.integrations.chunking import Chunker, Original, known, uuid_of
from sector.integrations.models import ModelName

try:
    from chonkie.chunker.base import BaseChunker
    from chonkie.pipeline import chunker
    from chonkie.tokenizer import AutoTokenizer, Tokenizer
    from chonkie.types import Chunk, Document
except ImportError as error:
    raise MissingExtraError("chonkie", "chonkie") from error

from sector.output.tracking import track

if TYPE_CHECKING:
    from sector.runtime.given import Labels

OWN = ("character", "word", "byte", "row")
"""Names of chonkie's own tokenizers."""
GENERATED = re.compile(r"doc_[0-9a-f]{32}")
"""Ids that chonkie makes up, another one in each run."""


@chunker("sector")
class SectorChunker(BaseChunker):
    """Divides texts into coherent, labelled chunks within a number of tokens.

    Args:
        model: a model, its name or its folder; by default the general English model.
        chunk_size: no chunk has more tokens.
        tokenizer: counts them: one of chonkie's by name or as an object, or whatever `sector.chunk` takes; by default
            an estimate that common tokenizers stay below.
        overlap: how many sentences of the chunk before are repeated.
        fill: mean share of the limit to reach where a text is long enough.
        headings: the author's: "use", "only" or "ignore".
        labels: your own, as names or ``{name: description}``, in place of the model's.

    Raises:
        ConfigError: options that cannot be.
    """

    def __init__(
        self,
        model: ModelName = None,
        chunk_size: int = 512,
        tokenizer: AnyTokenizer = None,
        overlap: int = 0,
        fill: float = 0.8,
        headings: str | None = None,
        labels: Labels | None = None,
    ) -> None:
        counter = _counter(tokenizer)
        self._chunker = Chunker(model, chunk_size, counter, overlap, fill, headings, labels)
        self.chunk_size = chunk_size
        super().__init__(tokenizer=self._count)

    def __repr__(self) -> str:
        return f"SectorChunker(model={self._chunker.model!r}, chunk_size={self.chunk_size})"

    def chunk(self, text: str) -> list[Chunk]:
        """Return the chunks of a text; none of an empty one."""
        return self._chunks([Original(text)])[0]

    def chunk_batch(self, texts: Sequence[str], show_progress: bool = True) -> list[list[Chunk]]:
        """Return the chunks of each text; texts that are repeated have different ids."""
        return self._chunks(map(Original, texts), len(texts) if show_progress else None)

    def chunk_document(self, document: Document) -> Document:
        """Give a document its chunks, with its metadata; of one that has chunks, each is divided."""
        given = document.chunks
        parts = [(part.text, part.start_index) for part in given] or [(document.content, 0)]
        name, title = _name(document), document.metadata.get("title")
        titled = title if isinstance(title, str) else ""
        found = self._chunks(Original(text, f"{name}@{begin}" if given else name, titled) for text, begin in parts)
        for (_, begin), chunks in zip(parts, found, strict=True):
            for made in chunks:
                made.start_index, made.end_index = made.start_index + begin, made.end_index + begin
                made.metadata = {**document.metadata, **made.metadata}
        document.chunks = [made for chunks in found for made in chunks]
        return document

    async def achunk_document(self, document: Document) -> Document:
        """Run `chunk_document` in a thread."""
        return await asyncio.to_thread(self.chunk_document, document)

    def _count(self, text: str) -> int:
        return token_counter(self._chunker.tokenizer)([text])[0]

    def _chunks(self, originals: Iterable[Original], shown: int | None = None) -> list[list[Chunk]]:
        found: Iterable[list[SectorChunk]] = self._chunker.chunks(originals)
        if shown is not None:
            found = track(found, shown)
        return [[_chunk(part) for part in chunks] for chunks in found]


def _chunk(part: SectorChunk) -> Chunk:
    return Chunk(
        id=str(uuid_of(part.id)),
        text=part.text,
        start_index=part.begin,
        end_index=part.end,
        token_count=part.tokens,
        context=part.breadcrumb or None,
        metadata=known(part),
    )


def _name(document: Document) -> str:
    """Return what a document is known by in every run."""
    if not GENERATED.fullmatch(document.id):
        return str(document.id)
    return str(document.metadata.get("filename") or "")


def _counter(tokenizer: Any) -> AnyTokenizer:
    """Return chonkie's tokenizers as functions; all others as they are."""
    if isinstance(tokenizer, str) and tokenizer in OWN:
        tokenizer = AutoTokenizer(tokenizer)
    return tokenizer.count_tokens if isinstance(tokenizer, AutoTokenizer | Tokenizer) else tokenizer
