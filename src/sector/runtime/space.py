"""The space that sections and headings share: an inventory of heading phrases with their vectors, and a text tower.

It lies in a folder beside the models of open vocabulary, which share it: ``headings.txt`` (a phrase per line),
``headings.npy`` (int8 [N, d]) and ``scales.npy`` (float32 [N]), ``projection.npy`` (float16 [width, d]) and
``bias.npy`` (float16 [d]) of the text tower, and ``space.json``, which says which encoder the tower stands on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Self

import numpy as np

from sector.arrays import Floats1d, Floats2d
from sector.encoders.files import encoder_folder, read_array, read_words
from sector.encoders.piece_encoder import read_json
from sector.errors import ModelError
from sector.runtime.checksums import verify
from sector.runtime.tower import TextTower
from sector.text.headings import heading_key

PHRASES, VECTORS, SCALES, SPACE = "headings.txt", "headings.npy", "scales.npy", "space.json"
PROJECTION, BIAS = "projection.npy", "bias.npy"
NEIGHBOURS, NEAR = 10, 0.5
"""Phrases that tell more of a name, and how near they must be."""
ENDED = 2
"""Phrases that end with a word which others may end with."""
SMALLEST = np.float32(1e-9)
"""A vector that is shorter is none."""


@dataclass(frozen=True, eq=False)
class Space:
    """Heading phrases, where each lies, and what puts any other text there. Safe to use from several threads."""

    phrases: tuple[str, ...]
    vectors: Floats2d
    """float32 [N, d], each of length 1."""
    priors: Floats1d | None
    """float32 [N], added to the logits of the phrases; None without any."""
    tower: TextTower

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read a folder; raises ModelError for files that are missing, broken or do not fit together."""
        record = read_json(folder / SPACE)
        phrases = tuple(read_words(folder / PHRASES))
        rows = read_array(folder / VECTORS, (len(phrases), None))
        scales = read_array(folder / SCALES, (len(phrases),))
        vectors = normalized(rows.astype(np.float32) * scales.astype(np.float32)[:, None])
        tower = _tower(folder, record)
        if tower.dimensions != vectors.shape[1]:
            raise ModelError(
                f"{folder} is mixed up: its headings have {vectors.shape[1]} dimensions, its text tower gives "
                f"{tower.dimensions}; fetch it again."
            )
        return cls(phrases, vectors, _priors(folder, record, len(phrases)), tower)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """The first phrase of each key: 15,000 of them are not looked through for every call."""
        return {heading_key(phrase): number for number, phrase in reversed(list(enumerate(self.phrases)))}

    @cached_property
    def heads(self) -> frozenset[str]:
        """The words that several phrases end with, in lower case."""
        counts = Counter(phrase.split()[-1].lower() for phrase in self.phrases if phrase.split())
        return frozenset(word for word, count in counts.items() if count >= ENDED)

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return int(self.vectors.shape[1])

    def embed(self, texts: Sequence[str]) -> Floats2d:
        """Return float32 [texts, d], each row of length 1; zeros for a text without any word."""
        return self.tower.embed(texts)

    def place(self, headings: Sequence[str]) -> Floats2d:
        """Return float32 [headings, d] like `embed`; phrases of the inventory have the vectors that were learned."""
        rows = self.embed(headings)
        numbers = {phrase.casefold(): number for number, phrase in enumerate(self.phrases)}
        for row, heading in zip(rows, headings, strict=True):
            if (number := numbers.get(heading.casefold())) is not None:
                row[:] = self.vectors[number]
        return rows

    def named(self, names: Sequence[str]) -> Floats2d:
        """Return float32 [names, d], each row of length 1: where sections lie that a person would call so.

        A name that is a phrase of the inventory in another form ("symptom" for Symptoms) has what was learned of it;
        to each is added what the phrases nearest to it have in common, for they were learned from sections.
        """
        rows = self.embed(names)
        for row, name in zip(rows, names, strict=True):
            number = self._numbers.get(heading_key(name))
            if number is not None:
                row[:] = self.vectors[number]
            cosines = self.vectors @ row
            near = np.argsort(-cosines, kind="stable")[:NEIGHBOURS]
            near = near[cosines[near] >= NEAR]
            if len(near):
                row += self.vectors[near].mean(axis=0)
        return normalized(rows)

    def logits(self, sections: Floats2d, temperature: float) -> Floats2d:
        """Return float32 [sections, N] for section vectors of length 1: cosine / temperature + prior."""
        found = (sections / np.float32(temperature)) @ self.vectors.T
        return np.asarray(found if self.priors is None else found + self.priors, np.float32)


def normalized(rows: Floats2d) -> Floats2d:
    """Scale each row to length 1; zeros stay zeros."""
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float32))[:, None]
    return np.asarray(rows / np.maximum(lengths, SMALLEST), np.float32)


def space_of(model: Path, settings: Mapping[str, Any]) -> Space:
    """Return the space of a model by the setting ``space`` of its config; models that share one have it in common.

    Raises ModelError for settings or files that are missing or broken.
    """
    if not settings.get("folder"):
        raise ModelError(f"The model {model} has an open vocabulary but no space of headings; fetch it again.")
    folder = encoder_folder(model, beside(settings)).resolve()
    return _loaded(folder, tuple(_written(folder / name) for name in (SPACE, VECTORS)))


def beside(settings: Mapping[str, Any]) -> dict[str, str]:
    """Return the settings with the folder as one beside the model's, also where its plain name is given."""
    name = str(settings["folder"])
    return {"folder": name if name.startswith("../") else f"../{name}"}


@lru_cache(maxsize=4)
def _loaded(folder: Path, written: tuple[int, ...]) -> Space:
    return Space.load(folder)


def _written(file: Path) -> int:
    """Return when a file was written: a folder that has changed is read again."""
    try:
        return file.stat().st_mtime_ns
    except OSError as error:
        raise ModelError(f"{file.parent} is not a whole space of headings: {error}; fetch it again.") from error


def _tower(folder: Path, record: Mapping[str, Any]) -> TextTower:
    settings, files = record.get("encoder"), record.get("files", {})
    if not isinstance(settings, dict) or not isinstance(files, dict):
        raise ModelError(f"{folder / SPACE} is broken: 'encoder' must be the settings of one; fetch it again.")
    encoder_folder(folder, settings)
    bias = read_array(folder / BIAS, (None,)).astype(np.float32)
    projection = read_array(folder / PROJECTION, (None, len(bias))).astype(np.float32)
    return TextTower(folder, settings, projection, bias, lambda: verify(folder, files, settings))


def _priors(folder: Path, record: Mapping[str, Any], count: int) -> Floats1d | None:
    """Return the logits that phrases begin with, if the space has any."""
    given = record.get("priors")
    if given is None:
        return None
    try:
        priors = np.array(given, np.float32)
    except (TypeError, ValueError):
        priors = np.zeros(0, np.float32)
    if priors.shape != (count,) or not np.isfinite(priors).all():
        raise ModelError(f"{folder / SPACE} is broken: 'priors' must be {count} numbers; fetch it again.")
    return priors
