"""What a segmentation is: it looks at a model's reading of a document and says where sections begin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Bools1d, Floats1d, Floats2d, Ints1d
from sector.errors import ConfigError
from sector.tasks import TaskName


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What a model, or any source of scores and embeddings, says about the sentences of one document."""

    probabilities: Floats2d
    """float32 [sentences, labels]"""
    forward: Floats2d | None = None
    """float32 [sentences, dim]: topic embeddings that know the text so far."""
    backward: Floats2d | None = None
    """float32 [sentences, dim]: topic embeddings that know the text to come."""
    paragraph_end: Bools1d | None = None
    """bool [sentences]: whether a line break follows the sentence."""
    boundary: Floats2d | None = None
    """float32 [sentences, 2]: learned logits of "the label changes here" (with headings: "a main section begins here")
    and of "a section begins here"."""
    candidates: Bools1d | None = None
    """bool [sentences]: whether a section may begin with the sentence; None: with any."""
    forced: Bools1d | None = None
    """bool [sentences]: whether a section must begin with the sentence, e.g. below an author's heading; None: with
    none but the first. It wins over ``candidates``."""
    task: TaskName = "topics"
    """Whether the labels are topics, which exclude one another, or the words of headings, which do not; or "open"."""
    vectors: Floats2d | None = None
    """float32 [sentences, d]: in a model of open vocabulary, each sentence in the space of headings, not normalised;
    ``probabilities`` then has no columns."""

    def __post_init__(self) -> None:
        for name in ("forward", "backward", "paragraph_end", "boundary", "candidates", "forced", "vectors"):
            rows = getattr(self, name)
            if rows is not None and len(rows) != len(self):
                raise ConfigError(
                    f"A reading has {len(self)} rows of probabilities but {len(rows)} of '{name}'; "
                    "give one row per sentence."
                )

    def __len__(self) -> int:
        return len(self.probabilities)

    @classmethod
    def of_vectors(cls, vectors: NDArray[np.floating[Any]], paragraph_end: Bools1d | None = None) -> Reading:
        """Make a reading of sentence vectors alone, [sentences, dim], from any encoder; it has no labels."""
        rows = np.asarray(vectors, np.float32)
        if rows.ndim != 2 or not np.isfinite(rows).all():
            raise ConfigError(f"The vectors have the shape {rows.shape}; give a row of finite numbers per sentence.")
        return cls(np.zeros((len(rows), 0), np.float32), forward=rows, paragraph_end=paragraph_end)


class Segmentation(Protocol):
    """Finds the sentences with which sections begin."""

    name: ClassVar[str]

    def starts(self, reading: Reading) -> Ints1d:
        """Return the sentences that begin a section, sorted, 0 first; none if there are no sentences."""
        ...

    def deviation(self, reading: Reading) -> Floats1d:
        """Return float32 [sentences], what the method looks at; zeros where it looks at nothing of the kind."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Decoded:
    """Section starts, and the sentences' probabilities that sections are named by."""

    starts: Ints1d
    probabilities: Floats2d
    columns: Ints1d | None = None
    """Labels whose probabilities are others than these: a few of thousands, so that nothing large is copied."""
    changed: Floats2d | None = None
    """float32 [sentences, columns]: what they are instead."""
    power: float = 1.0
    """What a section's mean is raised to before it is made to sum up to 1 again: below 1 it is less sure of itself."""
    levels: Ints1d | None = None
    """int64 [starts]: 1 where a main section begins, 2 where one inside it does; None: all are main sections."""

    def means(self, mean: Callable[[Floats2d], Floats2d]) -> Floats2d:
        """Apply a function that averages the rows of each section."""
        found = mean(self.probabilities)
        if self.columns is not None and self.changed is not None:
            found[:, self.columns] = mean(self.changed)
        return found if self.power == 1 else _raised(found, self.power)


def _raised(rows: Floats2d, power: float) -> Floats2d:
    raised = np.power(rows, np.float32(power), dtype=np.float32)
    return np.asarray(raised / np.maximum(raised.sum(axis=1, keepdims=True), np.float32(1e-9)), np.float32)


def decode(segmentation: Segmentation, reading: Reading) -> Decoded:
    """Find sections where the reading allows and demands them.

    A segmentation that has a ``decode`` of its own may change what sections are named by. This is the one place where
    ``candidates`` and ``forced`` are honoured for every segmentation, whether or not it looks at them itself.
    """
    own: Callable[[Reading], Decoded] | None = getattr(segmentation, "decode", None)
    found = own(reading) if own else Decoded(segmentation.starts(reading), reading.probabilities)
    if reading.candidates is None and reading.forced is None:
        return found
    return _within(found, reading)


def _within(found: Decoded, reading: Reading) -> Decoded:
    """Drop the starts that are no candidates and add those that are forced, as main sections."""
    begins = np.zeros(len(reading), np.bool_)
    begins[found.starts] = True
    if reading.candidates is not None:
        begins &= reading.candidates
    if reading.forced is not None:
        begins |= reading.forced
    starts = starts_from(begins)
    levels = None
    if found.levels is not None:
        by_sentence = np.ones(len(reading), np.int64)
        by_sentence[found.starts] = found.levels
        levels = by_sentence[starts]
    return replace(found, starts=starts, levels=levels)


def starts_from(begins: Bools1d) -> Ints1d:
    """Return the positions of the true values, and 0 whatever its value."""
    return np.flatnonzero(np.concatenate([np.ones(min(1, len(begins)), np.bool_), begins[1:]]))


def no_deviation(reading: Reading) -> Floats1d:
    """Return zeros, for a method that has no deviation."""
    return np.zeros(len(reading), np.float32)


def strict_maxima(values: NDArray[np.floating[Any]]) -> Bools1d:
    """Return for each value whether both neighbours are smaller; False at both ends."""
    found = np.zeros(len(values), np.bool_)
    if len(values) > 2:
        found[1:-1] = (values[:-2] < values[1:-1]) & (values[1:-1] > values[2:])
    return found
