"""What stands above a heat map: the predicted sections by name, and the gold sections as a second axis."""

from __future__ import annotations

from math import cos, radians
from typing import Any

from sector.figures.lettering import fitted, one_line, plain
from sector.figures.panel import Panel
from sector.figures.themes import Theme

SIZE = 8.0
"""Of the letters, in points."""
MANY = 200
"""Sections of a strip that have no room for gaps between them."""
NEAREST = 0.24
"""Inches between two slanted names."""
BEYOND = 0.7
"""Inches beside a heat map, above its colour bar, into which the last name may reach."""
SLANT = 28
"""Degrees."""


def draw_sections(axes: Any, panel: Panel, theme: Theme, window: tuple[int, int], inches: float) -> None:
    """Draw the predicted sections as a strip, with the names that fit."""
    edges = [*panel.starts.tolist(), len(panel.document)]
    scale = inches / max(1, window[1] - window[0])
    places, names = dict[str, int](), []
    spans, colours = [], []
    for number, section in enumerate(panel.document.sections):
        begin, end = max(edges[number], window[0]), min(edges[number + 1], window[1])
        place = places.setdefault(section.name, len(places))
        if begin < end:
            spans.append((begin, end - begin))
            colours.append(theme.sections[place % len(theme.sections)])
            names.append((fitted(panel.shown(section), (end - begin) * scale - 0.06, SIZE), (begin + end) / 2))
    axes.broken_barh(spans, (0, 1), facecolors=colours, edgecolor=theme.paper, linewidth=1 if len(spans) < MANY else 0)
    for name, middle in names:
        if name:
            text = axes.text(middle, 0.46, name, ha="center", va="center", size=SIZE, color=theme.on_section)
            plain(text).set_clip_on(True)
    axes.set_ylim(0, 1)
    axes.set_yticks([0.5], ["predicted"])


def draw_gold_axis(axes: Any, panel: Panel, theme: Theme, window: tuple[int, int], inches: float) -> None:
    """Draw the gold boundaries as ticks on top, and the names between them, slanted where they need room."""
    top = axes.secondary_xaxis("top")
    top.set_in_layout(False)  # the last name may stand above the colour bar; the title above all of them makes room
    edges = [*panel.gold_starts.tolist(), len(panel.document)]
    scale = inches / max(1, window[1] - window[0])
    inside = [edge for edge in edges if window[0] <= edge <= window[1]]
    top.set_xticks(inside, ["" for _ in inside])
    top.tick_params(length=5, width=1.4, color=theme.gold)
    shown = list(_gold_names(panel, edges, window, scale))
    slanted = any(name != fitted(name, room, SIZE) for _, name, room in shown)
    top.set_xticks([x for x, _, _ in shown], [name for _, name, _ in shown], minor=True, size=SIZE, color=theme.gold)
    top.tick_params(which="minor", length=0, pad=4)
    for label in top.get_xticklabels(which="minor"):
        plain(label).set(rotation=SLANT if slanted else 0, ha="left" if slanted else "center", rotation_mode="anchor")
    top.spines["top"].set(color=theme.gold, linewidth=1.4)


def _gold_names(panel: Panel, edges: list[int], window: tuple[int, int], scale: float) -> Any:
    """Yield the middle, the name and the room in inches of the gold sections whose names do not collide."""
    before = float("-inf")
    for number, section in enumerate(panel.gold):
        begin, end = max(edges[number], window[0]), min(edges[number + 1], window[1])
        middle = (begin + end) / 2
        if begin < end and (middle - before) * scale >= NEAREST:
            before = middle
            reach = ((window[1] - middle) * scale + BEYOND) / cos(radians(SLANT))
            yield middle, fitted(one_line(panel.shown(section), 28), reach, SIZE), (end - begin) * scale
