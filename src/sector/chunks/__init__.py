"""Chunks for retrieval: pieces of a document within a number of tokens, coherent and full."""

from sector.chunks.chunk import Chunk
from sector.chunks.listing import chunks_of
from sector.chunks.packer import Packer
from sector.chunks.tokens import AnyTokenizer, token_counter

__all__ = ["AnyTokenizer", "Chunk", "Packer", "chunks_of", "token_counter"]
