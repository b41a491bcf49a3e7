"""Hits of a search: text for a terminal, tab-separated lines for pipes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sector.output.text import fitted, styled
from sector.retrieval.hit import Hit, Snippet
from sector.visible import visible

BOLD, DIM, YELLOW = "1", "2", "33"


@dataclass(frozen=True, slots=True)
class TextHits:
    """Three lines per hit: where it stands in its document, what it is about, the words that were found."""

    width: int = 80
    coloured: bool = True

    def render(self, hits: Sequence[Hit]) -> str:
        """Return the hits with their numbers."""
        return "\n".join(self._hit(number, hit) for number, hit in enumerate(hits, 1))

    def _hit(self, number: int, hit: Hit) -> str:
        chunk = hit.chunk
        heading = _line(chunk.breadcrumb) or _line(chunk.document_id)
        page = f" · page {chunk.page}" if chunk.page is not None else ""
        label = f"{_line(chunk.label)} {100 * chunk.confidence:.0f} % · " if chunk.label else ""
        place = f"{label}{_line(chunk.document_id)} {chunk.begin:,}–{chunk.end:,}{page}"
        lines = [
            f"{number:>3}  " + self._styled(self._fitted(heading), BOLD),
            "     " + self._styled(self._fitted(place), DIM),
            "     " + self._snippet(hit.snippet),
        ]
        return "\n".join(lines) + "\n"

    def _snippet(self, snippet: Snippet) -> str:
        """Return the piece with the words that were found in colour."""
        kept = len(self._fitted(visible(snippet.text)))
        shown, at = "", 0
        for begin, end in snippet.matches:
            if end < kept:
                shown += visible(snippet.text[at:begin]) + self._styled(visible(snippet.text[begin:end]), BOLD, YELLOW)
                at = end
        return shown + (
            visible(snippet.text[at:]) if kept >= len(snippet.text) else visible(snippet.text[at : kept - 1]) + "…"
        )

    def _fitted(self, words: str) -> str:
        return fitted(words, max(20, self.width - 6)).rstrip()

    def _styled(self, words: str, *codes: str) -> str:
        return styled(words, *codes) if self.coloured else words


def table_of(hits: Sequence[Hit]) -> str:
    """Return lines of score, document, begin, end, label, confidence, heading path and the words that were found."""
    lines = []
    for hit in hits:
        chunk = hit.chunk
        label, heading, words = (_line(text) for text in (chunk.label, chunk.heading, hit.snippet.text))
        place = (_line(chunk.document_id), chunk.begin, chunk.end)
        fields = (f"{hit.score:.4f}", *place, label, f"{chunk.confidence:.2f}", heading, words)
        lines.append("\t".join(map(str, fields)) + "\n")
    return "".join(lines)


def _line(words: str) -> str:
    return visible(" ".join(words.split()))
