"""What external splitters share: a setting that validation documents choose, and texts in, begins of sections out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import numpy as np

from sector.arrays import Ints1d
from sector.baselines.base import BoundarySystem, Material, Task, with_sections
from sector.baselines.splitters.vectors import Embed, vectors_of
from sector.document import Document
from sector.errors import SectorError
from sector.evaluation.scoring import score

Split: TypeAlias = Callable[[Document], Sequence[int]]
"""A document to the characters where its sections begin."""
TUNED_ON = 40
"""Validation documents that choose the setting."""


class Splitter(BoundarySystem, ABC):
    """Base of external splitters. Subclasses are dataclasses with one option, ``value``; None: chosen of the grid."""

    name: ClassVar[str]
    packages: ClassVar[tuple[str, ...]]
    """Distributions that it needs,"""
    module: ClassVar[str]
    """and the module that shows whether they are there."""
    parameter: ClassVar[str]
    """What the values of the grid are."""
    grid: ClassVar[tuple[Any, ...]]
    value: Any
    setting: str = ""

    @abstractmethod
    def splitting(self, value: Any, embed: Embed) -> Split:
        """Load the library with a setting."""

    def fit(self, material: Material, task: Task, folder: Path) -> None:
        """Find the library and the vectors, and choose the setting."""
        super().fit(material, task, folder)
        self._imported()
        embed = vectors_of(material, task, folder)
        choices = self.grid if self.value is None else (self.value,)
        documents = material.validation[:TUNED_ON] if len(choices) > 1 else []
        splits = {value: self.splitting(value, embed) for value in choices}
        chosen = min(choices, key=lambda value: _error(splits[value], documents)) if documents else _middle(choices)
        self._split = splits[chosen]
        self.setting = f"{self.parameter} {chosen} ({self.versions()})"

    def _imported(self) -> None:
        try:
            import_module(self.module)
        except ImportError as error:
            wanted = " ".join(self.packages)
            raise SectorError(
                f"This needs a splitter that is not installed. Install it with: pip install {wanted}"
            ) from error

    def versions(self) -> str:
        """Name the packages with their versions."""
        return ", ".join(f"{name} {_version(name)}" for name in self.packages)

    def starts(self, document: Document) -> Ints1d:
        """Return the sentences in which sections begin."""
        return sentences_at(document, self._split(document))


class PercentileSplitter(Splitter, ABC):
    """Base of splitters that cut at the largest distances of neighbouring groups of sentences."""

    parameter: ClassVar[str] = "percentile"
    grid: ClassVar[tuple[Any, ...]] = (90, 95, 97, 98, 99)


def sentences_at(document: Document, begins: Sequence[int]) -> Ints1d:
    """Return the sentences that begin last at or before these characters, and the first one."""
    places = np.searchsorted(document.spans.begin, np.array([0, *begins]), side="right") - 1
    return np.unique(np.maximum(places, 0)).astype(np.int64)


def _error(split: Split, documents: Sequence[Document]) -> float:
    found = [with_sections(document, sentences_at(document, split(document))) for document in documents]
    return score(documents, found).pk


def _middle(values: Sequence[Any]) -> Any:
    return values[len(values) // 2]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(not installed)"
