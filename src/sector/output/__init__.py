"""Output formats of segmented documents: terminal text, tab-separated lines, JSON, Markdown, HTML."""

from __future__ import annotations

from collections.abc import Callable

from sector.errors import ConfigError
from sector.output.base import Format, Frame
from sector.output.html import HtmlFormat
from sector.output.json import JsonFormat, JsonLinesFormat
from sector.output.markdown import MarkdownFormat
from sector.output.table import TableFormat
from sector.output.text import TextFormat

FORMATS: dict[str, Callable[[], Format]] = {
    "text": TableFormat,
    "json": JsonFormat,
    "jsonl": JsonLinesFormat,
    "markdown": MarkdownFormat,
    "html": HtmlFormat,
}
"""The formats by name. On a terminal ``text`` is a `TextFormat`, elsewhere a `TableFormat`."""

__all__ = [
    "FORMATS",
    "Format",
    "Frame",
    "HtmlFormat",
    "JsonFormat",
    "JsonLinesFormat",
    "MarkdownFormat",
    "TableFormat",
    "TextFormat",
    "find_format",
]


def find_format(name: str) -> Format:
    """Return the format with this name; raise ConfigError for others."""
    if name not in FORMATS:
        raise ConfigError(f"There is no format '{name}'; choose one of: {', '.join(FORMATS)}.")
    return FORMATS[name]()
