"""Chunks with a model: what `Model.chunk`, `Model.chunk_all` and `sector.chunk` do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator

from sector.chunks import AnyTokenizer, Chunk, Packer, chunks_of
from sector.document import Document
from sector.runtime.sections import Cutter


class Chunking(ABC):
    """Mixin: the methods for chunks of a model that cuts documents."""

    @abstractmethod
    def cut_all(
        self, texts: Iterable[str | Document], cutter: Cutter, *, batch_size: int = 32, headings: str | None = None
    ) -> Iterator[Document]:
        """Segment many texts where a cutter says."""

    def chunk(
        self,
        text: str | Document,
        max_tokens: int = 512,
        tokenizer: AnyTokenizer = None,
        overlap: int = 0,
        *,
        fill: float = 0.8,
        headings: str | None = None,
    ) -> list[Chunk]:
        """Divide a text into chunks for retrieval: coherent, full, and never longer than ``max_tokens``.

        Args:
            text: a text, or a document of `sector.read`.
            max_tokens: the limit, special tokens of the tokenizer included.
            tokenizer: of the model that reads the chunks: a function that counts the tokens of a text, an object of
                tokenizers, transformers or tiktoken; None for an estimate that common ones stay below.
            overlap: how many sentences of the chunk before are repeated, as far as they fit.
            fill: mean share of the limit to reach where the text is long enough; lower: more coherent, shorter chunks.
            headings: the author's: "use", "only" or "ignore", as in `segment`.

        Returns: the chunks in order; none for an empty text. Without overlap they cover all of the text but white
        space.

        Raises: ConfigError for options that cannot be.
        """
        (chunks,) = self.chunk_all([text], max_tokens, tokenizer, overlap, fill=fill, headings=headings)
        return chunks

    def chunk_all(
        self,
        texts: Iterable[str | Document],
        max_tokens: int = 512,
        tokenizer: AnyTokenizer = None,
        overlap: int = 0,
        *,
        fill: float = 0.8,
        headings: str | None = None,
        batch_size: int = 32,
    ) -> Iterator[list[Chunk]]:
        """Divide many texts into chunks: a list for each, in order; the same as one by one."""
        packer = Packer(max_tokens, tokenizer, overlap, fill)
        documents = self.cut_all(texts, packer, batch_size=batch_size, headings=headings)
        return (chunks_of(document, packer) for document in documents)
