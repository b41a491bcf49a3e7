"""Text for a terminal: per section a line with a bar of its confidence, then its first words, dimmed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len, set_cell_size

from sector.document import Document, Section
from sector.output.base import Frame
from sector.output.preview import author, is_unfamiliar, previews, sentence_counts
from sector.visible import amount, visible

BAR = 10
BLOCKS = " ▏▎▍▌▋▊▉█"
WIDEST_LABEL = 32
COLOURS = (36, 33, 35, 32, 34, 31)
"""Terminal colours that suit light and dark backgrounds."""


@dataclass(frozen=True, slots=True)
class TextFormat:
    """Text for people. `TableFormat` is for pipes."""

    suffix: ClassVar[str] = ".txt"
    width: int = 80
    coloured: bool = True

    def render(self, document: Document) -> str:
        """Return a line about the document and two per section."""
        names = [_line(section.label) for section in document.sections]
        column = min(WIDEST_LABEL, max(map(cell_len, names), default=0), max(8, self.width - 50))
        colours = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(dict.fromkeys(names))}
        lines = [self._title(document)]
        shown = previews(document, self._width())
        for name, section, sentences, words in zip(
            names, document.sections, sentence_counts(document), shown, strict=True
        ):
            label = self._styled(fitted(name, column), "1", str(colours[name]))
            bar = self._styled(_bar(section.confidence), str(colours[name]))
            lines.append(f"  {label}  {bar} {100 * section.confidence:3.0f} %  {_facts(section, sentences)}")
            if named := author(section):
                lines.append("  " + self._styled(fitted(named, self._width()).rstrip(), "1"))
            lines.append("  " + self._styled(fitted(words, self._width()).rstrip(), "2"))
        return "\n".join(lines) + "\n"

    def frame(self, several: bool) -> Frame:
        """Separate documents by an empty line."""
        return Frame(between="\n")

    def _title(self, document: Document) -> str:
        name = _line(document.title or document.id or "text")
        counts = (
            amount(len(document.sections), "section"),
            amount(len(document), "sentence"),
            amount(len(document.text), "character"),
        )
        return f"{self._styled(name, '1')}  {self._styled(' · '.join([*counts, _line(document.model)]), '2')}"

    def _width(self) -> int:
        return max(20, self.width - 4)

    def _styled(self, words: str, *codes: str) -> str:
        return styled(words, *codes) if self.coloured else words


def styled(words: str, *codes: str) -> str:
    """Return words that a terminal shows in a style."""
    return f"\x1b[{';'.join(codes)}m{words}\x1b[0m"


def _line(words: str) -> str:
    return visible(" ".join(words.split()))


def fitted(words: str, width: int) -> str:
    """Return words in as many columns of a terminal, cut or filled up."""
    return set_cell_size(words, width) if cell_len(words) <= width else set_cell_size(words, width - 1) + "…"


def _bar(share: float) -> str:
    eighths = round(max(0.0, min(1.0, share)) * BAR * 8)
    whole, rest = divmod(eighths, 8)
    return ("█" * whole + (BLOCKS[rest] if rest else "")).ljust(BAR, "·")


def _facts(section: Section, sentences: int) -> str:
    place = f"{section.begin:,}–{section.end:,}  {amount(sentences, 'sentence')}"
    return f"{place}  unfamiliar" if is_unfamiliar(section) else place
