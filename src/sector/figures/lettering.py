"""Names as they are drawn: one line, safe characters, as long as there is room; fonts that have the letters."""

from __future__ import annotations

from typing import Any
from unicodedata import east_asian_width

from sector.visible import shortened, visible

WIDTH = 0.58
"""Of a letter in parts of the font's size, on average."""
FAMILIES = (
    "DejaVu Sans",
    "Noto Sans",
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans Arabic",
    "Noto Sans Devanagari",
    "Arial Unicode MS",
    "PingFang SC",
    "Microsoft YaHei",
    "sans-serif",
)
"""Tried in turns for each letter, as far as they are installed."""


def fitted(name: str, inches: float, size: float) -> str:
    """Return as much of a name as fits; nothing where that would be less than three letters."""
    wide = sum(east_asian_width(letter) in "WF" for letter in name) / max(1, len(name))
    room = int(inches * 72 / (WIDTH * size * (1 + 0.8 * wide)))
    line = one_line(name, max(3, room))
    return line if len(line) <= room else ""


def one_line(name: str, length: int = 34) -> str:
    """Return a name on one line without characters that are obeyed instead of shown."""
    return shortened(visible(name), length)


def plain(text: Any) -> Any:
    """Let a drawn text stand as it is: ``$`` begins no formula."""
    text.set_parse_math(False)
    return text


def families() -> list[str]:
    """Return the installed ones of `FAMILIES`."""
    from matplotlib import font_manager

    installed = {entry.name for entry in font_manager.fontManager.ttflist}
    return [name for name in FAMILIES if name in installed] or ["sans-serif"]
