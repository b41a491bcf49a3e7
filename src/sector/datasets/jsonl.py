"""JSON Lines for one's own documents, and for what `sector segment --format jsonl` wrote.

A line is `{"text": …, "sections": [{"begin": …, "end": …, "label": …, "heading": …}]}`; all but the text
may be absent, and so may be `id`, `title`, `language`, `metadata` (strings) and `sentences` (`[[begin,
end], …]`, for texts whose sentences are given). A line without a text is a segmented document: its sections
carry their texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from sector.datasets.json_stream import objects
from sector.datasets.record import Record, check_sections
from sector.datasets.source import DatasetPath
from sector.datasets.wikisection import is_json
from sector.document import Document, Section
from sector.errors import DataError
from sector.text import SentenceSpans


@dataclass(frozen=True)
class JsonlReader:
    """Reads JSON objects with ``text`` or ``sections``."""

    name: str = "jsonl"

    def recognises(self, source: DatasetPath) -> bool:
        """Whether the first JSON object, if any, has a text or sections, but no annotations."""
        if not is_json(source):
            return False
        first = next(objects(source.only()), None)
        return first is None or ("annotations" not in first[1] and bool({"text", "sections"} & first[1].keys()))

    def read(self, source: DatasetPath) -> Iterator[Document]:
        """Return the documents as they stream in."""
        entry = source.only()
        for number, values in objects(entry):
            record = Record(values, entry.place, number)
            is_segmented = "text" not in values and "sections" in values
            yield _segmented(record) if is_segmented else _document(record)


def _segmented(record: Record) -> Document:
    try:
        document = Document.from_dict(record.values)
    except DataError as error:
        raise record.error(str(error)) from error
    if not document.text.strip():
        raise record.error("The document is empty; remove it.", "sections")
    return document


def _document(record: Record) -> Document:
    text = record.filled_text("text")
    children = record.children("sections") if record.values.get("sections") is not None else ()
    sections = [_section(child, text) for child in children]
    return Document(
        text=text,
        id=record.identifier(),
        title=record.text("title", ""),
        language=record.text("language", ""),
        sections=check_sections(sections, record, "sections"),
        given_spans=_spans(record, text) if record.values.get("sentences") is not None else None,
        metadata=_metadata(record),
    )


def _section(record: Record, text: str) -> Section:
    begin, end = record.integer("begin"), record.integer("end")
    return Section(begin, end, record.text("label", ""), record.text("heading", ""), source=text)


def _metadata(record: Record) -> dict[str, str]:
    values = record.values.get("metadata") or {}
    if not isinstance(values, dict):
        raise record.error("An object of strings is expected.", "metadata")
    inner = Record(values, record.file, record.number, "metadata.")
    return {key: inner.text(key) for key in values}


def _spans(record: Record, text: str) -> SentenceSpans:
    pairs = record.items("sentences")
    if not all(_is_pair(pair) for pair in pairs):
        raise record.error("Pairs [begin, end] of integers are expected.", "sentences")
    edges = [edge for pair in pairs for edge in pair]
    filled = all(begin < end for begin, end in pairs)
    if not pairs or not filled or edges != sorted(edges) or edges[0] < 0 or edges[-1] > len(text):
        raise record.error("The spans must be in order, inside the text and not overlap.", "sentences")
    begin, end = np.array(pairs, dtype=np.int64).T
    return SentenceSpans(begin, end, np.array([_breaks(text, at) for at in end], dtype=np.bool_))


def _is_pair(pair: Any) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and all(type(edge) is int for edge in pair)


def _breaks(text: str, at: int) -> bool:
    rest = text[at : at + 100].lstrip(" \t\r")
    return not rest or rest.startswith("\n")
