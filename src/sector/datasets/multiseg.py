"""Jeong and Titov's multi-document data (2010): texts ``<name>.<n>`` and one ``<name>.label`` for them all.

A line of a text is a sentence. A line of the label file is ``topic document::from-to …``: the topic's
inclusive, 0-based line ranges in each document, the first of which is number 1 or 0 as its file says. Only
lines inside a range are kept. A range is a section whose label is its topic.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from sector.datasets.sentence_lines import GivenSection, assemble
from sector.datasets.source import DatasetFile, DatasetPath
from sector.document import Document
from sector.errors import DataError

LABELS = ".label"
_RANGE = re.compile(r"(\d{1,18})::(\d{1,18})-(\d{1,18})$")
_Range = tuple[int, int, str]


@dataclass(frozen=True)
class MultisegReader:
    """Reads a folder or an archive of texts with their label files."""

    name: str = "multiseg"

    def recognises(self, source: DatasetPath) -> bool:
        """Whether there is a label file."""
        is_many = source.path.is_dir() or source.is_archive
        return is_many and any(entry.name.endswith(LABELS) for entry in source.entries())

    def read(self, source: DatasetPath) -> Iterator[Document]:
        """Return the documents, group by group; a text without label file is left aside."""
        texts, labels = dict[str, list[str]](), dict[str, tuple[DatasetFile, list[str]]]()
        for entry in source.entries():
            lines = list(entry.lines())
            if entry.name.endswith(LABELS):
                labels[entry.name.removesuffix(LABELS)] = entry, lines
            else:
                texts[entry.name] = lines
        for group, (entry, lines) in sorted(labels.items()):
            for number, ranges in sorted(_ranges(lines, entry.place).items()):
                name = f"{group}.{number}"
                if name not in texts:
                    raise DataError(f"The labelled text {name} is missing.", file=entry.place)
                yield assemble(_sections(texts[name], ranges, name, entry.place), name, entry.place)


def _ranges(lines: list[str], place: str) -> dict[int, list[_Range]]:
    """Return each document's ranges ``(first line, last line, topic)`` in the order of the text."""
    ranges: dict[int, list[_Range]] = defaultdict(list)
    for number, line in enumerate(lines, 1):
        topic, *places = line.split() or [""]
        for part in places:
            found = _RANGE.match(part)
            if found is None:
                message = f"'{part}' is not of the form 'document::from-to'"
                raise DataError(f"{message}.", file=place, record=f"line {number}")
            ranges[int(found[1])].append((int(found[2]), int(found[3]), topic))
    return {document: sorted(found) for document, found in ranges.items()}


def _sections(lines: list[str], ranges: list[_Range], name: str, place: str) -> Iterator[GivenSection]:
    after = 0
    for first, last, topic in ranges:
        if not after <= first <= last < len(lines):
            message = f"The range {first}-{last} overlaps another or is outside the {len(lines)} lines"
            raise DataError(f"{message}.", file=place, record=name)
        after = last + 1
        sentences = [line.strip() for line in lines[first:after] if line.strip()]
        yield GivenSection(topic, topic, sentences)
