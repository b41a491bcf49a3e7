"""The heat map of a panel: labels from top to bottom, sentences from left to right; cuts across, gold in boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sector.arrays import Floats2d
from sector.figures.lettering import one_line, plain
from sector.figures.panel import Panel
from sector.figures.themes import Theme
from sector.output.heatmap import pooled

COLUMNS = 900
"""Columns of a heat map; in a longer document a column is the mean of several sentences."""
VOCABULARY = 100
"""Labels of a model from which on probabilities are spread over many of them."""
CLEAR, MANY = 60, 150
"""Cuts up to which lines have margins, and cuts above which there are none: they would hide the map."""


def highest(panels: Sequence[Panel]) -> float:
    """Return the end of the colour scale: 1, unless nothing comes near it, as among thousands of words."""
    most = max((float(panel.values.max(initial=0)) for panel in panels if panel.values is not None), default=1.0)
    return 1.0 if most > 0.5 else max(most, 1e-6)


def gamma(panels: Sequence[Panel]) -> float:
    """Return the exponent from a value to its colour: among thousands of labels, the best one may have a tenth."""
    return 0.5 if any(len(panel.candidates) > VOCABULARY for panel in panels) else 1.0


def draw_map(axes: Any, panel: Panel, theme: Theme, window: tuple[int, int], scale: tuple[float, float]) -> Any:
    """Draw the values of a panel, `scale` being the highest one and gamma, and return what a colour bar needs."""
    from matplotlib.colors import LinearSegmentedColormap, PowerNorm

    assert panel.values is not None
    first, last = window
    shown: Floats2d = pooled(panel.values[first:last], COLUMNS)
    colours = LinearSegmentedColormap.from_list("heat", theme.heat)
    extent = (first, last, len(panel.rows) - 0.5, -0.5)
    axes.set_facecolor(theme.heat[0])
    norm = PowerNorm(scale[1], vmin=0, vmax=scale[0])
    found = axes.imshow(shown.T, aspect="auto", interpolation="none", cmap=colours, norm=norm, extent=extent)
    axes.set_yticks(range(len(panel.rows)), [one_line(panel.readable(row)) for row in panel.rows])
    for label in axes.get_yticklabels():
        plain(label)
    axes.tick_params(axis="both", length=0)
    axes.hlines(np.arange(0.5, len(panel.rows) - 0.5), first, last, colors=theme.paper, linewidths=1.2)
    return found


def draw_cuts(axes: Any, panel: Panel, theme: Theme, window: tuple[int, int]) -> None:
    """Draw the predicted boundaries as lines with a margin that sets them off from any cell."""
    from matplotlib.patheffects import withStroke

    starts = np.unique(panel.starts[1:])
    cuts = starts[(starts > window[0]) & (starts < window[1])]
    if not len(cuts) or len(cuts) > MANY:
        return
    width = 1.5 if len(cuts) <= CLEAR else 0.8
    lines = axes.vlines(cuts, -0.5, len(panel.rows) - 0.5, colors=theme.ink, linewidths=width, zorder=3)
    if len(cuts) <= CLEAR:
        lines.set_path_effects([withStroke(linewidth=width + 1.6, foreground=theme.paper)])


def draw_gold_boxes(axes: Any, panel: Panel, theme: Theme) -> None:
    """Draw a box around the sentences of each gold section in the row of its label."""
    from matplotlib.patches import Rectangle

    edges = [*panel.gold_starts.tolist(), len(panel.document)]
    for number, section in enumerate(panel.gold):
        row = panel.row_of(section)
        if row is not None and edges[number] < edges[number + 1]:
            corner, size = (edges[number], row - 0.46), edges[number + 1] - edges[number]
            box = Rectangle(corner, size, 0.92, fill=False, edgecolor=theme.gold, linewidth=1.6, zorder=4)
            axes.add_patch(box)
