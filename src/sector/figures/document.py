"""The figure of a document: panels of sections, heat map and curves, with one legend and one colour bar."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from sector.errors import ConfigError
from sector.figures.curves import DASHES, draw_curves
from sector.figures.heatmap import draw_cuts, draw_gold_boxes, draw_map, gamma, highest
from sector.figures.lettering import families, one_line, plain
from sector.figures.panel import Panel
from sector.figures.saving import matplotlib
from sector.figures.strips import draw_gold_axis, draw_sections
from sector.figures.themes import THEMES, Theme

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROW, STRIP, CURVE, MARGIN, GOLD = 0.21, 0.24, 0.85, 0.85, 0.5
"""Heights in inches: of a label, of the strip of sections, of the curves, of titles and axes, of gold names."""
BAND, MOST_BANDS = 240, 6
"""Sentences that stand side by side, and how often a panel goes on below; what is still longer is pressed together."""
NAMES = 2.9
"""Inches that the names of labels and the colour bar take beside a panel."""

Window: TypeAlias = tuple[int, int]
"""The first sentence and the one after the last."""
Cell: TypeAlias = tuple[Panel, Window]


def draw(
    panels: Sequence[Panel],
    theme: Theme = THEMES["light"],
    *,
    columns: int = 1,
    width: float | None = None,
    sentences: tuple[int, int] | None = None,
) -> Figure:
    """Draw panels of one document.

    Args:
        panels: one for each model and segmentation, row by row.
        theme: the colours.
        columns: panels side by side.
        width: of the figure in inches; by default as the document is long.
        sentences: the first sentence and the one after the last to show, from 0; all by default.

    Returns: the figure, for `save` or a notebook.

    Raises: ConfigError where there is nothing to draw; MissingExtraError without matplotlib.
    """
    windows = _bands(_window(panels, sentences))
    wide = width or min(18.0, max(9.0, 7.0 * columns, 0.09 * (windows[0][1] - windows[0][0]) + NAMES))
    lines = [panels[i : i + columns] for i in range(0, len(panels), columns)]
    cells = [[(panel.part(*window), window) for panel in line] for line in lines for window in windows]
    scale = highest(panels), gamma(panels)
    with matplotlib().rc_context(settings(theme)):
        figure, axes = _axes(cells, columns, wide)
        for line, places in zip(cells, axes, strict=True):
            for (panel, window), place in zip(line, places, strict=True):
                shown = _draw_panel(place, panel, theme, window, wide / columns - NAMES, scale)
                _add_bar(place[1], shown, panel)
        _add_legend(figure, panels, theme)
    return figure


def _window(panels: Sequence[Panel], sentences: tuple[int, int] | None) -> Window:
    longest = max((len(panel.document) for panel in panels), default=0)
    if not longest:
        raise ConfigError("The document has no sentence; there is nothing to draw.")
    first, last = sentences or (0, longest)
    last = min(last, longest)
    if not 0 <= first < last:
        raise ConfigError(f"There are no sentences {first + 1}–{last} to draw; the document has {longest}.")
    return first, last


def _bands(window: Window) -> list[Window]:
    """Return the window in parts that are drawn one below the other, where it is long."""
    first, last = window
    count = min(MOST_BANDS, -(-(last - first) // BAND))
    edges = np.linspace(first, last, count + 1).astype(int).tolist()
    return list(pairwise(edges))


def settings(theme: Theme) -> dict[str, Any]:
    """Return settings of matplotlib in the colours of the theme."""
    inked = dict.fromkeys(("text.color", "axes.labelcolor", "xtick.labelcolor", "ytick.labelcolor"), theme.ink)
    quiet = dict.fromkeys(("axes.edgecolor", "xtick.color", "ytick.color"), theme.quiet)
    plain_text = {"font.family": families(), "font.size": 9.0, "axes.titlesize": 10.0, "axes.unicode_minus": False}
    return inked | quiet | plain_text | {"figure.facecolor": theme.paper, "axes.facecolor": theme.paper}


def _heights(panel: Panel) -> list[float]:
    return [STRIP, max(2, len(panel.rows)) * ROW if panel.values is not None else 0.02, CURVE]


def _axes(cells: Sequence[Sequence[Cell]], columns: int, width: float) -> tuple[Figure, list[list[Any]]]:
    """Return the figure, and three axes for each cell, which share their sentences; all stand in one grid."""
    from matplotlib.figure import Figure

    tallest = [max((_heights(panel) for panel, _ in line), key=sum) for line in cells]
    around = MARGIN + (GOLD if any(panel.gold for line in cells for panel, _ in line) else 0)
    figure = Figure(figsize=(width, sum(map(sum, tallest)) + around * len(cells)), layout="constrained")
    pads: Any = figure.get_layout_engine()
    pads.set(h_pad=0.04, hspace=0.02, w_pad=0.06)
    grid = figure.add_gridspec(
        3 * len(cells), columns, height_ratios=[height for heights in tallest for height in heights]
    )
    return figure, [
        [_cell(figure, grid, 3 * row, column) for column in range(len(line))] for row, line in enumerate(cells)
    ]


def _cell(figure: Figure, grid: Any, row: int, column: int) -> list[Any]:
    strip = figure.add_subplot(grid[row, column])
    middle, below = (figure.add_subplot(grid[row + i, column], sharex=strip) for i in (1, 2))
    for axes in (strip, middle):
        axes.tick_params(labelbottom=False)
    return [strip, middle, below]


def _draw_panel(
    axes: Any, panel: Panel, theme: Theme, window: Window, inches: float, scale: tuple[float, float]
) -> Any:
    strip, middle, below = axes
    draw_sections(strip, panel, theme, window, inches)
    if panel.gold:
        draw_gold_axis(strip, panel, theme, window, inches)
    shown = draw_map(middle, panel, theme, window, scale) if panel.values is not None else None
    if shown:
        draw_gold_boxes(middle, panel, theme)
        draw_cuts(middle, panel, theme, window)
    draw_curves(below, panel, theme, window)
    part = "" if window[1] - window[0] == len(panel.document) else f", sentences {window[0] + 1}–{window[1]}"
    plain(strip.set_title(one_line(panel.title, 90) + part, loc="left", weight="bold"))
    _tidy(strip, middle, below)
    below.set_xlim(*window)
    below.set_xlabel("sentence", loc="right", labelpad=1)
    return shown


def _tidy(strip: Any, middle: Any, below: Any) -> None:
    for axes in (strip, middle):
        axes.spines[:].set_visible(False)
        axes.tick_params(axis="both", length=0)
    if not middle.has_data():
        middle.set_visible(False)
    below.spines[["top", "right"]].set_visible(False)


def _add_legend(figure: Any, panels: Sequence[Panel], theme: Theme) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    entries: dict[str, Any] = {}
    for panel in panels:
        for number, curve in enumerate(panel.curves):
            line = Line2D([], [], color=theme.curves[number % 3], linestyle=DASHES[number % 3])
            entries.setdefault(curve.name, line)
    cut: dict[str, Any] = {"marker": "v", "markeredgecolor": theme.paper, "markersize": 7}
    entries["predicted boundary"] = Line2D([], [], color=theme.ink, linewidth=1.5, **cut)
    if any(panel.gold for panel in panels):
        headed = all(not section.label for panel in panels for section in panel.gold)
        entries["the author's section" if headed else "gold section"] = Patch(
            fill=False, edgecolor=theme.gold, linewidth=1.6
        )
    place = {"loc": "outside lower left", "ncols": 5, "frameon": False, "fontsize": 8.5}
    figure.legend(list(entries.values()), list(entries), **place)


def _add_bar(axes: Any, shown: Any, panel: Panel) -> None:
    """Add the colour bar to the right of a heat map."""
    if shown is None:
        return
    bar = axes.figure.colorbar(shown, ax=axes, pad=0.01, aspect=12, shrink=1.0)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=7.5, length=2)
    bar.set_label(panel.unit, size=8)
