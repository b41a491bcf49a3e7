"""An interactive figure: one HTML file without any other, readable also where scripts are not run."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from sector.arrays import Floats2d
from sector.atomic import write_text
from sector.errors import ConfigError
from sector.figures.curves import scaled
from sector.figures.heatmap import gamma, highest
from sector.figures.panel import Panel
from sector.figures.themes import THEMES
from sector.output.heatmap import pooled
from sector.visible import SURROGATE, visible

COLUMNS = 4000
"""Of a heat map; in a longer document a column is the mean of several sentences."""
LEVELS = 100
"""Steps of a value."""
PAGE = Path(__file__).parent / "page"


def save_page(panels: Sequence[Panel], path: str | Path, *, title: str = "") -> None:
    """Write panels of one document as an interactive page, whole or not at all.

    Raises: ConfigError where there is nothing to show; OSError where the file cannot be written.
    """
    write_text(Path(path), page_of(panels, title=title))


def page_of(panels: Sequence[Panel], *, title: str = "") -> str:
    """Return the page: heat maps, curves, the names of sections, and the text, linked to one another."""
    if not panels or not len(panels[0].document):
        raise ConfigError("The document has no sentence; there is nothing to draw.")
    if any(panel.document.text != panels[0].document.text for panel in panels):
        raise ConfigError("The panels show different documents; give panels of one.")
    script = (PAGE / "figure.js").read_text(encoding="utf-8")
    parts = {
        "title": escape(visible(title or panels[0].document.title or panels[0].document.id or "text")),
        "hash": b64encode(sha256(script.encode()).digest()).decode(),
        "style": (PAGE / "figure.css").read_text(encoding="utf-8"),
        "script": script,
        "data": _as_data(
            {"heat": _heat(), "panels": [_record(panel) for panel in panels], "length": len(panels[0].document)}
        ),
        "figures": "\n".join(_figure(number, panel) for number, panel in enumerate(panels)),
        "text": "".join(_text(panels[0])),
    }
    page = (PAGE / "figure.html").read_text(encoding="utf-8")
    return SURROGATE.sub("�", re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], page))


def _heat() -> dict[str, tuple[str, ...]]:
    return {name: THEMES[name].heat for name in ("light", "dark")}


def _as_data(record: Any) -> str:
    """Return JSON that may stand in a page."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _record(panel: Panel) -> dict[str, Any]:
    values = np.zeros((0, 0), np.float32) if panel.values is None else panel.values
    return {
        "unit": panel.unit,
        "highest": highest([panel]),
        "gamma": gamma([panel]),
        "rows": [visible(panel.readable(row)) for row in panel.rows],
        "values": _levels((pooled(values, COLUMNS).T / highest([panel])) ** gamma([panel])),
        "sections": [[*_place(panel, section, start)] for section, start in _drawn(panel)],
        "gold": [
            [start, visible(panel.shown(section)), panel.row_of(section)]
            for section, start in zip(panel.gold, panel.gold_starts.tolist(), strict=True)
        ],
        "curves": [
            {"name": curve.name, "chosen": curve.chosen, "values": _levels(scaled(curve))} for curve in panel.curves
        ],
    }


def _levels(values: Floats2d) -> Any:
    return np.rint(np.clip(values, 0, 1) * LEVELS).astype(int).tolist()


def _drawn(panel: Panel) -> Any:
    return zip(panel.document.sections, panel.starts.tolist(), strict=True)


def _place(panel: Panel, section: Any, start: int) -> tuple[int, str, float]:
    return start, visible(panel.shown(section)), round(section.confidence, 3)


def _figure(number: int, panel: Panel) -> str:
    title, last = escape(visible(panel.title)), len(panel.document)
    said = f"{title}: sentence by sentence. Arrow keys move, Enter goes to the text."
    return (
        f'<section class="panel" data-panel="{number}"><h2>{title}</h2>\n<div class="frame"><div class="rows"></div>'
        f'<div class="scroll"><div class="plot" role="slider" tabindex="0" aria-label="{said}" aria-valuemin="1" '
        f'aria-valuemax="{last}" aria-valuenow="1"><canvas></canvas><div class="cursor" hidden></div></div></div></div>'
        f'<p class="key"></p></section>'
    )


def _text(panel: Panel) -> Iterator[str]:
    """Yield the text, every sentence with an id, below the names of the first panel's sections."""
    document = panel.document
    starts = dict.fromkeys(panel.starts.tolist(), "")
    for section, start in _drawn(panel):
        starts[start] = f"{panel.shown(section)} · {100 * section.confidence:.0f} %"
    edges = [0, *document.spans.begin[1:].tolist(), len(document.text)]
    for number in range(len(document)):
        if number in starts or not number:
            yield f"{'</div>' if number else ''}\n<h3>{escape(visible(starts.get(number, '')))}</h3><div>"
        piece = escape(visible(document.text[edges[number] : edges[number + 1]]), quote=False)
        yield f'<span id="s{number}">{piece}</span>'
    yield "</div>"
