"""Labels that the caller gives: names, descriptions and examples become vectors in the space of sections.

Each sentence's vector, averaged with its neighbours', is compared with the labels'; what is near to none is `OTHER`.
A segmentation then decodes these probabilities as it does those of a model with labels of its own, so that sections
end where the given labels change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np

from sector.arrays import Floats2d
from sector.distribution import Distribution
from sector.document import Document
from sector.errors import ConfigError, ModelError
from sector.runtime.naming import ByLabels, Name, blocks
from sector.runtime.space import Space, normalized
from sector.runtime.titles import section_vectors
from sector.segmentation import Decoded, Reading, SectionSpans
from sector.visible import brief

OTHER = "other"
"""The label of what none of the given ones fits."""
MOST = 500
"""Labels that may be given."""
Labels: TypeAlias = str | Iterable[str] | Mapping[str, str]
Examples: TypeAlias = Mapping[str, Iterable[str]] | Iterable[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Calibration:
    """Numbers that were chosen on validation documents, for models whose config says nothing else."""

    temperature: float = 0.05
    """Of the softmax over cosines."""
    threshold: float = 0.15
    """The cosine of ``other`` to everything."""
    window: int = 1
    """Neighbours on either side that a sentence's vector is averaged with."""
    examples: float = 1.0
    """How much the mean of many examples counts beside the name;"""
    half: float = 1.0
    """of so many examples it counts half as much."""

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Calibration:
        """Read what a model's setting ``space`` says under ``given``; raises ModelError for what are no numbers."""
        given = settings.get("given", {})
        found = cls(**{name: given[name] for name in cls.__slots__ if name in given})
        numbers = [type(getattr(found, name)) in (int, float) for name in cls.__slots__]
        if not all(numbers) or not found.temperature > 0 or found.window not in range(1000):
            raise ModelError(f"The model's config.json is broken: 'given' of its space is {brief(given)}.")
        return found


@dataclass(frozen=True, slots=True, eq=False)
class GivenLabels:
    """Labels with their vectors; names sections by them."""

    given: tuple[str, ...]
    vectors: Floats2d
    """float32 [labels, d], each of length 1."""
    calibration: Calibration
    space: Space | None = field(default=None, repr=False)
    """Of the model, for the author's headings."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the labels alone: the model that they are sent to has the space."""
        return GivenLabels, (self.given, self.vectors, self.calibration)

    def reading(self, reading: Reading) -> Reading:
        """Return the reading with the probabilities of these labels and, last, of ``other``."""
        assert reading.vectors is not None
        rows = self.probabilities(reading.vectors)
        return replace(reading, probabilities=rows, task="topics")

    def probabilities(self, vectors: Floats2d) -> Floats2d:
        """Return float32 [sentences, labels + 1]."""
        used = self.calibration
        cosines = normalized(smoothed(vectors.astype(np.float32), used.window)) @ self.vectors.T
        other = np.full((len(cosines), 1), used.threshold, np.float32)
        logits = np.concatenate([cosines, other], axis=1) / np.float32(used.temperature)
        logits = np.exp(logits - logits.max(axis=1, keepdims=True, initial=-np.inf))
        return np.asarray(logits / logits.sum(axis=1, keepdims=True), np.float32)

    def names(self, read: Document, spans: SectionSpans, found: Decoded, reading: Reading) -> Iterator[Name]:
        """Name sections by the decoded probabilities of their sentences; their vectors stay those of the space."""
        assert reading.vectors is not None
        vectors = (vector for block in blocks(spans) for vector in section_vectors(block, reading.vectors))
        for name, vector in zip(self._labels.names(read, spans, found, reading), vectors, strict=True):
            yield name._replace(embedding=vector, source="given")

    def with_heading(self, name: Name, heading: str) -> Name:
        """Return the name that the section and its heading have together; one that says nothing changes little."""
        if self.space is None or name.distribution is None:
            return name
        said = self.probabilities(self.space.embed([heading]))[0]
        said[-1] = 0.0  # that a heading is near to no label says nothing
        shares = name.distribution.values + said
        shares = np.asarray(shares / shares.sum(), np.float32)
        best = int(shares.argmax())
        labels = name.distribution.labels
        return name._replace(
            label=labels[best], confidence=float(shares[best]), distribution=Distribution(labels, shares)
        )

    def shown(self, names: list[Name], reading: Reading) -> tuple[tuple[str, ...], Floats2d]:
        """Return the given labels with ``other``, and what each sentence says of them."""
        return self._labels.shown(names, reading)

    @property
    def _labels(self) -> ByLabels:
        return ByLabels("topics", (*self.given, OTHER))


def given_labels(
    space: Space,
    labels: Labels | None,
    examples: Examples | None,
    read: Callable[[Sequence[str]], Floats2d],
    calibration: Calibration,
) -> GivenLabels:
    """Return labels in the space.

    Args:
        space: has the text tower for names and descriptions.
        labels: names, or ``{name: description}``; None: those of the examples.
        examples: ``{name: texts}``, or pairs of a text and the name of its label.
        read: puts texts into the space as a section, [texts, d].
        calibration: temperature, threshold and weights.

    Raises:
        ConfigError: no label, too many, an empty one, or examples of a label that is not among them.
    """
    shown = _by_label(examples)
    described = _described(labels) if labels is not None else dict.fromkeys(shown, "")
    unknown = [name for name in shown if name not in described and name != OTHER]
    if unknown:
        raise ConfigError(f"There are examples of {brief(unknown[0])}, which is not among the labels; add it to them.")
    described.pop(OTHER, None)
    if not described:
        raise ConfigError("No label was given; name at least one, e.g. labels=['payment', 'termination'].")
    if len(described) > MOST:
        raise ConfigError(f"There are {len(described)} labels; at most {MOST} can be given.")
    vectors = _named(space, described)
    for row, name in enumerate(described):
        if shown.get(name):
            mean = read(shown[name]).mean(axis=0)
            share = calibration.examples * len(shown[name]) / (len(shown[name]) + calibration.half)
            vectors[row] += np.float32(share) * mean / max(float(np.linalg.norm(mean)), 1e-9)
    return GivenLabels(tuple(described), normalized(vectors), calibration)


def smoothed(rows: Floats2d, window: int) -> Floats2d:
    """Return the mean of each row and up to ``window`` rows on either side."""
    if not window or len(rows) < 2:
        return rows
    sums = np.concatenate([np.zeros((1, rows.shape[1])), np.cumsum(rows, axis=0, dtype=np.float64)])
    places = np.arange(len(rows))
    low, high = np.maximum(places - window, 0), np.minimum(places + window + 1, len(rows))
    return np.asarray((sums[high] - sums[low]) / (high - low)[:, None], np.float32)


def _named(space: Space, described: Mapping[str, str]) -> Floats2d:
    """Return the vectors of names and, where there are any, of descriptions, half and half."""
    names = space.named([readable(name) for name in described])
    if not any(described.values()):
        return names
    texts = space.embed([f"{readable(name)}: {text}" for name, text in described.items()])
    told = np.array([bool(text) for text in described.values()])[:, None]
    return normalized(names + texts * told)


def readable(name: str) -> str:
    """Return a label as a heading would be written: ``early_life`` → Early life."""
    words = " ".join(name.replace("_", " ").split())
    return words[:1].upper() + words[1:]


def _described(labels: Any) -> dict[str, str]:
    """Return labels and descriptions; raises ConfigError for what are none."""
    if isinstance(labels, str):
        labels = [name for name in labels.split(",") if name.strip()]
    if not isinstance(labels, Iterable):
        raise ConfigError(f"The labels are {brief(labels)}; give a list of names, or {{name: description}}.")
    pairs = labels.items() if isinstance(labels, Mapping) else ((name, "") for name in labels)
    found: dict[str, str] = {}
    for name, text in pairs:
        if not isinstance(name, str) or not name.strip() or not isinstance(text, str | None):
            raise ConfigError(
                f"The label {brief(name)} with the description {brief(text)} cannot be used; both must be texts."
            )
        found.setdefault(name.strip(), (text or "").strip())
    return found


def _by_label(examples: Any) -> dict[str, list[str]]:
    """Return the examples of each label; raises ConfigError for what are none."""
    found: dict[str, list[str]] = {}
    for name, text in _pairs({} if examples is None else examples):
        if not isinstance(name, str) or not name.strip() or not isinstance(text, str) or not text.strip():
            raise ConfigError(
                f"The example {brief(text)} of the label {brief(name)} cannot be used; both must be texts."
            )
        found.setdefault(name.strip(), []).append(text)
    return found


def _pairs(examples: Any) -> Iterator[tuple[Any, Any]]:
    if not isinstance(examples, Iterable):
        raise ConfigError(f"The examples are {brief(examples)}; give pairs (text, label), or {{label: [texts]}}.")
    for entry in examples.items() if isinstance(examples, Mapping) else examples:
        if not isinstance(entry, Sequence) or isinstance(entry, str) or len(entry) != 2:
            raise ConfigError(f"The example {brief(entry)} is no pair; give (text, label), or {{label: [texts]}}.")
        if not isinstance(examples, Mapping):
            yield entry[1], entry[0]
        elif isinstance(entry[1], Iterable):
            yield from ((entry[0], text) for text in ([entry[1]] if isinstance(entry[1], str) else entry[1]))
        else:
            raise ConfigError(f"The examples of {brief(entry[0])} are {brief(entry[1])}; give a list of texts.")
