"""Ways to cut a document for retrieval: ours and those that people use today, all to the same mean length."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Protocol

from retrieval.encoder import TextEncoder
from sector.baselines.splitters.align import begins
from sector.baselines.splitters.langchain import StaticEmbeddings
from sector.document import Document
from sector.reading import read_text
from sector.runtime import Model

ROUNDS, CLOSE = 7, 0.005
"""How often a size is corrected, at most, and the relative error of the mean length that needs no correction."""


@dataclass(frozen=True, slots=True)
class RetrievedPiece:
    """What is retrieved, and the text that it is found by."""

    begin: int
    end: int
    read: str


class Way(Protocol):
    """Cuts documents."""

    @property
    def title(self) -> str: ...

    def cut(self, documents: Sequence[Document], size: int) -> Iterator[list[RetrievedPiece]]:
        """Return the pieces of each document; the larger the size, the longer they are."""
        ...


@dataclass(frozen=True)
class Cut:
    """Documents in pieces of a mean length."""

    size: int
    pieces: list[list[RetrievedPiece]]
    mean: float
    """Tokens per piece."""


def cut_to(way: Way, documents: Sequence[Document], wanted: int, count: Callable[[str], int]) -> Cut:
    """Return the documents in pieces whose mean length is as near to the wanted one as a size brings it."""
    size, tried = wanted, dict[int, Cut]()
    while size not in tried and len(tried) < ROUNDS:
        pieces = list(way.cut(documents, size))
        tokens = [count(d.text[p.begin : p.end]) for d, own in zip(documents, pieces, strict=True) for p in own]
        tried[size] = Cut(size, pieces, sum(tokens) / len(tokens))
        if abs(tried[size].mean / wanted - 1) < CLOSE:
            break
        size = max(1, round(size * wanted / tried[size].mean))
    return min(tried.values(), key=lambda cut: abs(cut.mean - wanted))


@dataclass(frozen=True)
class Ours:
    """`Model.chunk_all`, found by the text alone or by the text with its breadcrumb in front."""

    model: Model
    encoder: TextEncoder
    context: bool = True

    @property
    def title(self) -> str:
        return f"sector with `{self.model.name}`, {'breadcrumb' if self.context else 'text alone'}"

    def cut(self, documents: Sequence[Document], size: int) -> Iterator[list[RetrievedPiece]]:
        found = self.model.chunk_all(map(as_read, documents), size, self.encoder.tokenizer)
        for document, chunks in zip(documents, found, strict=True):
            texts = [chunk.context() if self.context else chunk.text.strip() for chunk in chunks]
            yield [
                visible(document.text, chunk.begin, chunk.end, text) for chunk, text in zip(chunks, texts, strict=True)
            ]


@dataclass(frozen=True)
class Recursive:
    """LangChain's RecursiveCharacterTextSplitter, its length measured in tokens."""

    encoder: TextEncoder
    titled: bool = False
    """Found by the document's title and the text."""

    @property
    def title(self) -> str:
        return f"LangChain recursive{', with title' if self.titled else ''}"

    def cut(self, documents: Sequence[Document], size: int) -> Iterator[list[RetrievedPiece]]:
        from langchain_text_splitters import RecursiveCharacterTextSplitter

        splitter = RecursiveCharacterTextSplitter(
            chunk_size=size, chunk_overlap=0, length_function=self.encoder.count, add_start_index=True
        )
        for document in documents:
            found = splitter.create_documents([document.text])
            front = f"{document.title}\n\n" if self.titled and document.title else ""
            yield [_at(one.metadata["start_index"], one.page_content, front) for one in found]


@dataclass(frozen=True)
class Fixed:
    """So many tokens, wherever that is."""

    encoder: TextEncoder
    title: str = "fixed size"

    def cut(self, documents: Sequence[Document], size: int) -> Iterator[list[RetrievedPiece]]:
        for document in documents:
            offsets = self.encoder.tokenizer.encode(document.text, add_special_tokens=False).offsets
            edges = [0, *(begin for begin, _ in offsets[size::size]), len(document.text)]
            yield [visible(document.text, begin, end) for begin, end in pairwise(edges)]


@dataclass(frozen=True)
class LangChainSemantic:
    """LangChain's SemanticChunker with the same embeddings, asked for so many chunks as give the mean length."""

    encoder: TextEncoder
    title: str = "LangChain semantic"

    def cut(self, documents: Sequence[Document], size: int) -> Iterator[list[RetrievedPiece]]:
        from langchain_experimental.text_splitter import SemanticChunker

        for document in documents:
            number = max(1, round(self.encoder.count(document.text) / size))
            chunker = SemanticChunker(StaticEmbeddings(self.encoder), number_of_chunks=number)
            yield between(document.text, chunker.split_text(document.text) if number > 1 else [document.text])


@dataclass(frozen=True)
class ChonkieSemantic:
    """chonkie's SemanticChunker with the same embeddings; the size is its limit."""

    encoder: TextEncoder
    title: str = "chonkie semantic"

    def cut(self, documents: Sequence[Document], size: int) -> Iterator[list[RetrievedPiece]]:
        from chonkie import SemanticChunker

        chunker = SemanticChunker(embedding_model=_for_chonkie(self.encoder), chunk_size=size)
        for document in documents:
            yield between(document.text, [chunk.text for chunk in chunker.chunk(document.text)])


def _for_chonkie(encoder: TextEncoder) -> Any:
    from chonkie.embeddings import BaseEmbeddings

    class Embeddings(BaseEmbeddings):  # type: ignore[misc]
        """What chonkie asks of embeddings."""

        def embed(self, text: str) -> Any:
            return encoder([text])[0]

        def embed_batch(self, texts: list[str]) -> Any:
            return list(encoder(texts))

        @property
        def dimension(self) -> int:
            return 384

        def get_tokenizer(self) -> Any:
            return encoder.tokenizer

    return Embeddings()


def as_read(document: Document) -> Document:
    """Return a document as a text that is read: with the headings and lists that its layout shows."""
    return replace(read_text(document.text), id=document.id, title=document.title, language=document.language)


def between(text: str, chunks: Sequence[str]) -> list[RetrievedPiece]:
    """Return the pieces that begin where chunks do, whatever happened to their white space."""
    found = sorted({0, *begins(text, chunks)})
    return [visible(text, begin, end) for begin, end in pairwise([*found, len(text)])]


def visible(text: str, begin: int, end: int, read: str = "") -> RetrievedPiece:
    """Return a piece without the white space around it."""
    own = text[begin:end]
    begin += len(own) - len(own.lstrip())
    return RetrievedPiece(begin, begin + len(own.strip()), read or own.strip())


def _at(begin: int, text: str, front: str) -> RetrievedPiece:
    return RetrievedPiece(begin, begin + len(text), front + text)
