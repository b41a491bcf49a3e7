"""Word, DOCX: paragraphs, headings by their style's outline level, lists, tables and page breaks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

from sector.reading.archive import Archive, local, number_in, shallow
from sector.reading.base import Content, Extract
from sector.reading.sniffing import zip_has
from sector.structure.blocks import Kind

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
MAIN = "word/document.xml"
HEADING = re.compile(r"(?:heading|überschrift|título|titre|titolo|kop|rubrik|nagłówek)\s*(\d)$", re.IGNORECASE)
TITLES = ("title", "titel")
DEEPEST = 50
LONG_ITEM = 300
"""Characters of a numbered paragraph above which it is a clause, not a list item."""
LONGEST_TITLE = 80
"""Characters of a line in bold that is a heading in a document without styles for headings."""
CODE_STYLE = re.compile(r"code|source|preformatted|html vorformatiert|verbatim", re.IGNORECASE)
MONOSPACED = re.compile(r"mono|courier|consol|typewriter|menlo|\bcode\b", re.IGNORECASE)
SKIPPED = frozenset(("del", "moveFrom", "instrText", "delText", "fldData", "txbxContent", "Fallback"))


@dataclass(frozen=True, slots=True)
class DocxFormat:
    """Word documents since 2007."""

    name: str = "docx"
    suffixes: tuple[str, ...] = (".docx", ".docm", ".dotx")

    def recognises(self, head: bytes) -> bool:
        """Whether it is a ZIP archive with Word's parts."""
        return zip_has(head, b"word/")

    def read(self, content: bytes, encoding: str | None = None) -> Content:
        """Return text and blocks."""
        archive = Archive(content, "DOCX")
        styles = _styles(archive)
        extract = Extract()
        reader = _Body(extract, styles)
        with shallow("DOCX"):
            for event, element in archive.events(_main(archive)):
                reader.see(event, element)
        reader.end()
        title, language = _properties(archive)
        return extract.content(title, language)


@dataclass(frozen=True, slots=True)
class _Style:
    level: int = 0
    is_list: bool = False
    is_code: bool = False
    is_quote: bool = False
    is_toc: bool = False


def _main(archive: Archive) -> str:
    if MAIN in archive.names:
        return MAIN
    others = [name for name in archive.names if re.fullmatch(r"word/document\w*\.xml", name)]
    return others[0] if others else MAIN


def _styles(archive: Archive) -> dict[str, _Style]:
    """Return what the styles say of paragraphs, by id; a style has what the one it is based on has."""
    if "word/styles.xml" not in archive.names:
        return {}
    raw = {style.get(f"{W}styleId", ""): style for style in archive.xml("word/styles.xml").iter(f"{W}style")}
    return {name: _style(name, raw, 0) for name in raw}


def _style(name: str, raw: dict[str, ElementTree.Element], depth: int) -> _Style:
    style = raw.get(name)
    if style is None or depth > 20:
        return _Style()
    base = style.find(f"{W}basedOn")
    above = _style(base.get(f"{W}val", ""), raw, depth + 1) if base is not None else _Style()
    named = style.find(f"{W}name")
    title = named.get(f"{W}val", "") if named is not None else name
    outline = style.find(f"{W}pPr/{W}outlineLvl")
    return _Style(
        level=_level(title, outline) or above.level,
        is_list=style.find(f"{W}pPr/{W}numPr") is not None or above.is_list or title.lower().startswith("list "),
        is_code=bool(CODE_STYLE.search(title)) or _is_monospaced(style.find(f"{W}rPr")) or above.is_code,
        is_quote=title.lower() in ("quote", "intense quote", "zitat", "block text") or above.is_quote,
        is_toc=title.lower().startswith(("toc ", "contents", "verzeichnis")) or above.is_toc,
    )


def _runs(element: ElementTree.Element) -> list[ElementTree.Element]:
    """Return the pieces of a paragraph that have letters."""
    return [run for run in element.iter(f"{W}r") if any((piece.text or "").strip() for piece in run.iter(f"{W}t"))]


def _is_bold(element: ElementTree.Element) -> bool:
    marks = [run.find(f"{W}rPr/{W}b") for run in _runs(element)]
    return bool(marks) and all(mark is not None and mark.get(f"{W}val") not in ("0", "false") for mark in marks)


def _is_monospaced(properties: ElementTree.Element | None) -> bool:
    fonts = properties.find(f"{W}rFonts") if properties is not None else None
    return fonts is not None and MONOSPACED.search(fonts.get(f"{W}ascii", "")) is not None


def _level(title: str, outline: ElementTree.Element | None) -> int:
    if outline is not None and (number := number_in(outline.get(f"{W}val"), -1)) >= 0:
        return number + 1 if number < 9 else 0
    match = HEADING.match(title)
    return int(match[1]) if match else int(title.lower() in TITLES)


class _Body:
    """Takes the elements as they come and puts paragraphs and tables into an extract."""

    def __init__(self, extract: Extract, styles: dict[str, _Style]) -> None:
        self._extract, self._styles = extract, styles
        self._tables = self._skipped = 0
        self._rows: list[str] = []
        self._cells: list[str] = []
        self._cell: list[str] = []
        self._bold: list[int] = []
        """The blocks that are set in bold and may be headings without a heading's style."""

    def see(self, event: str, element: ElementTree.Element) -> None:
        """Process one event."""
        name = local(element.tag)
        if name in SKIPPED:
            self._skipped += 1 if event == "start" else -1
        if event == "start":
            self._tables += name == "tbl"
        elif name == "p" and not self._skipped:
            self._paragraph(element)
            element.clear()
        elif name == "tc" and self._tables == 1:
            self._cells.append(" ".join(filter(None, self._cell)))
            self._cell = []
        elif name == "tr" and self._tables == 1:
            self._rows.append("\t".join(self._cells))
            self._cells = []
        elif name == "tbl":
            self._end_table()
            element.clear()

    def _end_table(self) -> None:
        self._tables -= 1
        if self._tables == 0:
            rows, self._rows = self._rows, []
            if len(rows) == 1 and "\t" not in rows[0]:
                self._extract.add(rows[0])  # a box around text
            else:
                self._extract.add("\n".join(rows), "table")

    def _paragraph(self, element: ElementTree.Element) -> None:
        text = "".join(self._pieces(element)).strip()
        if self._tables:
            self._cell.append(" ".join(text.split()))
            return
        properties = element.find(f"{W}pPr")
        kind, level = self._kind(properties, text)
        if kind == "paragraph" and text and self._is_typed(element):
            kind = "code"
        before = len(self._extract)
        self._extract.add(text, kind, level)
        if len(self._extract) > before and len(text) <= LONGEST_TITLE and text[-1] not in ".:;," and _is_bold(element):
            self._bold.append(before)

    def end(self) -> None:
        """Make headings of lines in bold, where the author used no style for headings."""
        if self._extract.has_headings:
            return
        bold = set(self._bold)
        for number in self._bold:
            if number + 1 < len(self._extract) and number + 1 not in bold:
                self._extract.make_heading(number)

    def _is_typed(self, element: ElementTree.Element) -> bool:
        """Whether all letters of a paragraph are in runs set as code."""
        runs = _runs(element)
        return all(self._is_code_run(run.find(f"{W}rPr")) for run in runs) and bool(runs)

    def _is_code_run(self, properties: ElementTree.Element | None) -> bool:
        named = properties.find(f"{W}rStyle") if properties is not None else None
        style = self._styles.get(named.get(f"{W}val", ""), _Style()) if named is not None else _Style()
        return style.is_code or _is_monospaced(properties)

    def _kind(self, properties: ElementTree.Element | None, text: str) -> tuple[Kind, int]:
        if properties is None:
            return "paragraph", 0
        named, number = properties.find(f"{W}pStyle"), properties.find(f"{W}numPr")
        style = self._styles.get(named.get(f"{W}val", "") if named is not None else "", _Style())
        level = _level("", properties.find(f"{W}outlineLvl")) or style.level
        if level and text:
            return "heading", level
        if style.is_toc:
            return "boilerplate", 0
        if style.is_code:
            return "code", 0
        if number is not None or style.is_list:
            depth = number.find(f"{W}ilvl") if number is not None else None
            deep = number_in(depth.get(f"{W}val"), 0, DEEPEST) if depth is not None else 0
            return ("paragraph", 0) if len(text) > LONG_ITEM and deep == 0 else ("list_item", deep + 1)
        return ("quote", 1) if style.is_quote else ("paragraph", 0)

    def _pieces(self, element: ElementTree.Element) -> Iterator[str]:
        for child in element:
            name = local(child.tag)
            if name in SKIPPED:
                continue
            if name == "t":
                yield child.text or ""
            elif name in ("tab", "br", "cr"):
                yield " " if name == "tab" or child.get(f"{W}type") == "page" else "\n"
            elif name == "noBreakHyphen":
                yield "-"
            elif name != "pPr":
                yield from self._pieces(child)


def _properties(archive: Archive) -> tuple[str, str]:
    """Return the title and the language of the document, as far as they are stated."""
    title = ""
    if "docProps/core.xml" in archive.names:
        root = archive.xml("docProps/core.xml")
        title = next((child.text or "" for child in root if local(child.tag) == "title"), "")
    return title, ""
