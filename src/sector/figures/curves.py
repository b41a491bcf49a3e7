"""The curves below a heat map: deviations, each in parts of its maximum, and the learned boundary probability."""

from __future__ import annotations

from typing import Any

import numpy as np

from sector.arrays import Floats1d
from sector.figures.panel import Curve, Panel
from sector.figures.themes import Theme

POINTS = 2000
"""Of a curve; in a longer document a point is the highest of several sentences, so that no peak is lost."""
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.6)), (0, (1.2, 1.4)))


def draw_curves(axes: Any, panel: Panel, theme: Theme, window: tuple[int, int]) -> None:
    """Draw all curves; the one that the segmentation looked at is filled and has the chosen cuts on it."""
    for number, curve in enumerate(panel.curves):
        x, y = _points(curve, window)
        style: dict[str, Any] = {"color": theme.curves[number % 3], "linestyle": DASHES[number % 3]}
        axes.plot(x, y, linewidth=1.9 if curve.chosen else 1.1, label=curve.name, zorder=2, **style)
        if curve.chosen:
            axes.fill_between(x, 0, y, color=style["color"], alpha=0.14, linewidth=0)
    _draw_chosen(axes, panel, theme, window)
    axes.set_ylim(0, 1.12)
    axes.set_yticks([0, 1] if panel.curves else [])
    axes.tick_params(axis="y", length=2)
    axes.xaxis.get_major_locator().set_params(integer=True)


def scaled(curve: Curve) -> Floats1d:
    """Return the values between 0 and 1: a probability as it is, any deviation in parts of its maximum."""
    if "probability" in curve.name:
        return curve.values
    return np.asarray(curve.values / max(float(curve.values.max(initial=0)), 1e-9), np.float32)


def _draw_chosen(axes: Any, panel: Panel, theme: Theme, window: tuple[int, int]) -> None:
    """Mark the cuts: on the curve that led to them, or on the ground."""
    cuts = panel.starts[1:]
    cuts = cuts[(cuts >= window[0]) & (cuts < window[1])]
    led = next((curve for curve in panel.curves if curve.chosen), None)
    heights = scaled(led)[cuts] if led else np.zeros(len(cuts))
    size = 26 if len(cuts) <= 60 else 4
    axes.scatter(cuts, heights, s=size, marker="v", color=theme.ink, edgecolors=theme.paper, linewidths=0.7, zorder=5)


def _points(curve: Curve, window: tuple[int, int]) -> tuple[Floats1d, Floats1d]:
    values = scaled(curve)[window[0] : window[1]]
    if len(values) <= POINTS:
        return np.arange(*window, dtype=np.float32), values
    begins = np.linspace(0, len(values), POINTS, endpoint=False).astype(int)
    return (begins + window[0]).astype(np.float32), np.maximum.reduceat(values, begins)
