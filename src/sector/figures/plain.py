"""Axes for lines and points: what the figures of runs and comparisons have in common."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from sector.figures.document import settings
from sector.figures.saving import matplotlib
from sector.figures.themes import Theme

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 4.6, 3.3
"""Of one of the axes, in inches."""


def themed(theme: Theme) -> AbstractContextManager[None]:
    """Return a context in which all that is drawn has the colours of the theme."""
    context: AbstractContextManager[None] = matplotlib().rc_context(settings(theme))
    return context


def line_axes(theme: Theme, count: int, *, size: tuple[float, float] = (WIDTH, HEIGHT)) -> tuple[Figure, list[Any]]:
    """Return a figure with axes side by side; to be called within `themed`."""
    figure = matplotlib().figure.Figure(figsize=(size[0] * count, size[1]), layout="constrained")
    axes = list(figure.subplots(1, count, squeeze=False)[0])
    for each in axes:
        each.spines[["top", "right"]].set_visible(False)
        each.grid(color=theme.quiet, alpha=0.25, linewidth=0.7)
        each.set_axisbelow(True)
    return figure, axes
