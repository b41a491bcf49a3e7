"""From a model to panels: a document is read once and cut by every segmentation that is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sector import segmentation as segmentations
from sector.document import Document, Section
from sector.errors import ConfigError
from sector.figures.panel import ROWS, Curve, Panel, panel_of
from sector.runtime.given import Labels
from sector.runtime.model import Model
from sector.runtime.space import normalized
from sector.runtime.structured import spread
from sector.segmentation import Reading

CURVES = {"emd": "deviation emd", "bemd": "deviation bemd", "joint": "learned boundary probability"}
"""What is drawn below the heat map where the model has it, by the segmentation that looks at it."""


def read_panels(
    model: Model,
    document: Document,
    names: Sequence[str | None] = (None,),
    *,
    gold: Sequence[Section] = (),
    rows: int = ROWS,
    labels: Labels | None = None,
    **options: Any,
) -> Iterator[Panel]:
    """Return a panel for each segmentation of a document.

    Args:
        model: reads the document.
        document: what to read; its own sections are not looked at.
        names: segmentations; None is the model's own.
        gold: sections for the second axis.
        rows: labels of the heat map.
        labels: of the caller's, for a model of open vocabulary.
        options: as `Model.decode` takes them, e.g. ``merge`` and ``granularity``.

    Raises: ConfigError for a segmentation or labels that the model cannot do.
    """
    if labels is not None:
        model = model.with_labels(labels)
    if not document.language:
        document = replace(document, language=model.config.language)
    (reading,) = model.read([document])
    for name in names:
        found = model.decode(document, reading, segmentation=name, **options)
        own = name or str(model.config.segmentation.get("name", ""))
        curves = list(_curves(reading, document, own))
        yield _panel(model, found, reading, f"{model.name}, {own}", gold, rows, curves)


def _panel(
    model: Model,
    document: Document,
    reading: Reading,
    title: str,
    gold: Sequence[Section],
    rows: int,
    curves: list[Curve],
) -> Panel:
    if model.space is not None and not reading.probabilities.shape[1]:
        return _open_panel(model, document, reading, rows, Panel(document, title, curves=tuple(curves), gold=(*gold,)))
    return panel_of(document, title, gold=gold, rows=rows, curves=curves)


def _open_panel(model: Model, document: Document, reading: Reading, rows: int, panel: Panel) -> Panel:
    """Show how near each sentence lies to the titles that the model gave: it has no labels of its own."""
    titles = list(dict.fromkeys(section.label for section in document.sections if section.label))
    if not titles or reading.vectors is None or not len(reading):
        return panel
    near = np.clip(normalized(reading.vectors.astype(np.float32)) @ model.embed(titles).T, 0, 1)
    values = np.asarray(spread(near.astype(np.float32), document), np.float32)
    shown = replace(panel, rows=tuple(titles[:rows]), values=values[:, :rows], unit="similarity")
    return replace(shown, candidates=tuple(titles), candidate_values=values)


def _curves(reading: Reading, document: Document, chosen: str) -> Iterator[Curve]:
    """Return the deviations that the model's reading allows, and that of the chosen segmentation if it is another."""
    for name in dict.fromkeys((*CURVES, chosen)):
        try:
            values = segmentations.make(name).deviation(reading)
        except ConfigError:  # the model has no boundary layer, or no embeddings
            continue
        if values.any():
            shown = np.asarray(spread(values, document), np.float32)
            yield Curve(CURVES.get(name, f"deviation {name}"), shown, chosen=name == chosen)
