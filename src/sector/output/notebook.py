"""A document in a notebook: its sections in their colours, folded, in the light or dark theme of the notebook.

The text colour is inherited and the colours of sections are transparent, so no theme is asked for. Where a viewer
removes styles, as GitHub does, the folded sections remain.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path
from zlib import crc32

from sector.document import Document, Section
from sector.output.heatmap import figure, hues
from sector.output.preview import author, previews
from sector.visible import visible

SECTIONS = 200
"""Maximum number of sections shown."""
CHARACTERS = 200_000
"""Maximum number of characters shown: a notebook keeps every output in its file."""
PREVIEW = 90


def notebook_html(document: Document) -> str:
    """Return HTML for the output of a notebook's cell; of a very long document, its beginning."""
    style = Path(__file__).with_name("notebook.css").read_text(encoding="utf-8")
    shown = _beginning(document)
    colours = hues(document)
    parts = zip(document.sections, previews(document, PREVIEW), range(shown), strict=False)
    folded = "".join(_section(section, preview, colours) for section, preview, _ in parts)
    more = len(document.sections) - shown
    rest = f'<p class="facts">{more:,} more section{"" if more == 1 else "s"}: see .sections</p>' if more else ""
    page = f"<style>{style}</style>{_title(document)}{_figure(document)}{folded}{rest}"
    return visible(f'<div class="sector-document">{page}</div>')


def _beginning(document: Document) -> int:
    """Return how many sections are shown."""
    ends = [section.end for section in document.sections[:SECTIONS]]
    return max(1, sum(end <= CHARACTERS for end in ends)) if ends else 0


def _title(document: Document) -> str:
    counts = {"section": len(document.sections), "sentence": len(document), "character": len(document.text)}
    facts = [f"{count:,} {noun}{'' if count == 1 else 's'}" for noun, count in counts.items()]
    name = escape(document.title or document.id)
    facts += [escape(document.model)] if document.model else []
    return f'<p class="facts">{f"<b>{name}</b> · " if name else ""}{" · ".join(facts)}</p>'


def _figure(document: Document) -> str:
    drawn = figure(document, f"s{crc32(document.text.encode('utf-8', 'surrogatepass')):08x}")
    return (
        f'<details class="figure"><summary>Labels and boundaries, sentence by sentence</summary>{drawn}</details>'
        if drawn
        else ""
    )


def _section(section: Section, preview: str, colours: Mapping[str, int]) -> str:
    hue = colours.get(next(iter(section.scores), section.label), 0)
    best = "\n".join(f"{label}: {100 * value:.1f} %" for label, value in section.to_dict()["scores"].items())
    named = [f"<b>{escape(visible(section.label))}</b>"] if section.label else []
    named += [escape(author(section))] if author(section) else []
    facts = f"{100 * section.confidence:.0f} % · {section.begin:,}–{section.end:,}"
    inner = ' class="inner"' if section.level > 1 else ""
    text = section.text[:CHARACTERS].strip("\n")
    return (
        f'<details{inner} style="--h:{hue}"><summary title="{escape(best)}">{" · ".join(named)} '
        f"<span>{facts} · {escape(preview, quote=False)}</span></summary>"
        f'<div class="text">{escape(text, quote=False)}</div></details>'
    )
