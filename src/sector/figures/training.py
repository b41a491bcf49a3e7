"""The figure of training runs: the loss, and the score on the validation documents, by epoch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sector.figures.curves import DASHES
from sector.figures.history import History
from sector.figures.lettering import one_line
from sector.figures.plain import line_axes, themed
from sector.figures.themes import THEMES, Theme

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SCORES = {"map": "MAP", "score": "score"}
"""What runs call their score on the validation documents, and how it is written."""
MARKERS = "os^Dv"


def draw_training(histories: Mapping[str, History], theme: Theme = THEMES["light"]) -> Figure:
    """Draw the loss and the validation score of runs; the best epoch of each has a ring.

    Args:
        histories: as `read_histories` returns them; runs without validation documents have no score.
        theme: the colours.

    Returns: the figure.

    Raises: MissingExtraError without matplotlib.
    """
    with themed(theme):
        return _drawn(histories, theme)


def _drawn(histories: Mapping[str, History], theme: Theme) -> Figure:
    score = next((name for name in SCORES if any(name in entry for run in histories.values() for entry in run)), "")
    has_score = any(entry.get(score) for run in histories.values() for entry in run)
    figure, axes = line_axes(theme, 2 if has_score else 1)
    for number, (name, history) in enumerate(histories.items()):
        style = {"color": theme.curves[number % 3], "linestyle": DASHES[number % 3]}
        _draw_line(axes[0], history, "loss", name, style, MARKERS[number % 5])
        if has_score:
            _draw_line(axes[1], history, score, name, style, MARKERS[number % 5])
            _mark_best(axes[1], history, score, theme)
    axes[0].set_ylabel("training loss")
    if has_score:
        axes[1].set_ylabel(f"validation {SCORES[score]}")
    if len(histories) > 1:
        axes[-1].legend(frameon=False, fontsize=8)
    return figure


def _draw_line(axes: Any, history: History, key: str, name: str, style: dict[str, Any], marker: str) -> None:
    points = [(entry["epoch"], entry[key]) for entry in history if "epoch" in entry and key in entry]
    if points:
        sizes = {"markersize": 3.5, "linewidth": 1.6}
        axes.plot(*zip(*points, strict=True), label=one_line(name), marker=marker, **style, **sizes)
    axes.set_xlabel("epoch")
    axes.xaxis.get_major_locator().set_params(integer=True)


def _mark_best(axes: Any, history: History, key: str, theme: Theme) -> None:
    best = max(history, key=lambda entry: entry.get(key, 0.0))
    if best.get(key):
        place = (best["epoch"], best[key])
        axes.scatter(*place, s=90, facecolors="none", edgecolors=theme.ink, linewidths=1.4, zorder=5)
        axes.annotate(f"{best[key]:.3f}", place, (0, 9), textcoords="offset points", ha="center", size=8)
