"""The layout of a PDF: lines become headings, paragraphs, lists, tables and code, by their places and sizes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from sector.reading.base import Extract
from sector.reading.furniture import find_furniture
from sector.reading.lines import ENDS_CLAUSE, make_line
from sector.reading.marks import BULLET, NO_HEADING, NUMBER, NUMBERED
from sector.reading.pdf_lines import PdfLine
from sector.reading.pdf_outline import PdfPart, outlined
from sector.reading.pdf_tables import find_contents, find_tables
from sector.structure.blocks import Kind

LARGER = 1.12
"""Times the size of the text is a heading's, at least."""
LONG_LINE = 40
"""Characters of a line that is one of a text."""
PROSE_SHARE = 0.1
"""Of the long lines have a size in which there is text, and so no headings."""
LONGEST_HEADING = 160
LONGEST_NUMBERED = 80
LONGEST_SENTENCE = 60
"""Characters of a heading that ends as a part of a sentence."""
GAP = 1.35
"""Times the usual distance of lines parts paragraphs."""
LEAST_BELOW = 60
"""Characters of the paragraph below a line in capitals that is a heading."""
FEWEST_BOOKMARKS = 5
MOST_BOOKMARKS = 0.7
"""Of the bookmarks are found as lines where they say which headings there are."""
CAPTION = re.compile(
    r"(?:fig(?:ure|\.)?|table|listing|exhibit|abb(?:ildung|\.)?|tab(?:elle|\.)?|box)\s*\d", re.IGNORECASE
)
NUMBER_OF_TITLE = re.compile(r"^(?:\d+(?:\.\d+)*|[A-Z](?:\.\d+)+|[A-Z]\.|[IVXLC]+\.)\.?\s*(?=\S)")
WORD = re.compile(r"[^\W\d_]{3}|[\u3040-\u9fff\uac00-\ud7af]{2}")
UNREAD = ("code", "table", "boilerplate")
MOST_BOLD = 0.4
"""Of the text is bold by what its fonts state of their weight: then it says nothing."""
Style = tuple[float, bool]


def key(title: str) -> str:
    """Return a title without its number, blanks and signs, as it is compared with bookmarks."""
    return "".join(sign for sign in NUMBER_OF_TITLE.sub("", title).lower() if sign.isalnum())


class PdfLayout:
    """The lines of all pages, and what is usual among them."""

    def __init__(self, lines: Sequence[PdfLine], bookmarks: Mapping[tuple[int, str], int]) -> None:
        furniture = find_furniture([make_line(line.text, 0, line.breaks_page) for line in lines])
        usual = _text_sizes(lines)[0]
        self._lines = [line for i, line in enumerate(lines) if i not in furniture or _is_on_title(line, usual)]
        self._bookmarks = bookmarks
        self._kinds: dict[int, Kind] = dict.fromkeys(find_contents(self._lines), "boilerplate")
        self._kinds.update((number, "table") for number in find_tables(self._lines) if number not in self._kinds)
        free = [line for number, line in enumerate(self._lines) if number not in self._kinds]
        self._size, self._prose = _text_sizes(free)
        _check_weights(free, self._size)
        steps = Counter(round(a.top - b.top) for a, b in pairwise(free) if a.page == b.page and a.top > b.top)
        self._step = steps.most_common(1)[0][0] if steps else 12
        rights = sorted(line.right for line in free)
        self._right = rights[int(0.9 * (len(rights) - 1))] if rights else 0.0
        large = sorted({line.size for line in free if self._is_large(line)}, reverse=True)
        self._levels = {size: level for level, size in enumerate(large, 1)}
        self._marked = self._marked_styles(free)
        self._titles = dict(self._find_titles())

    def _find_titles(self) -> Iterator[tuple[int, int]]:
        """Return the lines that are a title in the bookmarks, on one line or two, with the first line of each."""
        for number, line in enumerate(self._lines):
            if number in self._kinds or not self._bookmarks:
                continue
            if (line.page, key(line.text)) in self._bookmarks:
                yield number, number
            elif number + 1 < len(self._lines):
                both = _joined(self._lines[number : number + 2])
                if (line.page, key(both)) in self._bookmarks and key(self._lines[number + 1].text):
                    yield from ((number, number), (number + 1, number))

    def _marked_styles(self, lines: Sequence[PdfLine]) -> set[Style] | None:
        """Return the styles of headings that have bookmarks, none of all are there; None where few were found."""
        found = [line for line in lines if (line.page, key(line.text)) in self._bookmarks]
        if len(found) < max(FEWEST_BOOKMARKS, 0.5 * len(self._bookmarks)):
            return None
        return set() if len(found) >= MOST_BOOKMARKS * len(self._bookmarks) else {_style(line) for line in found}

    def fill(self, extract: Extract) -> None:
        """Put all paragraphs into an extract."""
        groups = [*self._paragraphs(), (None, [])]
        for part in outlined([self._part(*group, below) for group, (_, below) in pairwise(groups)]):
            shown = "\n".join(line.text for line in part.lines) if part.kind in UNREAD else part.text
            extract.add(shown, part.kind, part.level, part.lines[0].page)

    def _part(self, kind: Kind | None, lines: Sequence[PdfLine], below: Sequence[PdfLine]) -> PdfPart:
        text = _joined(lines)
        level = self._bookmarks.get((lines[0].page, key(text)), 0) if kind is None else 0
        if level:
            return PdfPart("heading", level, tuple(lines), text, True)
        if kind is None:
            kind, level = self._kind(lines, text, sum(len(line.text) for line in below))
        return PdfPart(kind, level, tuple(lines), text)

    def _paragraphs(self) -> Iterator[tuple[Kind | None, list[PdfLine]]]:
        """Return runs of lines, with the kind of those that are known by their neighbours."""
        run: list[PdfLine] = []
        before: Kind | None = None
        for number, line in enumerate(self._lines):
            kind = self._kinds.get(number)
            title = self._titles.get(number)
            parts = kind is None and title is None and self._parts(run[-1], line) if run else False
            if run and (kind != before or title != self._titles.get(number - 1) or parts):
                yield before, run
                run = []
            run.append(line)
            before = kind
        if run:
            yield before, run

    def _parts(self, line: PdfLine, after: PdfLine) -> bool:
        """Whether a paragraph ends between two lines."""
        if self._is_large(line) and _style(line) == _style(after) and 0 < line.top - after.top < 1.6 * line.size:
            return False
        if line.size != after.size and (self._is_large(line) or self._is_large(after)):
            return True
        if line.is_code != after.is_code or self._is_title(line) != self._is_title(after):
            return True
        if BULLET.match(after.text) or (NUMBER.match(after.text) and ENDS_CLAUSE.search(line.text)):
            return True
        if line.page != after.page or after.top > line.top:  # a new page or column
            return not (after.text[0].islower() or line.text.endswith("-")) or ENDS_CLAUSE.search(line.text) is not None
        far = line.last_top - after.top > GAP * max(self._step, line.size)
        indented = after.left - line.left > 0.8 * self._size and ENDS_CLAUSE.search(line.text) is not None
        short = self._right - line.right > 6 * self._size and ENDS_CLAUSE.search(line.text) is not None
        return far or indented or short

    def _is_large(self, line: PdfLine) -> bool:
        large = line.size >= LARGER * self._size and line.size not in self._prose
        return large and any(map(str.isalpha, line.text))

    def _is_title(self, line: PdfLine) -> bool:
        """Whether a line that is as large as the text is set in bold, as a heading."""
        short = len(line.text) <= LONGEST_HEADING and line.size >= self._size
        return line.is_bold and short and not ENDS_CLAUSE.search(line.text) and any(map(str.isalpha, line.text))

    def _kind(self, lines: Sequence[PdfLine], text: str, below: int) -> tuple[Kind, int]:
        if level := self._heading_level(lines, text, below):
            return "heading", level
        if all(line.is_code for line in lines):
            return "code", 0
        if BULLET.match(text) or (NUMBER.match(text) and len(text) <= 300):
            return "list_item", 1
        return "paragraph", 0

    def _heading_level(self, lines: Sequence[PdfLine], text: str, below: int) -> int:
        """Return the level of the heading that a paragraph is by its looks; 0 for none."""
        clause = len(text) > LONGEST_SENTENCE and ENDS_CLAUSE.search(text) is not None
        if clause or NO_HEADING.match(text):
            return 0
        if len(text) > LONGEST_HEADING or text[-1] in ",;" or not WORD.search(text) or CAPTION.match(text):
            return 0
        if self._marked is not None and _style(lines[0]) not in self._marked and lines[0].page > 1:
            return 0
        match = NUMBERED.match(text)
        depth = (match[1] or "").count(".") if match else 0
        if len(lines) <= 4 and all(map(self._is_large, lines)):
            return min(6, self._levels.get(lines[0].size, 1))
        if len(lines) <= 2 and all(map(self._is_title, lines)) and (text[0].isupper() or text[0].isdigit()):
            return min(6, len(self._levels) + 1 + depth)
        if len(lines) == 1 and below >= LEAST_BELOW and self._is_plain_heading(text, match, depth):
            return min(6, len(self._levels) + 1 + depth)
        return 0

    def _is_plain_heading(self, text: str, match: re.Match[str] | None, depth: int) -> bool:
        """Whether a line that looks as the text does is a heading: in capitals, or numbered as 2.1."""
        if ENDS_CLAUSE.search(text) or sum(map(str.isalpha, text)) < 4:
            return False
        if match is not None and depth and len(text) <= LONGEST_NUMBERED:
            return text[match.end()].isupper()
        return text.isupper() and " ".join(text.split()) == text and sum(map(str.isalpha, text)) > len(text) // 2


def _is_on_title(line: PdfLine, usual: float) -> bool:
    """Whether a line that the other pages have as their head is the title itself."""
    return line.page == 1 and line.size >= LARGER * usual


def _style(line: PdfLine) -> Style:
    return line.size, line.is_bold


def _text_sizes(lines: Sequence[PdfLine]) -> tuple[float, frozenset[float]]:
    """Return the size of the text, and all sizes in which there is some."""
    sizes: Counter[float] = Counter()
    long = [line for line in lines if len(line.text) >= LONG_LINE and not line.is_code]
    for line in long or lines:
        sizes[line.size] += len(line.text)
    least = PROSE_SHARE * sizes.total()
    prose = frozenset(size for size, count in sizes.items() if count >= least and len(long) > FEWEST_BOOKMARKS)
    return (sizes.most_common(1)[0][0] if sizes else 0.0), prose


def _check_weights(lines: Sequence[PdfLine], size: float) -> None:
    """Where most of the text is said to be bold, believe the names of the fonts alone, or nothing."""
    text = [line for line in lines if line.size == size and not line.is_code]
    for names_too in (True, False):
        if sum(len(line.text) for line in text if line.is_bold) <= MOST_BOLD * sum(len(line.text) for line in text):
            return
        for line in lines:
            line.is_bold = line.has_bold_name and names_too


def _joined(lines: Sequence[PdfLine]) -> str:
    """Return the lines as one, without the hyphens of broken words."""
    if not lines:
        return ""
    found = lines[0].text
    for line in lines[1:]:
        if found.endswith("-") and found[-2:-1].isalpha() and line.text[:1].islower():
            found = found[:-1] + line.text
        else:
            found = f"{found} {line.text}"
    return found
