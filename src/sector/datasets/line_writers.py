"""Documents to the line formats: one sentence per line, with sections as blocks, headers or columns.

A sentence belongs to the last section that begins at or before it; what stands before the first section is
the preface. White space inside a sentence becomes one space, so that it stays on its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from sector.datasets.chen import SEPARATOR, TOP_LEVEL
from sector.datasets.ref import DELIMITER, SUFFIX
from sector.datasets.wiki727 import HEADER_MARK, PREFACE
from sector.document import Document, Section
from sector.errors import DataError

_UNSAFE = re.compile(r"[^\w.\-]+")
_LONGEST_NAME = 120
_Block = tuple[Section | None, list[str]]


def write_ref(documents: Iterable[Document], draft: Path, name: str) -> None:
    """Write a folder of `.ref` files; labels and headings are not kept by this format."""
    for path, document in _files(documents, draft, SUFFIX):
        lines = [DELIMITER]
        for _, sentences in _blocks(document):
            lines += [*(_guarded(sentence) for sentence in sentences), DELIMITER]
        _write_lines(path, lines)


def write_wiki727(documents: Iterable[Document], draft: Path, name: str) -> None:
    """Write a folder with one file per article; a section without heading gets its label as header."""
    for path, document in _files(documents, draft, ""):
        lines, before = list[str](), list[str]()
        for section, sentences in _blocks(document):
            after = _path(section)
            lines += [*_headers(before, after), *(_guarded(sentence) for sentence in sentences)]
            before = after
        _write_lines(path, lines)


def write_chen(documents: Iterable[Document], draft: Path, name: str) -> None:
    """Write the file of Cities and Elements; ids, titles and the case of headings are not kept.

    In this format a section ends where the heading changes: sections without a name are numbered.
    """
    with draft.open("w", encoding="utf-8", errors="replace", newline="\n") as stream:
        for number, document in enumerate(documents, 1):
            if not document.sections:
                raise DataError("A document without sections cannot be written as chen.", record=document.id)
            for index, (heading, sentence) in enumerate(_rows(document), 1):
                stream.write(f"{number},{index},{heading}{SEPARATOR}{sentence}\n")


def _rows(document: Document) -> Iterator[tuple[str, str]]:
    for number, (section, sentences) in enumerate(_blocks(document), 1):
        heading = _line((section.heading or section.label or f"section {number}") if section else TOP_LEVEL)
        for sentence in sentences:
            yield heading.replace(SEPARATOR, " "), sentence.replace(SEPARATOR, " ")


def _blocks(document: Document) -> Iterator[_Block]:
    sections: list[Section | None] = [None, *document.sections]
    gathered: list[list[str]] = [[] for _ in sections]
    at = 0
    for begin, sentence in zip(document.spans.begin.tolist(), document.sentence_texts, strict=True):
        while at < len(document.sections) and document.sections[at].begin <= begin:
            at += 1
        gathered[at].append(_line(sentence))
    yield from ((section, block) for section, block in zip(sections, gathered, strict=True) if block)


def _path(section: Section | None) -> list[str]:
    name = (section.heading or section.label) if section else PREFACE
    return [_line(part) for part in name.split(" | ")]


def _headers(before: list[str], after: list[str]) -> list[str]:
    """Return the header lines that lead from one heading's path to the next."""
    if after == [PREFACE]:
        return [f"{HEADER_MARK}1,{PREFACE}."]
    shared = 0
    while shared < min(len(before), len(after) - 1) and before[shared] == after[shared]:
        shared += 1
    return [f"{HEADER_MARK}{level + 2},{after[level]}." for level in range(shared, len(after))]


def _files(documents: Iterable[Document], folder: Path, suffix: str) -> Iterator[tuple[Path, Document]]:
    folder.mkdir()
    taken: set[str] = set()
    for number, document in enumerate(documents, 1):
        name = _UNSAFE.sub("_", document.id).strip("._")[:_LONGEST_NAME] or str(number)
        if name.casefold() in taken:
            name = f"{name}-{number}"
        taken.add(name.casefold())
        yield folder / f"{name}{suffix}", document


def _write_lines(path: Path, lines: list[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", errors="replace", newline="\n")


def _line(text: str) -> str:
    return " ".join(text.split())


def _guarded(sentence: str) -> str:
    """Keep a sentence that looks like a header or a delimiter from being one; readers strip the space."""
    return f" {sentence}" if sentence.startswith("=====") else sentence
