"""What a splitter is here: a name, settings to choose from, and texts in, begins of sections out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeAlias

from sector.baselines.splitters import vectors
from sector.baselines.splitters.splitter import Splitter
from sector.document import Document

Split: TypeAlias = Callable[[str], list[int]]
"""A text to the characters where its sections begin."""
SplitAll: TypeAlias = Callable[[Sequence[str]], list[list[int]]]


@dataclass(frozen=True, slots=True)
class Peer:
    """A splitter to compare with."""

    name: str
    packages: tuple[str, ...]
    """Distributions whose versions are printed."""
    setting: str
    """What the values of the grid are."""
    grid: tuple[Any, ...]
    """One value of it is chosen on validation documents."""
    make: Callable[[Any], SplitAll]
    """Loads whatever is needed with a setting; raises what the library raises where it is missing."""

    def versions(self) -> str:
        """Name the packages with their versions."""
        return ", ".join(f"{name} {_version(name)}" for name in self.packages)


def one_by_one(split: Split) -> SplitAll:
    """Make a splitter of many texts from one of a single text."""
    return lambda texts: [split(text) for text in texts]


def of_splitter(splitter: Splitter, name: str, grid: tuple[Any, ...] = ()) -> Peer:
    """Make a peer of a splitter of ours, with the vectors of wordllama."""

    def make(value: Any) -> SplitAll:
        vectors.model()
        split = splitter.splitting(value, vectors.embed)
        return one_by_one(lambda text: list(split(Document(text, language="en"))))

    packages = (*(package for package in splitter.packages if package != "numpy"), vectors.PACKAGE)
    return Peer(name, packages, splitter.parameter, grid or splitter.grid, make)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(not installed)"
