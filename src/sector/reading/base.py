"""What a format is: it recognises its files and makes text and blocks of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from sector.structure.blocks import Block, Kind


@dataclass(frozen=True, slots=True)
class Content:
    """What a format finds in a file."""

    text: str
    blocks: tuple[Block, ...]
    title: str = ""
    language: str = ""
    """As far as the file says it; ISO 639-1."""
    metadata: Mapping[str, str] = field(default_factory=dict)


class FileFormat(Protocol):
    """Reads one kind of file; a new kind is a new file with such an object."""

    @property
    def name(self) -> str:
        """What users call it: ``pdf``."""
        ...

    @property
    def suffixes(self) -> tuple[str, ...]:
        """How its files end, in lower case."""
        ...

    def recognises(self, head: bytes) -> bool:
        """Whether the first bytes of a file are surely of this format."""
        ...

    def read(self, content: bytes, encoding: str | None = None) -> Content:
        """Return text and blocks; raises DataError for a file that cannot be read."""
        ...


class Extract:
    """The text of a file whose own characters are no text, put together block by block."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[tuple[int, int, Kind, int, int | None]] = []

    def add(self, content: str, kind: Kind = "paragraph", level: int = 0, page: int | None = None) -> None:
        """Put a block below the others, with an empty line between; list items stand close together.

        Code that follows code on a page is one block with it.
        """
        content = content.strip("\n").rstrip() if kind == "code" else content.strip()
        if not content:
            return
        if self._blocks and kind == "code" and (self._blocks[-1][2], self._blocks[-1][4]) == (kind, page):
            begin = self._blocks.pop()[0]
            self._put(f"\n{content}")
            self._blocks.append((begin, self._length, kind, level, page))
            return
        if self._blocks:
            close = kind == "list_item" and self._blocks[-1][2] == "list_item"
            self._put("\n" if close else "\n\n")
        begin = self._length
        self._put(content)
        self._blocks.append((begin, self._length, kind, level, page))

    def __len__(self) -> int:
        return len(self._blocks)

    @property
    def has_headings(self) -> bool:
        """Whether any block is a heading."""
        return any(kind == "heading" for _, _, kind, _, _ in self._blocks)

    def make_heading(self, number: int) -> None:
        """Make a main heading of a block."""
        begin, end, _, _, page = self._blocks[number]
        self._blocks[number] = (begin, end, "heading", 1, page)

    def _put(self, piece: str) -> None:
        self._parts.append(piece)
        self._length += len(piece)

    def content(self, title: str = "", language: str = "", metadata: Mapping[str, str] | None = None) -> Content:
        """Return all that was added."""
        text = "".join(self._parts) + ("\n" if self._parts else "")
        blocks = (Block(begin, end, kind, level, page, None, text) for begin, end, kind, level, page in self._blocks)
        return Content(text, tuple(blocks), title.strip(), language, metadata or {})
