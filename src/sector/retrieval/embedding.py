"""How chunks and queries become vectors that can be compared: by the model's own space, or by a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from sector.arrays import Floats1d, Floats2d
from sector.chunks import Chunk
from sector.errors import ConfigError

if TYPE_CHECKING:
    from sector.runtime import Model

EmbeddingFunction = Callable[[list[str]], Any]
"""From texts to an array [texts, d], e.g. ``SentenceTransformer(…).encode``."""


class Embedder(Protocol):
    """Gives vectors of length 1."""

    @property
    def name(self) -> str:
        """What an index is known to be made with."""
        ...

    def chunk_vectors(self, chunks: Sequence[Chunk]) -> list[Floats1d | None]:
        """Return the vector of each chunk; None for one without."""
        ...

    def query_vector(self, query: str) -> Floats1d:
        """Return the vector of a query; zeros where nothing is known of it."""
        ...


@dataclass(frozen=True, slots=True)
class SpaceEmbedder:
    """Of a model of open vocabulary: sections have vectors in its space already, and queries get one."""

    model: Model
    name: str = "space"

    def chunk_vectors(self, chunks: Sequence[Chunk]) -> list[Floats1d | None]:
        """Return what the model said of the chunks."""
        return [chunk.embedding for chunk in chunks]

    def query_vector(self, query: str) -> Floats1d:
        """EmbeddingFunction the query as headings are."""
        return np.asarray(self.model.embed([query])[0], np.float32)


@dataclass(frozen=True, slots=True)
class FunctionEmbedder:
    """A function of the caller's; it reads chunks with their breadcrumbs."""

    function: EmbeddingFunction
    name: str = "function"

    def chunk_vectors(self, chunks: Sequence[Chunk]) -> list[Floats1d | None]:
        """EmbeddingFunction title, heading path and text."""
        return list(self._rows([chunk.context() for chunk in chunks])) if chunks else []

    def query_vector(self, query: str) -> Floats1d:
        """EmbeddingFunction the query as it is."""
        row: Floats1d = self._rows([query])[0]
        return row

    def _rows(self, texts: list[str]) -> Floats2d:
        try:
            rows = np.asarray(self.function(texts), np.float32)
        except (TypeError, ValueError) as error:
            raise ConfigError(f"'embed' must take a list of texts and return an array of numbers ({error}).") from error
        if rows.ndim != 2 or len(rows) != len(texts) or not np.isfinite(rows).all():
            raise ConfigError(
                f"'embed' returned an array of shape {rows.shape} for {len(texts)} texts; it must return finite "
                "numbers of shape [texts, d]."
            )
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.maximum(lengths, 1e-9), np.float32)
