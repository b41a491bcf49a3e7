"""Search: chunks of documents in a store, found by words, by meaning and by label."""

from sector.retrieval.embedding import EmbeddingFunction
from sector.retrieval.hit import Hit
from sector.retrieval.index import Index, Update
from sector.retrieval.store import IndexedDocument, Store

__all__ = ["EmbeddingFunction", "Hit", "Index", "IndexedDocument", "Store", "Update"]
