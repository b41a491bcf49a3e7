"""sector splits any document into coherent, labelled topical sections.

The way of a document: text → sentences → encoder → network → segmentation → sections.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sector.document import Document, Section, Sentence
from sector.errors import SectorError

if TYPE_CHECKING:
    from sector import evaluation

__version__ = "0.1.0"
__all__ = ["Document", "Section", "SectorError", "Sentence", "__version__", "evaluation"]

_LAZY_MODULES = {"evaluation"}


def __getattr__(name: str) -> Any:
    """Import what is slow to import only when it is asked for."""
    if name in _LAZY_MODULES:
        return import_module(f"sector.{name}")
    raise AttributeError(f"module 'sector' has no attribute '{name}'")
