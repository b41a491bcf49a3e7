"""The figure of a comparison: Pk against documents per second, of every system of `sector compare`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sector.errors import DataError
from sector.figures.lettering import one_line, plain
from sector.figures.plain import line_axes, themed
from sector.figures.themes import THEMES, Theme

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_BYTES = 20_000_000


@dataclass(frozen=True, slots=True)
class Point:
    """One system with one segmentation."""

    name: str
    speed: float
    """Documents per second."""
    pk: float
    """In percent."""
    data: str = ""
    protocol: str = ""
    has_labels: bool = False


def is_comparison(path: Path) -> bool:
    """Return whether a path is the output of `sector compare`: its ``--json``, or the folder of its results."""
    try:
        return bool(_records(path))
    except (OSError, ValueError, RecursionError):
        return False


def read_comparison(path: Path) -> list[Point]:
    """Return the points of a comparison; raises DataError for a path that is none."""
    try:
        points = list(_points(_records(path)))
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(f"This is no result of `sector compare` ({error}).", file=path) from error
    if not points:
        raise DataError("No system has a result with a time; run `sector compare` again.", file=path)
    return points


def draw_comparison(points: Sequence[Point], theme: Theme = THEMES["light"]) -> Figure:
    """Draw systems: the further right the faster, the further down the fewer errors.

    Filled marks label their sections; the dashed line joins those that no other system beats in both.

    Args:
        points: as `read_comparison` returns them.
        theme: the colours.

    Returns: the figure.

    Raises: DataError without points; MissingExtraError without matplotlib.
    """
    if not points:
        raise DataError("There is no system to draw.")
    with themed(theme):
        return _drawn(points, theme)


def _drawn(points: Sequence[Point], theme: Theme) -> Figure:
    figure, (axes,) = line_axes(theme, 1, size=(7.2, 4.8))
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    _draw_front(axes, points, theme)
    _draw_points(axes, points, theme)
    _name_points(figure, axes, points, theme)
    axes.set_xlabel("documents per second →")
    axes.set_ylabel("Pk in percent ↓")
    said = [f"data {points[0].data}" if points[0].data else "", f"protocol {points[0].protocol}".rstrip()]
    axes.set_title(one_line(", ".join(part for part in said if part and part != "protocol"), 80), loc="left", size=9)
    return figure


def best_of(points: Sequence[Point]) -> list[Point]:
    """Return those that no other point beats in both, from slow to fast."""
    found: list[Point] = []
    for point in sorted(points, key=lambda point: (-point.speed, point.pk)):
        if not found or point.pk < found[-1].pk:
            found.append(point)
    return found[::-1]


def _records(path: Path) -> list[Any]:
    files = sorted(path.glob("*.json")) if path.is_dir() else [path] if path.suffix == ".json" else []
    if any(file.stat().st_size > MOST_BYTES for file in files):
        return []  # a data set
    loaded = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    records = [record for entry in loaded for record in (entry if isinstance(entry, list) else [entry])]
    return [record for record in records if isinstance(record, dict) and isinstance(record.get("rows"), list)]


def _points(records: Sequence[dict[str, Any]]) -> Iterator[Point]:
    for record in records:
        for row in record["rows"]:
            speed, pk = row.get("documents_per_second"), row.get("pk")
            if isinstance(speed, int | float) and isinstance(pk, int | float) and speed > 0:
                name = f"{record.get('title') or record.get('system', '')} {row.get('segmentation', '')}".strip()
                about = str(record.get("data", "")), str(record.get("protocol", ""))
                yield Point(name, float(speed), float(pk), *about, has_labels=row.get("f1") is not None)


def _draw_front(axes: Any, points: Sequence[Point], theme: Theme) -> None:
    front = best_of(points)
    if len(front) > 1:
        x, y = [point.speed for point in front], [point.pk for point in front]
        axes.step(x, y, where="pre", color=theme.quiet, linestyle=(0, (4, 2)), linewidth=1)


def _draw_points(axes: Any, points: Sequence[Point], theme: Theme) -> None:
    for has_labels, caption in ((True, "labels its sections"), (False, "boundaries only")):
        own = [point for point in points if point.has_labels == has_labels]
        if own:
            fill = theme.curves[0] if has_labels else theme.paper
            x, y = [point.speed for point in own], [point.pk for point in own]
            axes.scatter(x, y, s=42, color=fill, edgecolors=theme.curves[0], linewidths=1.4, label=caption, zorder=3)
    axes.legend(frameon=False, fontsize=8, loc="best")
    axes.margins(x=0.16, y=0.12)


def _name_points(figure: Any, axes: Any, points: Sequence[Point], theme: Theme) -> None:
    """Write each name beside its point, at the first place where it covers no other and no point; lines go below it."""
    figure.canvas.draw_idle()
    figure.draw_without_rendering()
    renderer = figure._get_renderer()
    taken = [_around(axes, point) for point in points]
    for point in sorted(points, key=lambda point: point.pk):
        _place(axes, point, taken, renderer, theme)


PLACES = tuple(
    (x, y, "left" if x > 0 else "right" if x < 0 else "center")
    for reach in (1, 2.2, 3.4, 4.8)
    for x, y in ((7, 0), (-7, 0), (0, 8 * reach), (0, -10 * reach), (8, 7 * reach), (8, -8 * reach), (-8, 7 * reach))
)
"""Offsets in points at which a name may stand."""


def _place(axes: Any, point: Point, taken: list[Any], renderer: Any, theme: Theme) -> None:
    bounds, ground = axes.get_window_extent(renderer), {"facecolor": theme.paper, "edgecolor": "none", "pad": 0.6}
    for x, y, side in PLACES:
        where = {"xy": (point.speed, point.pk), "xytext": (x, y), "textcoords": "offset points", "size": 7.5}
        text = plain(axes.annotate(one_line(point.name), ha=side, va="center", bbox=ground, **where))
        box = text.get_window_extent(renderer)
        inside = bounds.x0 <= box.x0 and box.x1 <= bounds.x1 and bounds.y0 <= box.y0 and box.y1 <= bounds.y1
        if inside and not any(box.overlaps(other) for other in taken):
            taken.append(box)
            return
        text.remove()
    # No free place: the point stays without a name rather than with one that hides others.


def _around(axes: Any, point: Point) -> Any:
    from matplotlib.transforms import Bbox

    x, y = axes.transData.transform((point.speed, point.pk))
    return Bbox.from_extents(x - 5, y - 5, x + 5, y + 5)
