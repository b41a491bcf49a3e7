"""The default model, loaded once for functions that name none."""

from __future__ import annotations

from functools import cache
from typing import Any

from sector.chunks import AnyTokenizer, Chunk
from sector.document import Document
from sector.runtime.model import Model, load


@cache
def default() -> Model:
    """Return the default model, the same one every time."""
    return load()


def chunk(
    text: str | Document, max_tokens: int = 512, tokenizer: AnyTokenizer = None, overlap: int = 0, **options: Any
) -> list[Chunk]:
    """Divide a text into chunks for retrieval with the default model; the arguments are those of `Model.chunk`."""
    return default().chunk(text, max_tokens, tokenizer, overlap, **options)
