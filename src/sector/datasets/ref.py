"""`.ref` files: Choi's artificial documents, the C99 collection, the clinical textbook.

One file is one document and one line one sentence; a line of ten ``=`` stands between sections, and may
stand before the first and after the last. Empty blocks vanish. Sections have neither label nor heading.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sector.datasets.sentence_lines import GivenSection, assemble
from sector.datasets.source import DatasetFile, DatasetPath
from sector.document import Document

DELIMITER = "=" * 10
SUFFIX = ".ref"


@dataclass(frozen=True)
class RefReader:
    """Reads one `.ref` file, or all of a folder or an archive; other files there are left aside."""

    name: str = "ref"

    def recognises(self, source: DatasetPath) -> bool:
        """Whether there is a `.ref` file, or a file that begins with the delimiter."""
        if source.path.is_file() and not source.is_archive:
            entry = source.first()
            return entry is not None and (_is_ref(entry) or DELIMITER in entry.first_lines(5))
        return any(_is_ref(entry) for entry in source.entries())

    def read(self, source: DatasetPath) -> Iterator[Document]:
        """Return one document for each file."""
        is_single = source.path.is_file() and not source.is_archive
        for entry in source.entries():
            if is_single or _is_ref(entry):
                yield _document(entry)


def _is_ref(entry: DatasetFile) -> bool:
    return entry.stem.endswith(SUFFIX)


def _document(entry: DatasetFile) -> Document:
    blocks: list[list[str]] = [[]]
    for line in entry.lines():
        if line.rstrip() == DELIMITER:
            blocks.append([])
        elif line.strip():
            blocks[-1].append(line.strip())
    sections = [GivenSection(sentences=block) for block in blocks if block]
    return assemble(sections, entry.stem.removesuffix(SUFFIX), entry.place)
