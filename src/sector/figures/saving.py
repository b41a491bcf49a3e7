"""Figures into files: the ending of the name says which kind, and a file is there whole or not at all."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sector.atomic import replacing
from sector.errors import ConfigError, MissingExtraError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = ("png", "svg", "pdf")
PIXELS = 160
"""Dots per inch of a PNG."""


def save(figure: Figure, path: str | Path, *, title: str = "") -> str:
    """Write a figure as PNG, SVG or PDF.

    Args:
        figure: what `draw`, `draw_training` or `draw_comparison` returned.
        path: its ending is the kind.
        title: for readers who cannot see the figure, kept in the file.

    Returns: the letters that are drawn as boxes, as no installed font has them; SVG needs none.

    Raises: ConfigError for another ending; OSError where the file cannot be written.
    """
    path = checked_target(Path(path))
    kind = path.suffix.lower().lstrip(".")
    options: dict[str, Any] = {"format": kind, "dpi": PIXELS, "metadata": _metadata(kind, title)}
    settings = matplotlib().rc_context({"svg.fonttype": "none", "svg.hashsalt": "sector", "pdf.fonttype": 42})
    with settings, replacing(path) as draft, warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        figure.savefig(draft, facecolor=figure.get_facecolor(), **options)
    missing = [re.match(r"Glyph (\d+) ", str(entry.message)) for entry in said if kind != "svg"]
    return "".join(dict.fromkeys(chr(int(found[1])) for found in missing if found))


def checked_target(path: Path, *others: str) -> Path:
    """Return the path; raise ConfigError where its ending is no kind of figure, or its folder is missing."""
    kinds = (*KINDS, *others)
    if path.suffix.lower().lstrip(".") not in kinds:
        raise ConfigError(f"A figure cannot be written as '{path.name}'; end its name in .{', .'.join(kinds)}.")
    if not path.absolute().parent.is_dir():
        raise ConfigError(f"There is no folder {path.absolute().parent} for the figure; make it first.")
    return path


def matplotlib() -> Any:
    """Return the package; raise MissingExtraError where it is not installed."""
    try:
        import matplotlib
        import matplotlib.figure
    except ModuleNotFoundError as error:
        raise MissingExtraError("matplotlib", "figures") from error
    return matplotlib


def _metadata(kind: str, title: str) -> dict[str, str | None]:
    """Return the title, and no date: the same figure gives the same file."""
    undated: dict[str, dict[str, str | None]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    return undated.get(kind, {}) | ({"Title": title} if title else {})
