"""What the headings of a PDF are as a whole: the lines of its title page are one heading, its levels begin with 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from sector.reading.marks import KNOWN, NUMBERED
from sector.reading.pdf_lines import PdfLine
from sector.structure.blocks import Kind

TITLE_PAGES = 2
"""Pages on one of which the title stands."""
FEWEST_BOOKMARKED = 5
SHORT = 200
"""Characters of a paragraph between the lines of a title, at most."""
FEWEST_CHAPTERS = 2


@dataclass(frozen=True, slots=True)
class PdfPart:
    """A paragraph, heading, … of a PDF before it has a place in the text."""

    kind: Kind
    level: int
    lines: tuple[PdfLine, ...]
    text: str
    is_bookmarked: bool = False


def outlined(parts: Sequence[PdfPart]) -> list[PdfPart]:
    """Return the parts with one title, without headings that nothing stands below, and with levels that skip none."""
    found = _numbered(_without_empty(_with_title(parts)))
    levels = sorted({part.level for part in found if part.kind == "heading"})
    ranks = {level: rank for rank, level in enumerate(levels, 1)}
    return [replace(part, level=ranks[part.level]) if part.kind == "heading" else part for part in found]


def _with_title(parts: Sequence[PdfPart]) -> list[PdfPart]:
    """Make paragraphs of what is set large around the title: subtitle, authors, date."""
    heads = [number for number, part in enumerate(parts) if part.kind == "heading"]
    if not heads or parts[heads[0]].lines[0].page > TITLE_PAGES:
        return list(parts)
    if sum(parts[number].is_bookmarked for number in heads) >= FEWEST_BOOKMARKED:
        chain = list(takewhile(lambda number: not parts[number].is_bookmarked, heads))
        used: Counter[tuple[float, bool]] = Counter()
    else:
        chain = list(_title_lines(parts, heads))
        used = Counter(_style(parts[number]) for number in heads[len(chain) :] if not _is_sure(parts[number]))
    loose = [number for number in chain if not used[_style(parts[number])] and not _is_known(parts[number])]
    title = max(chain, key=lambda number: parts[number].lines[0].size, default=None)
    found = list(parts)
    for number in loose:
        found[number] = _as_paragraph(parts[number])
    if title in loose:
        found[title] = replace(parts[title], level=1)
    return found


def _title_lines(parts: Sequence[PdfPart], heads: Sequence[int]) -> Iterator[int]:
    """Return the headings on the first page that have any, down to the first real one or to a long paragraph."""
    page = parts[heads[0]].lines[0].page
    for number in range(heads[0], len(parts)):
        part = parts[number]
        if part.lines[0].page > page or _is_sure(part) or (part.kind != "heading" and len(part.text) > SHORT):
            return
        if part.kind == "heading":
            yield number


def _is_sure(part: PdfPart) -> bool:
    """Whether a heading is one whatever it looks like."""
    return part.is_bookmarked or NUMBERED.match(part.text) is not None or _is_known(part)


def _is_known(part: PdfPart) -> bool:
    return part.text.lower() in KNOWN


def _style(part: PdfPart) -> tuple[float, bool]:
    return part.lines[0].size, part.lines[0].is_bold


def _without_empty(parts: Sequence[PdfPart]) -> list[PdfPart]:
    """Make paragraphs of headings by their looks that another one of their level follows at once: labels of figures."""
    found = list(parts)
    for number, (part, after) in enumerate(pairwise(parts)):
        both = part.kind == after.kind == "heading" and after.level <= part.level
        if both and not part.is_bookmarked and not NUMBERED.match(part.text):
            found[number] = _as_paragraph(part)
    return found


def _numbered(parts: Sequence[PdfPart]) -> list[PdfPart]:
    """Give the headings 2.1 and 2.1.3 levels by their numbers, as far below those of 2 as these say."""
    depths = [_depth(part) for part in parts]
    main = Counter(part.level for part, depth in zip(parts, depths, strict=True) if depth == 0)
    if main.total() < FEWEST_CHAPTERS:
        return list(parts)
    base = main.most_common(1)[0][0]
    return [
        replace(part, level=base + depth) if depth is not None and depth > 0 and not part.is_bookmarked else part
        for part, depth in zip(parts, depths, strict=True)
    ]


def _depth(part: PdfPart) -> int | None:
    """Return how deep the number of a heading is, 0 for 2; None where it has none."""
    match = NUMBERED.match(part.text) if part.kind == "heading" else None
    return match[1].count(".") if match and match[1] else None


def _as_paragraph(part: PdfPart) -> PdfPart:
    return replace(part, kind="paragraph", level=0)
