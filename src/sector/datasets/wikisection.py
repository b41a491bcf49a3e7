"""WikiSection's JSON: the official format of the paper's data sets.

An array, JSON Lines or objects in a row, plain or as `.gz`, `.bz2`, `.xz`. Keys: `id`, `type`, `title`,
`abstract`, `text` and `annotations`, a list of `begin`, `length`, `sectionHeading` and `sectionLabel`, one
of which may be absent. The abstract is not part of the text; it, the type and, in data sets that we built,
where the text is from (`page`, `revision`, `timestamp`, `dump`, `wikidata`) are kept in `Document.metadata`.
Labels keep their prefix. Sections may leave gaps; overlaps, spans outside the text and blank documents are
errors. Empty sections vanish.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sector.datasets.json_stream import objects
from sector.datasets.record import Record, check_sections
from sector.datasets.source import DatasetPath
from sector.document import Document, Section

_WIKIPEDIA = re.compile(r"https?://([a-z]{2,3})\.(?:m\.)?wikipedia\.org/")
KEPT = ("type", "abstract")
"""Fields that a document has no attribute for."""
PROVENANCE = ("page", "revision", "timestamp", "dump", "wikidata")
"""Further such fields, which say where a text is from; the official data sets have none of them."""


@dataclass(frozen=True)
class WikiSectionReader:
    """Reads WikiSection's JSON; the language is that of an id such as ``https://de.wikipedia.org/…``."""

    name: str = "wikisection"

    def recognises(self, source: DatasetPath) -> bool:
        """Whether the first JSON object has annotations."""
        return is_json(source) and "annotations" in next(objects(source.only()), (0, {}))[1]

    def read(self, source: DatasetPath) -> Iterator[Document]:
        """Return the documents as they stream in."""
        entry = source.only()
        for number, values in objects(entry):
            yield document_of(Record(values, entry.place, number))


def is_json(source: DatasetPath) -> bool:
    """Whether a source is one file that begins like JSON."""
    if source.path.is_dir():
        return False
    entry = source.first()
    if entry is None:
        return False
    if entry.stem.lower().endswith((".json", ".jsonl", ".ndjson")):
        return True
    with entry.text() as stream:
        return stream.read(1000).lstrip()[:1] in ("[", "{")


def language_of(id: str) -> str:
    """Return the language of an id such as ``https://de.wikipedia.org/wiki/…``; empty if it says none."""
    found = _WIKIPEDIA.match(id)
    return found[1] if found else ""


def document_of(record: Record) -> Document:
    """Return the document that one JSON object holds."""
    text, id = record.filled_text("text"), record.identifier()
    sections = [_section(child, text) for child in record.children("annotations")]
    return Document(
        text=text,
        id=id,
        title=record.text("title", ""),
        language=record.text("language", language_of(id)),
        sections=check_sections(sections, record, "annotations"),
        metadata={key: record.text(key) for key in (*KEPT, *PROVENANCE) if record.values.get(key)},
    )


def _section(record: Record, text: str) -> Section:
    begin, length = record.integer("begin"), record.integer("length")
    label, heading = record.text("sectionLabel", ""), record.text("sectionHeading", "")
    return Section(begin, begin + length, label, heading, source=text)
