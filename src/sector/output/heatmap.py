"""The paper's figure as inline SVG: a strip of sections, a heat map of labels × sentences, the deviation below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Floats2d
from sector.document import Document

WIDTH, ROW, STRIP, CURVE = 1000, 18, 12, 70
ROWS = 12
"""Maximum number of labels: those of the sections first, then the most probable ones."""
COLUMNS = 400
"""Maximum number of columns. In a longer document a column stands for several sentences."""
LEVELS = 12
"""Shades of a cell. Equal neighbours are drawn as one rectangle."""
CUTS = 80
"""Maximum number of boundaries drawn as lines; more would hide the map."""
LONGEST_NAME = 26


def hues(document: Document) -> dict[str, int]:
    """Return the shown labels from top to bottom, each with the hue of its colour."""
    best = [next(iter(section.scores), section.label) for section in document.sections]
    if document.probabilities is not None and len(document.probabilities):
        means = document.probabilities.mean(axis=0)
        best += [document.labels[i] for i in np.argsort(-means, kind="stable")]
    names = list(filter(None, dict.fromkeys(best)))[:ROWS]
    return {name: round(210 + 137.5 * number) % 360 for number, name in enumerate(names)}


def figure(document: Document, anchor: str) -> str:
    """Return the figure as SVG; empty if the document has no probabilities, no sentence or no label."""
    rows = hues(document)
    if document.probabilities is None or not len(document.probabilities) or not rows:
        return ""
    return _Figure(document, rows, anchor).svg()


@dataclass(frozen=True, slots=True)
class _Figure:
    document: Document
    rows: Mapping[str, int]
    anchor: str

    @property
    def gutter(self) -> int:
        """Width of the column of label names."""
        return 16 + 7 * max(9, *(len(_short(label)) for label in self.rows))

    @property
    def bottom(self) -> int:
        """The y coordinate between heat map and curve."""
        return STRIP + 6 + ROW * len(self.rows)

    def svg(self) -> str:
        """Return the whole figure."""
        height = self.bottom + CURVE + 18
        parts = [*self._strip(), *self._map(), *self._curve(), *self._boundaries(), *self._axis()]
        name = f"Probabilities of {len(self.rows)} labels in {len(self.document)} sentences, and the deviation"
        head = f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{name}">'
        return "\n".join([head, *parts, "</svg>"])

    def _x(self, sentence: float) -> float:
        return round(self.gutter + (WIDTH - self.gutter) * sentence / len(self.document), 2)

    def _edges(self) -> list[int]:
        begins = [section.begin for section in self.document.sections]
        return [*np.searchsorted(self.document.spans.begin, begins).tolist(), len(self.document)]

    def _strip(self) -> Iterator[str]:
        edges = self._edges()
        for number, section in enumerate(self.document.sections):
            left, right = self._x(edges[number]), self._x(edges[number + 1])
            hue = self.rows.get(next(iter(section.scores), section.label), 0)
            shape = f'<rect x="{left}" y="0" width="{max(1, right - left - 1):.2f}" height="{STRIP}" rx="3"'
            title = f"<title>{escape(section.label)}, {100 * section.confidence:.0f} %</title>"
            yield f'<a href="#{self.anchor}-{number}">{shape} fill="hsl({hue} 60% 50%)">{title}</rect></a>'

    def _map(self) -> Iterator[str]:
        assert self.document.probabilities is not None
        places = {label: number for number, label in enumerate(self.document.labels)}
        shown = pooled(self.document.probabilities)
        for number, (label, hue) in enumerate(self.rows.items()):
            top = STRIP + 6 + ROW * number
            yield f'<text x="{self.gutter - 8}" y="{top + 13}" text-anchor="end">{escape(_short(label))}</text>'
            levels = (
                np.rint(shown[:, places[label]] * LEVELS).astype(int) if label in places else np.zeros(len(shown), int)
            )
            yield f'<g fill="hsl({hue} 60% 50%)">' + "".join(self._cells(levels, top)) + "</g>"

    def _cells(self, levels: NDArray[np.int_], top: int) -> Iterator[str]:
        begins = np.flatnonzero(np.diff(levels, prepend=-1)).tolist()
        scale = len(self.document) / max(1, len(levels))
        for begin, end in zip(begins, [*begins[1:], len(levels)], strict=True):
            if levels[begin] > 0:
                left, right = self._x(begin * scale), self._x(end * scale)
                size = f'width="{right - left + 0.3:.2f}" height="{ROW - 2}"'
                yield f'<rect x="{left}" y="{top}" {size} opacity="{levels[begin] / LEVELS:.2f}"/>'

    def _curve(self) -> Iterator[str]:
        if self.document.deviation is None or not self.document.deviation.any():
            return
        values = pooled(self.document.deviation[:, None]).ravel()
        heights = values / values.max() * (CURVE - 12)
        scale, base = len(self.document) / len(values), self.bottom + CURVE
        points = " ".join(f"{self._x((i + 0.5) * scale)},{base - y:.1f}" for i, y in enumerate(heights.tolist()))
        ends = f"{self._x(0.5 * scale)},{base} {{}} {self._x((len(values) - 0.5) * scale)},{base}"
        yield f'<text x="{self.gutter - 8}" y="{base - 4}" text-anchor="end" class="faint">deviation</text>'
        yield f'<polygon class="area" points="{ends.format(points)}"/><polyline class="curve" points="{points}"/>'

    def _boundaries(self) -> Iterator[str]:
        inner = self._edges()[1:-1]
        for sentence in inner if len(inner) <= CUTS else ():
            x = self._x(sentence)
            yield f'<line class="cut" x1="{x}" x2="{x}" y1="{STRIP + 4}" y2="{self.bottom + CURVE}"/>'

    def _axis(self) -> Iterator[str]:
        y = self.bottom + CURVE + 14
        last = len(self.document)
        yield f'<text class="faint" x="{self.gutter}" y="{y}">sentence 1</text>'
        yield f'<text class="faint" x="{WIDTH}" y="{y}" text-anchor="end">{last:,}</text>'


def pooled(rows: Floats2d, most: int = COLUMNS) -> Floats2d:
    """Return at most ``most`` rows, each the mean of its neighbours."""
    if len(rows) <= most:
        return rows
    begins = np.linspace(0, len(rows), most, endpoint=False).astype(int)
    counts = np.diff(begins, append=len(rows))
    return (np.add.reduceat(rows, begins, axis=0) / counts[:, None]).astype(np.float32)


def _short(label: str) -> str:
    return label if len(label) <= LONGEST_NAME else label[: LONGEST_NAME - 1] + "…"
