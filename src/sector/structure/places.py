"""What the author's structure says of a section that begins at a character: its heading, its level, its page."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from sector.structure.blocks import Block
from sector.structure.outline import Entry


class Places:
    """The headings and pages of a document, by position."""

    def __init__(self, blocks: Sequence[Block], entries: Sequence[Entry]) -> None:
        self._entries = entries
        self._begins = [blocks[entry.block].begin for entry in entries]
        paged = [block for block in blocks if block.page is not None]
        self._page_begins = [block.begin for block in paged]
        self._pages = [block.page for block in paged]

    def heading(self, begin: int) -> str:
        """Return the path of headings that a position lies below; empty above the first."""
        number = bisect_right(self._begins, begin) - 1
        return self._entries[number].path if number >= 0 else ""

    def level(self, begin: int, found: int) -> int:
        """Return the level of a section: its heading's, one below for a part of it, ``found`` without headings."""
        if not self._entries:
            return found
        number = bisect_right(self._begins, begin) - 1
        if number < 0:
            return 1
        return self._entries[number].level + (self._begins[number] != begin)

    def page(self, begin: int) -> int | None:
        """Return the page that a position is on; None without pages."""
        number = max(0, bisect_right(self._page_begins, begin) - 1)
        return self._pages[number] if self._pages else None
