"""LangChain: `SectorTextSplitter` in the place of any other text splitter.

Every chunk knows its place: ``start_index`` is counted, never searched for, and ``page_content`` is exactly the
original's text from there to ``end_index``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from sector.chunks import AnyTokenizer, Chunk
from sector.errors import ConfigError, MissingExtraError
from sector.integrations.chunking import Chunker, Original, known, uuid_of
from sector.integrations.models import ModelName

try:
    from langchain_core.documents import Document
    from langchain_text_splitters import TextSplitter
except ImportError as error:
    raise MissingExtraError("langchain-text-splitters", "langchain") from error


if TYPE_CHECKING:
    from sector.runtime.given import Labels


class SectorTextSplitter(TextSplitter):
    """Splits texts into coherent, labelled chunks within a number of tokens.

    Args:
        model: a model, its name or its folder; by default the general English model.
        max_tokens: no chunk has more.
        tokenizer: counts them: a function, an object of tokenizers, transformers or tiktoken, or the name of one; by
            default an estimate that common ones stay below.
        overlap: how many sentences of the chunk before are repeated.
        fill: mean share of the limit to reach where a text is long enough.
        headings: the author's: "use", "only" or "ignore".
        labels: your own, as names or ``{name: description}``, in place of the model's.
        prefix: put before the names in metadata, where the documents have some of the same names already.
        chunk_size: LangChain's way to say the limit: in what ``length_function`` counts, by default characters.
        length_function: LangChain's name of ``tokenizer``.
        chunk_overlap: only 0; chunks repeat whole sentences.
        add_start_index: whether ``start_index`` is in metadata.

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
        chunk_size: int | None = None,
        length_function: Callable[[str], int] | None = None,
        chunk_overlap: int = 0,
        add_start_index: bool = True,
    ) -> None:
        if chunk_overlap:
            raise ConfigError(
                f"'chunk_overlap' is {chunk_overlap}, but chunks repeat whole sentences: give overlap=1 for one."
            )
        counter = tokenizer if length_function is None else length_function
        if chunk_size is not None:
            max_tokens, counter = chunk_size, len if counter is None else counter
        self._chunker = Chunker(model, max_tokens, counter, overlap, fill, headings, labels)
        self._prefix = prefix
        super().__init__(chunk_size=max_tokens, chunk_overlap=0, add_start_index=add_start_index)

    def split_text(self, text: str) -> list[str]:
        """Return the chunks' texts; without overlap they cover all of the text but white space."""
        return [chunk.text for chunk in next(self._chunker.chunks([Original(text)]))]

    def create_documents(self, texts: list[str], metadatas: list[dict[Any, Any]] | None = None) -> list[Document]:
        """Return the chunks of texts; each has the metadata of its text.

        Raises ConfigError where there are more or fewer metadata than texts.
        """
        given = metadatas or [{} for _ in texts]
        if len(given) != len(texts):
            raise ConfigError(f"There are {len(texts)} texts and {len(given)} metadatas; give one for each text.")
        pairs = zip(texts, given, strict=True)
        return self.split_documents(Document(page_content=text, metadata=metadata) for text, metadata in pairs)

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """Return the chunks of documents: ``id`` is a UUID that stays the same, ``metadata`` is the document's own with
        what is known of the chunk."""
        kept = list(documents)
        found = self._chunker.chunks(map(_original, kept))
        return [
            self._document(chunk, original) for original, chunks in zip(kept, found, strict=True) for chunk in chunks
        ]

    def _document(self, chunk: Chunk, original: Document) -> Document:
        metadata = deepcopy(original.metadata)
        if self._add_start_index:
            metadata["start_index"] = chunk.begin
        values = {"end_index": chunk.end} | known(chunk)
        if original.id is not None:
            values["document_id"] = original.id
        metadata |= {self._prefix + name: value for name, value in values.items()}
        return Document(page_content=chunk.text, id=uuid_of(chunk.id), metadata=metadata)


def _original(document: Document) -> Original:
    metadata = document.metadata
    return Original(document.page_content, str(document.id or metadata.get("source") or ""), _title(metadata))


def _title(metadata: dict[Any, Any]) -> str:
    title = metadata.get("title")
    return title if isinstance(title, str) else ""
