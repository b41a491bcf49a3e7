"""A panel: one segmentation of a document by one model, as numbers that any figure can be drawn of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from sector.arrays import Floats1d, Floats2d, Ints1d
from sector.document import Document, Section

ROWS = 12
"""Labels that a heat map shows by default."""


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """Something that is known of every sentence."""

    name: str
    values: Floats1d
    """float32 [sentences], as they are."""
    chosen: bool = False
    """Whether the panel's segmentation looked at it."""


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """A segmented document with what is drawn of it."""

    document: Document
    title: str = ""
    rows: tuple[str, ...] = ()
    """Labels of the heat map from top to bottom."""
    values: Floats2d | None = None
    """float32 [sentences, rows]"""
    unit: str = "probability"
    """What the values are."""
    curves: tuple[Curve, ...] = ()
    gold: tuple[Section, ...] = ()

    @property
    def starts(self) -> Ints1d:
        """The first sentence of every predicted section."""
        return first_sentences(self.document, self.document.sections)

    @property
    def gold_starts(self) -> Ints1d:
        """The first sentence of every gold section."""
        return first_sentences(self.document, self.gold)

    @property
    def prefix(self) -> str:
        """What all labels of a data set begin with, e.g. ``disease.``: no figure repeats it."""
        heads = {label.partition(".")[0] for label in self.document.labels if "." in label}
        return f"{heads.pop()}." if len(heads) == 1 and len(self.document.labels) > 1 else ""

    def shown(self, section: Section) -> str:
        """Return the name of a section as it is drawn."""
        return self.readable(section.label or section.heading.rpartition(" | ")[2])

    def readable(self, label: str) -> str:
        """Return a label as it is drawn: ``disease.signs_and_symptoms`` as "signs and symptoms"."""
        return label.removeprefix(self.prefix).replace("_", " ")

    def row_of(self, section: Section) -> int | None:
        """Return the row that a section's name belongs to; None where the heat map does not show it."""
        places = {row.casefold(): number for number, row in enumerate(self.rows)}
        return next((places[name.casefold()] for name in names_of(section) if name.casefold() in places), None)


def panel_of(
    document: Document,
    title: str = "",
    *,
    gold: Sequence[Section] = (),
    rows: int = ROWS,
    curves: Sequence[Curve] | None = None,
) -> Panel:
    """Return the panel of a document that any model or system segmented, from what the document itself carries."""
    shown = _rows(document, gold, rows)
    if curves is None:
        deviation = document.deviation
        curves = [Curve("deviation", deviation, chosen=True)] if deviation is not None and deviation.any() else []
    return Panel(
        document,
        title or document.model,
        tuple(document.labels[column] for column in shown),
        document.probabilities[:, shown].astype(np.float32) if document.probabilities is not None and shown else None,
        curves=tuple(curves),
        gold=tuple(gold),
    )


def names_of(section: Section) -> list[str]:
    """Return what may name a section's row: its label, the best of its scores, the last part of its heading."""
    best = next(iter(section.scores), "")
    return [name for name in (section.label, best, section.heading.rpartition(" | ")[2]) if name]


def first_sentences(document: Document, sections: Iterable[Section]) -> Ints1d:
    """Return the number of the first sentence of each section."""
    begins = [section.begin for section in sections]
    found = np.searchsorted(document.spans.begin, begins, side="left")
    return np.minimum(found, max(0, len(document) - 1)).astype(np.int64)


def merged(sections: Iterable[Section]) -> list[Section]:
    """Return the first of each run of neighbours with one name."""
    return [next(run) for _, run in groupby(sections, key=lambda section: section.name)]


def _rows(document: Document, gold: Sequence[Section], most: int) -> list[int]:
    """Return the columns to show: of predicted labels, of gold ones, then the most probable, at most ``most``."""
    if document.probabilities is None or not len(document.probabilities):
        return []
    places = {label.casefold(): column for column, label in enumerate(document.labels)}
    named = (names_of(section) for section in (*document.sections, *gold))
    wanted = [next((places[name.casefold()] for name in names if name.casefold() in places), None) for names in named]
    means = document.probabilities.mean(axis=0, dtype=np.float32)
    likely = np.argsort(-means, kind="stable").tolist()
    return list(dict.fromkeys([column for column in [*wanted, *likely] if column is not None]))[:most]
