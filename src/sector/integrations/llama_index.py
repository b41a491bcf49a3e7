"""LlamaIndex: `SectorNodeParser` in the place of any other node parser.

``start_char_idx`` and ``end_char_idx`` are counted: LlamaIndex itself would search for the text of each node, and find
the wrong place where a text repeats itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from sector.chunks import Chunk
from sector.errors import MissingExtraError
from sector.integrations.chunking import Chunker, Original, known, uuid_of
from sector.integrations.models import name_of

try:
    from llama_index.core.bridge.pydantic import Field, PrivateAttr, field_serializer
    from llama_index.core.node_parser import NodeParser
    from llama_index.core.node_parser.node_utils import build_nodes_from_splits, default_id_func
    from llama_index.core.schema import BaseNode, Document, MetadataMode, TextNode
    from llama_index.core.utils import get_tqdm_iterable
except ImportError as error:
    raise MissingExtraError("llama-index-core", "llama-index") from error

READ = ("label", "heading")
"""Metadata that embeddings and language models read in front of the text; all else is for filters."""


class SectorNodeParser(NodeParser):
    """Divides documents into nodes that are coherent, labelled and within a number of tokens.

    Raises ConfigError for options that cannot be.
    """

    model: Any = Field(default=None, description="A model, its name or its folder; the general English one by default.")
    max_tokens: int = Field(default=512, description="No node's text has more tokens.")
    tokenizer: Any = Field(default=None, description="Counts tokens: a function, an object, the name of a tokenizer.")
    overlap: int = Field(default=0, description="How many sentences of the node before are repeated.")
    fill: float = Field(default=0.8, description="Mean share of the limit to reach where a text is long enough.")
    headings: str | None = Field(default=None, description='The author\'s: "use", "only" or "ignore".')
    labels: Any = Field(default=None, description="Your own: names, or {name: description}, in place of the model's.")
    id_func: Callable[[int, BaseNode], str] = Field(
        default=default_id_func, exclude=True, description="Gives ids; by default they stay the same in every run."
    )
    _chunker: Chunker = PrivateAttr()

    def model_post_init(self, context: Any) -> None:
        """Check the options."""
        super().model_post_init(context)
        self._chunker = Chunker(
            self.model, self.max_tokens, self.tokenizer, self.overlap, self.fill, self.headings, self.labels
        )

    @classmethod
    def class_name(cls) -> str:
        """Return the name by which components are written and read."""
        return "SectorNodeParser"

    @field_serializer("model")
    def _model_name(self, model: Any) -> str | None:
        return name_of(model)

    @field_serializer("tokenizer")
    def _tokenizer_name(self, tokenizer: Any) -> str | None:
        return tokenizer if tokenizer is None or isinstance(tokenizer, str) else _named(tokenizer)

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any) -> list[BaseNode]:
        found = self._chunker.chunks(map(_original, nodes))
        with_progress = get_tqdm_iterable(nodes, show_progress, "Parsing nodes")
        return [part for node, chunks in zip(with_progress, found, strict=True) for part in self._parts(node, chunks)]

    async def _aparse_nodes(
        self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any
    ) -> list[BaseNode]:
        return await asyncio.to_thread(self._parse_nodes, nodes, show_progress, **kwargs)

    def _postprocess_parsed_nodes(self, nodes: list[BaseNode], parent_doc_map: dict[str, Document]) -> list[BaseNode]:
        places = [(node.start_char_idx, node.end_char_idx) for node in nodes]
        nodes = super()._postprocess_parsed_nodes(nodes, parent_doc_map)
        for node, (begin, end) in zip(nodes, places, strict=True):
            node.start_char_idx, node.end_char_idx = begin, end
        return nodes

    def _parts(self, node: BaseNode, chunks: list[Chunk]) -> list[TextNode]:
        stays = self.id_func is default_id_func
        ids = (lambda i, _: uuid_of(chunks[i].id)) if stays else self.id_func
        parts: list[TextNode] = build_nodes_from_splits([chunk.text for chunk in chunks], node, id_func=ids)
        first = _begin(node)
        for part, chunk in zip(parts, chunks, strict=True):
            part.start_char_idx, part.end_char_idx = first + chunk.begin, first + chunk.end
            part.metadata = known(chunk)
            unread = [name for name in part.metadata if name not in READ]
            part.excluded_embed_metadata_keys = [*part.excluded_embed_metadata_keys, *unread]
            part.excluded_llm_metadata_keys = [*part.excluded_llm_metadata_keys, *unread]
        return parts


def _original(node: BaseNode) -> Original:
    title = node.metadata.get("title")
    text = node.get_content(metadata_mode=MetadataMode.NONE)
    return Original(text, node.node_id, title if isinstance(title, str) else "")


def _begin(node: BaseNode) -> int:
    """Return where a node begins in the document that it is a part of: parts of parts have the document's places."""
    return 0 if isinstance(node, Document) or node.source_node is None else getattr(node, "start_char_idx", None) or 0


def _named(tokenizer: Any) -> str:
    """Return a name for settings that are compared, as the cache of a pipeline does."""
    kind = tokenizer if hasattr(tokenizer, "__qualname__") else type(tokenizer)
    return f"{kind.__module__}.{kind.__qualname__}"
