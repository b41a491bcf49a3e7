"""Calibrate labels that callers give: the author's headings of a document stand for them, one of which is held back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from sector.arrays import Floats2d, Ints1d
from sector.document import Document
from sector.export.space import add_space
from sector.runtime import Model, load
from sector.runtime.given import Calibration, GivenLabels
from sector.text.headings import heading_phrases
from sector.training.labels import section_of_sentences

WINDOWS = (0, 1, 2, 3, 4)
THRESHOLDS = np.arange(0.0, 0.61, 0.02)
TEMPERATURES = (0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.13, 0.16, 0.2)
DOCUMENTS = 240
"""Read at most, evenly spread over the data."""
LEAST = 3
"""Headings that a document needs."""


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """A document's sentences, the labels that are given, and which of them is right; the last number is ``other``."""

    vectors: Floats2d
    labels: Floats2d
    gold: Ints1d

    def log_odds(self, calibration: Calibration) -> Floats2d:
        """Return the logarithms of the probabilities, float32 [sentences, labels + 1]."""
        given = GivenLabels(("",) * len(self.labels), self.labels, calibration)
        return np.asarray(np.log(given.probabilities(self.vectors) + np.float32(1e-9)))


def calibrate_given(path: Path, documents: Sequence[Document]) -> Calibration:
    """Write into a model's config how near a given label must be to fit, and what is averaged before; return it."""
    model = load(path)
    found = list(_labelled(model, documents[:: -(-len(documents) // DOCUMENTS)])) if documents else []
    chosen = Calibration.of(model.config.space)
    if found:
        tried = [replace(chosen, window=w, threshold=round(float(t), 3)) for w in WINDOWS for t in THRESHOLDS]
        chosen = max(tried, key=lambda one: _right(found, one))
        warmer = [replace(chosen, temperature=temperature) for temperature in TEMPERATURES]
        chosen = min(warmer, key=lambda one: _surprise(found, one))
        settings = {name: getattr(chosen, name) for name in ("temperature", "threshold", "window")}
        add_space(path, str(model.config.space["folder"]), given=settings)
    return chosen


def _labelled(model: Model, documents: Sequence[Document]) -> Iterator[Labelled]:
    assert model.space is not None
    for number, document in enumerate(documents):
        names = [(heading_phrases(section.heading) or [""])[0] for section in document.sections]
        distinct = list(dict.fromkeys(filter(None, names)))
        if len(distinct) < LEAST:
            continue
        held_back = distinct.pop(number % len(distinct))
        places = {name: place for place, name in enumerate(distinct)} | {held_back: len(distinct), "": -1}
        plain = Document(document.text, language=document.language)
        (reading,) = model.read([plain])
        gold = np.array([places[name] for name in names])[
            section_of_sentences(replace(document, given_spans=plain.spans))
        ]
        assert reading.vectors is not None
        yield Labelled(reading.vectors, model.space.named(distinct), gold)


def _right(found: Sequence[Labelled], calibration: Calibration) -> float:
    """Return the mean over the documents of the share of sentences that get the right label."""
    return float(np.mean([_share(one, calibration) for one in found]))


def _share(one: Labelled, calibration: Calibration) -> float:
    known = one.gold >= 0
    best = one.log_odds(calibration).argmax(axis=1)
    return float((best == one.gold)[known].mean()) if known.any() else 0.0


def _surprise(found: Sequence[Labelled], calibration: Calibration) -> float:
    """Return the mean negative log-likelihood of the right labels."""
    losses = [-one.log_odds(calibration)[np.arange(len(one.gold)), one.gold][one.gold >= 0] for one in found]
    return float(np.concatenate(losses).mean())
