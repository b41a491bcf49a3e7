"""A panel: one segmentation of a document by one model, as numbers that any figure can be drawn of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
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
    candidates: tuple[str, ...] = ()
    """Labels from which a part of the document takes its rows."""
    candidate_values: Floats2d | None = None
    """float32 [sentences, candidates]"""

    def part(self, first: int, last: int) -> Panel:
        """Return the panel with the rows that matter from a sentence to before another one; as many as it has."""
        if self.candidate_values is None or (first, last) == (0, len(self.document)):
            return self
        inside = [
            section
            for sections, starts in ((self.document.sections, self.starts), (self.gold, self.gold_starts))
            for section, begin, end in zip(sections, starts, [*starts[1:], len(self.document)], strict=False)
            if begin < last and end > first
        ]
        shown = _rows(self.candidates, self.candidate_values[first:last], inside, len(self.rows))
        rows = tuple(self.candidates[column] for column in shown)
        return replace(self, rows=rows, values=self.candidate_values[:, shown].astype(np.float32))

    @property
    def starts(self) -> Ints1d:
        """The first sentence of every predicted section."""
        return first_sentences(self.document, self.document.sections)

    @property
    def gold_starts(self) -> Ints1d:
        """The first sentence of every gold section."""
        return first_sentences(self.document, self.gold)

    @property
    def prefixes(self) -> tuple[str, ...]:
        """What all labels of the model, or of gold sections, begin with, e.g. ``disease.``: no figure repeats it."""
        both = (self.document.labels, [section.label for section in self.gold])
        return tuple(filter(None, map(_prefix, both)))

    def shown(self, section: Section) -> str:
        """Return the name of a section as it is drawn."""
        return self.readable(section.label or section.heading.rpartition(" | ")[2])

    def readable(self, label: str) -> str:
        """Return a label as it is drawn: ``disease.signs_and_symptoms`` as "signs and symptoms"."""
        shared = next((prefix for prefix in self.prefixes if label.startswith(prefix)), "")
        return label.removeprefix(shared).replace("_", " ")

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
    values = document.probabilities if document.probabilities is not None and len(document.probabilities) else None
    shown = [] if values is None else _rows(document.labels, values, (*document.sections, *gold), rows)
    if curves is None:
        deviation = document.deviation
        curves = [Curve("deviation", deviation, chosen=True)] if deviation is not None and deviation.any() else []
    return Panel(
        document,
        title or document.model,
        tuple(document.labels[column] for column in shown),
        values[:, shown].astype(np.float32) if values is not None and shown else None,
        curves=tuple(curves),
        gold=tuple(gold),
        candidates=document.labels,
        candidate_values=values,
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


def _rows(labels: Sequence[str], values: Floats2d, sections: Iterable[Section], most: int) -> list[int]:
    """Return the columns to show: those of sections in their order, then the highest, at most ``most``."""
    places = {label.casefold(): column for column, label in enumerate(labels)}
    named = (names_of(section) for section in sections)
    wanted = [next((places[name.casefold()] for name in names if name.casefold() in places), None) for names in named]
    likely = np.argsort(-values.mean(axis=0, dtype=np.float32), kind="stable").tolist()
    return list(dict.fromkeys([column for column in [*wanted, *likely] if column is not None]))[:most]


def _prefix(labels: Sequence[str]) -> str:
    heads = {label.partition(".")[0] for label in labels if "." in label}
    return f"{heads.pop()}." if len(heads) == 1 and len(labels) > 1 else ""
