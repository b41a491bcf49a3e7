"""What adapters for retrieval share: options that are checked at once, documents with ids, what is known of a chunk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5

from sector.chunks import AnyTokenizer, Chunk, Packer
from sector.chunks.names import tokenizer_named
from sector.document import Document
from sector.integrations.models import ModelName, shared
from sector.reading.read import read_text
from sector.structure import check_headings

if TYPE_CHECKING:
    from sector.runtime.given import Labels
    from sector.runtime.model import Model


class Original(NamedTuple):
    """A document of a framework."""

    text: str
    id: str = ""
    title: str = ""


@dataclass(frozen=True)
class Chunker:
    """The options of `Model.chunk`; the model is loaded with the first document."""

    model: ModelName = None
    max_tokens: int = 512
    tokenizer: AnyTokenizer = field(default=None, repr=False)
    """Or the name of one, as ``sector chunk --tokenizer`` takes it."""
    overlap: int = 0
    fill: float = 0.8
    headings: str | None = None
    labels: Labels | None = None
    """The caller's own, as `Model.with_labels` takes them."""

    def __post_init__(self) -> None:
        if isinstance(self.tokenizer, str):
            object.__setattr__(self, "tokenizer", tokenizer_named(self.tokenizer))
        if self.labels is not None and not isinstance(self.labels, str | Mapping):
            object.__setattr__(self, "labels", list(self.labels))
        Packer(self.max_tokens, self.tokenizer, self.overlap, self.fill)
        if self.headings is not None:
            check_headings(self.headings)

    def chunks(self, originals: Iterable[Original]) -> Iterator[list[Chunk]]:
        """Return the chunks of each document, in order; none for an empty one. No two have the same id."""
        return self._labelled.chunk_all(
            _distinct(originals),
            self.max_tokens,
            self.tokenizer,
            self.overlap,
            fill=self.fill,
            headings=self.headings,
        )

    def warm_up(self) -> None:
        """Load the model now, rather than with the first document."""
        _ = self._labelled

    @cached_property
    def _labelled(self) -> Model:
        model = shared(self.model)
        return model if self.labels is None else model.with_labels(self.labels)


def _distinct(originals: Iterable[Original]) -> Iterator[Document]:
    """Return documents; those that are repeated get a number, because stores refuse chunks of one id."""
    seen: Counter[bytes] = Counter()
    for text, name, title in originals:
        key = sha256(f"{len(name)}:{name}{text}".encode("utf-8", "surrogatepass")).digest()
        seen[key] += 1
        number = f"#{seen[key]}" if seen[key] > 1 else ""
        yield replace(read_text(text), id=name + number, title=title)


def uuid_of(chunk: str | None) -> str | None:
    """Return the UUID that belongs to a chunk's id: some vector stores, Qdrant for one, take no other ids."""
    return None if chunk is None else str(uuid5(NAMESPACE_URL, f"sector:{chunk}"))


def known(chunk: Chunk) -> dict[str, Any]:
    """Return what adapters put into metadata beside positions; what is not known is left out: stores refuse None."""
    values = {
        "chunk_id": chunk.id,
        "previous_id": uuid_of(chunk.previous_id),
        "next_id": uuid_of(chunk.next_id),
        "label": chunk.label,
        "confidence": chunk.confidence,
        "heading": chunk.heading,
        "breadcrumb": chunk.breadcrumb,
        "tokens": chunk.tokens,
        "page": chunk.page,
    }
    return {name: value for name, value in values.items() if value is not None}
