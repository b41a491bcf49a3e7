"""Draw the heat map of the HTML page for the documentation: ``python docs/pictures/draw.py``."""

from __future__ import annotations

import re
from pathlib import Path

import sector
from sector.output.heatmap import figure

HERE = Path(__file__).parent
EXAMPLES = HERE.parent.parent / "examples"
STYLE = """<style>
:root { color-scheme: light dark; --ink: #1c2330; --faint: #667085; --paper: #f5f7fa; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ef; --faint: #98a2b3; --paper: #1a2029; } }
text { font: 12.5px system-ui, sans-serif; fill: var(--ink); }
.faint { fill: var(--faint); }
.cut { stroke: var(--ink); stroke-opacity: .55; stroke-dasharray: 3 3; }
.curve { fill: none; stroke: var(--ink); stroke-width: 1.5; stroke-linejoin: round; }
.area { fill: var(--faint); fill-opacity: .18; }
.paper { fill: var(--paper); }
</style><rect class="paper" x="-16" y="-14" width="1032" height="{height}" rx="10"/>"""


def draw(name: str, model: str) -> str:
    """Return the heat map of an example as a stand-alone SVG image."""
    text = (EXAMPLES / f"{name}.txt").read_text(encoding="utf-8")
    inline = re.sub(r"</?a\b[^>]*>", "", figure(sector.load(model).segment(text, merge=True), ""))
    height = int(re.findall(r'viewBox="0 0 1000 (\d+)"', inline)[0]) + 28
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-16 -14 1032 {height}"'
    return re.sub(r'<svg viewBox="[^"]*"([^>]*)>', rf"{head}\1>{STYLE.replace('{height}', str(height))}", inline) + "\n"


if __name__ == "__main__":
    (HERE / "harbour-town.svg").write_text(draw("harbour-town", "en_city_accurate"), encoding="utf-8")
