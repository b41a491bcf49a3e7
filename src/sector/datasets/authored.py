"""Documents of any format as training data: their prose, in sections that have the author's headings.

As in the data sets made of encyclopaedias, headings are not in the text, what stands before the first one is the
abstract, and the parts of a heading's path are joined by `` | ``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from sector.document import Document, Section
from sector.structure import Block, Entry, outline
from sector.structure.outline import CONTENTS
from sector.text.heading_names import heading_path
from sector.text.headings import PATH

FEWEST = 2
"""Sections of a document from which something can be learned."""
UNDER_TITLE = 0.9
"""Of the headings lie below the first one if that is the document's title."""
Part = tuple[tuple[str, ...], list[str]]
"""A path of headings and the lines below it."""


@dataclass
class Authored:
    """Turns documents into training data; ``left_out`` counts those that are none, by the reason."""

    levels: int = 0
    """The deepest level of headings; 0: all."""
    fewest: int = FEWEST
    language: str = ""
    """That of all documents: those in others are left out; empty: any."""
    left_out: Counter[str] = field(default_factory=Counter)
    _seen: set[bytes] = field(default_factory=set)

    def select(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Return the training documents among these, each text once."""
        for document in documents:
            found = training_document(document, self.levels)
            if reason := self._reason(found):
                self.left_out[reason] += 1
            else:
                yield replace(found, language=found.language or self.language)

    def _reason(self, document: Document) -> str:
        """Return why a document is left out; empty if it is not."""
        if len(document.sections) < self.fewest:
            return f"with fewer than {self.fewest} sections below headings"
        if self.language and document.language not in ("", self.language):
            return f"in another language than '{self.language}'"
        digest = sha256(document.text.encode("utf-8", "surrogatepass")).digest()
        if digest in self._seen:
            return "with the text of another one"
        self._seen.add(digest)
        return ""


def training_document(document: Document, levels: int = 0) -> Document:
    """Return the prose of a document, a paragraph per line, with a section for each of the author's that has any.

    Args:
        document: as `sector.read` returns it, with blocks.
        levels: the deepest level of headings that makes sections; 0 for all.

    Returns:
        A document without sections where there are no headings.
    """
    entries = outline(document.blocks)
    paths = [heading_path(entry.path) for entry in entries]
    title = _title(paths)
    paths = [path[1:] if path[:1] == (title,) else path for path in paths]
    abstract, parts = _parts(document.blocks, entries, [path[:levels] if levels else path for path in paths])
    pieces = ["\n".join(lines) + "\n" for _, lines in parts]
    return Document(
        "".join(pieces),
        id=document.id,
        title=document.title or title,
        language=document.language,
        sections=tuple(_sections(parts, pieces)),
        metadata={"abstract": abstract} if abstract else {},
    )


def _title(paths: Sequence[tuple[str, ...]]) -> str:
    """Return the first heading where nearly all others lie below it; empty where it is one of several."""
    first = next((path[0] for path in paths if path), "")
    below = sum(path[:1] == (first,) for path in paths)
    return first if len(paths) > 1 and below >= UNDER_TITLE * len(paths) else ""


def _parts(
    blocks: Sequence[Block], entries: Sequence[Entry], paths: Sequence[tuple[str, ...]]
) -> tuple[str, list[Part]]:
    """Return what stands before the first named section, and the sections with text."""
    begins = {entry.block: path for entry, path in zip(entries, paths, strict=True)}
    abstract: list[str] = []
    found: list[Part] = []
    lines = abstract
    for number, block in enumerate(blocks):
        path = begins.get(number)
        if path and not (found and found[-1][0] == path):
            lines = []
            found.append((path, lines))
        if block.is_prose and block.kind != "heading":
            lines += filter(None, (" ".join(line.split()) for line in block.content.splitlines()))
    kept = [(path, lines) for path, lines in found if lines and not CONTENTS.fullmatch(path[-1])]
    return " ".join(abstract), kept


def _sections(parts: Sequence[Part], pieces: Sequence[str]) -> Iterator[Section]:
    text, begin = "".join(pieces), 0
    for (path, _), piece in zip(parts, pieces, strict=True):
        yield Section(begin, begin + len(piece), heading=PATH.join(path), source=text, level=len(path))
        begin += len(piece)


def split_off(documents: Sequence[Document], share: float) -> tuple[list[Document], list[Document]]:
    """Return the documents apart from a share of them, and that share: chosen by their texts, at least one."""
    count = min(len(documents) - 1, max(1, round(share * len(documents))))
    order = sorted(documents, key=lambda document: sha256(document.text.encode("utf-8", "surrogatepass")).digest())
    chosen = {id(document) for document in order[: max(count, 0)]}
    return (
        [document for document in documents if id(document) not in chosen],
        [document for document in documents if id(document) in chosen],
    )
