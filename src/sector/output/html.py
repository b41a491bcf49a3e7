"""HTML: a self-contained page with coloured sections, their confidence and the heat map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import ClassVar
from zlib import crc32

from sector.document import Document, Section
from sector.output.base import Frame
from sector.output.heatmap import figure, hues
from sector.output.preview import author, is_unfamiliar, sentence_counts
from sector.visible import SURROGATE

UNLIKE = "The section is unlike what the model was trained on"
HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>sector</title>
<style>
{style}</style>
</head>
<body>
"""


@dataclass(frozen=True, slots=True)
class HtmlFormat:
    """A self-contained page, in light and dark mode."""

    suffix: ClassVar[str] = ".html"

    def render(self, document: Document) -> str:
        """Return one document as an article."""
        anchor, colours = f"s{crc32(document.id.encode('utf-8', 'surrogatepass')):08x}", hues(document)
        counted = zip(document.sections, sentence_counts(document), strict=True)
        shown = (_section(part, f"{anchor}-{n}", count, colours) for n, (part, count) in enumerate(counted))
        drawn = f'<div class="figure">{svg}</div>\n' if (svg := figure(document, anchor)) else ""
        page = f"<article>\n{_title(document)}{drawn}{''.join(shown)}</article>\n"
        return SURROGATE.sub("�", page)

    def frame(self, several: bool) -> Frame:
        """Return the head and the end of the page."""
        style = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
        return Frame(HEAD.replace("{style}", style), "", "</body>\n</html>\n")


def _title(document: Document) -> str:
    counts = {"section": len(document.sections), "sentence": len(document), "character": len(document.text)}
    facts = " · ".join(f"{count:,} {noun}{'' if count == 1 else 's'}" for noun, count in counts.items())
    name = escape(document.title or document.id or "text")
    return f'<h1>{name}</h1>\n<p class="facts">{facts} · {escape(document.model)}</p>\n'


def _section(section: Section, anchor: str, sentences: int, colours: Mapping[str, int]) -> str:
    hue = colours.get(next(iter(section.scores), section.label), 0)
    percent = f"{100 * section.confidence:.0f}"
    best = "\n".join(f"{label}: {100 * value:.1f} %" for label, value in section.to_dict()["scores"].items())
    return (
        f'<section id="{anchor}" style="--h:{hue}">\n'
        f'<header title="{escape(best)}"><h2>{escape(section.label)}</h2>'
        f'<span class="bar"><i style="width:{percent}%"></i></span><span>{percent} %</span>'
        f"<span>{section.begin:,}–{section.end:,}</span>"
        f"<span>{sentences:,} sentence{'' if sentences == 1 else 's'}</span>{_unfamiliar(section)}</header>\n"
        f"{_author(section)}"
        f'<div class="text">{_shown(section.text)}</div>\n</section>\n'
    )


def _unfamiliar(section: Section) -> str:
    return f'<span title="{UNLIKE}">unfamiliar</span>' if is_unfamiliar(section) else ""


def _author(section: Section) -> str:
    named = author(section)
    return f'<p class="heading">{escape(named)}</p>\n' if named else ""


def _shown(text: str) -> str:
    """Wrap trailing white space in a hidden element: the text stays exact, the page has no gaps."""
    visible = text.rstrip()
    rest = text[len(visible) :]
    return escape(visible, quote=False) + (f"<span hidden>{rest}</span>" if rest else "")
