"""Splitters that know sizes only: pieces of so many characters, cut where the text's structure allows; no vectors."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import ClassVar

from sector.baselines.splitters.align import begins
from sector.baselines.splitters.splitter import Split, Splitter
from sector.baselines.splitters.vectors import Embed

SIZES = (125, 250, 500, 1000, 4000)


@dataclass
class SemChunk(Splitter):
    name: ClassVar[str] = "semchunk"
    citation: ClassVar[str] = "semchunk"
    packages: ClassVar[tuple[str, ...]] = ("semchunk",)
    module: ClassVar[str] = "semchunk"
    parameter: ClassVar[str] = "characters"
    grid: ClassVar[tuple[int, ...]] = SIZES

    value: int | None = None

    def splitting(self, value: int, embed: Embed) -> Split:
        chunker = import_module("semchunk").chunkerify(len, chunk_size=value)
        return lambda document: begins(document.text, chunker(document.text))


@dataclass
class SemanticTextSplitter(Splitter):
    name: ClassVar[str] = "semantic-text-splitter"
    citation: ClassVar[str] = "semantic-text-splitter"
    packages: ClassVar[tuple[str, ...]] = ("semantic-text-splitter",)
    module: ClassVar[str] = "semantic_text_splitter"
    parameter: ClassVar[str] = "characters"
    grid: ClassVar[tuple[int, ...]] = SIZES

    value: int | None = None

    def splitting(self, value: int, embed: Embed) -> Split:
        splitter = import_module("semantic_text_splitter").TextSplitter(value)
        return lambda document: begins(document.text, splitter.chunks(document.text))
