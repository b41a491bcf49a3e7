"""The open elements of a page, each with what all of those around it say: no text has to look at all of them."""

from __future__ import annotations

from typing import NamedTuple

from sector.structure.blocks import Kind

HEADINGS = {f"h{level}": level for level in range(1, 7)}
UNREAD: frozenset[Kind] = frozenset(("boilerplate", "code", "table"))


class Element(NamedTuple):
    """An open element, and what it and those around it say of the text inside."""

    name: str
    kind: Kind | None = None
    """What it makes of all that is in it,"""
    nearest: Kind = "paragraph"
    """what the innermost element that says anything does,"""
    items: int = 0
    """how many list items are open,"""
    heading: int = 0
    """the level of the innermost heading,"""
    unread: Kind | None = None
    """and what the outermost element that forbids reading is, with its depth."""
    depth: int = 0

    def child(self, name: str, kind: Kind | None, depth: int) -> Element:
        """Return an element inside of this one."""
        forbids = self.unread is None and kind in UNREAD
        return Element(
            name,
            kind,
            kind or self.nearest,
            self.items + (kind == "list_item"),
            HEADINGS.get(name, self.heading),
            kind if forbids else self.unread,
            depth if forbids else self.depth,
        )


OUTSIDE = Element("")
