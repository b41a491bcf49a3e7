"""sector splits any document into coherent, labelled topical sections.

The way of a document: text → sentences → encoder → network → segmentation → sections.
Names are imported when they are first used: ``import sector`` is quick, and training needs torch and numpy alone.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sector.errors import SectorError

if TYPE_CHECKING:
    from sector import evaluation
    from sector.chunks import Chunk
    from sector.document import Document, Section, Sentence
    from sector.output.tracking import track
    from sector.reading.read import read
    from sector.retrieval import Index
    from sector.runtime import Model, chunk, load, models

__version__ = "0.1.0"
__all__ = [
    "Chunk",
    "Document",
    "Index",
    "Model",
    "Section",
    "SectorError",
    "Sentence",
    "__version__",
    "chunk",
    "evaluation",
    "load",
    "models",
    "read",
    "track",
]

_HOMES = {
    "Chunk": "sector.chunks",
    "Document": "sector.document",
    "Section": "sector.document",
    "Sentence": "sector.document",
    "Index": "sector.retrieval",
    "Model": "sector.runtime",
    "chunk": "sector.runtime",
    "load": "sector.runtime",
    "models": "sector.runtime",
    "track": "sector.output.tracking",
    "read": "sector.reading",
}


def __getattr__(name: str) -> Any:
    if name == "evaluation":
        return import_module("sector.evaluation")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'sector' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
