"""The formats whose characters are the text: offsets are those of the file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sector.reading import html, manual, markdown, plain, rst, subtitles
from sector.reading.base import Content
from sector.reading.decoding import decode, decode_html
from sector.reading.sniffing import markup
from sector.structure.blocks import Block

Parser = Callable[[str], tuple[Block, ...]]


@dataclass(frozen=True, slots=True)
class PlainTextFormat:
    """A way to write texts; it is recognised in the decoded text, by `sniffing.markup`."""

    name: str
    suffixes: tuple[str, ...]
    parse: Parser

    def recognises(self, head: bytes) -> bool:
        """Return False: bytes do not say it."""
        return False

    def read(self, content: bytes, encoding: str | None = None) -> Content:
        """Return the decoded file and its blocks."""
        decoded = decode_html(content, encoding) if self.name == "html" else decode(content, encoding)
        return self.of_text(decoded)

    def of_text(self, text: str) -> Content:
        """Return a text with its blocks."""
        title, language = html.facts(text) if self.name == "html" else ("", "")
        return Content(text, self.parse(text), title, language)


TEXTS = (
    PlainTextFormat("txt", (".txt", ".text", ".log", ".asc"), plain.blocks),
    PlainTextFormat("md", (".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd"), markdown.blocks),
    PlainTextFormat("rst", (".rst", ".rest"), rst.blocks),
    PlainTextFormat("html", (".html", ".htm", ".xhtml", ".shtml"), html.blocks),
    PlainTextFormat("srt", (".srt", ".vtt"), subtitles.blocks),
    PlainTextFormat("man", (*(f".{number}" for number in range(1, 9)), ".man", ".mdoc"), manual.blocks),
)
BY_NAME = {format.name: format for format in TEXTS}


def parsed(text: str, name: str | None = None) -> Content:
    """Return a text with its blocks, in the format that it is surely written in."""
    return BY_NAME[name or markup(text)].of_text(text)
