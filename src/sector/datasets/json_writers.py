"""Documents to JSON: WikiSection's array and our JSON Lines, compressed as the target's name says."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from sector.compression import packed
from sector.datasets.wikisection import KEPT, PROVENANCE, language_of
from sector.document import Document, Section


def write_wikisection(documents: Iterable[Document], draft: Path, name: str) -> None:
    """Write WikiSection's JSON array; sentences that a data set gave are not kept by this format."""
    with _text(draft, name) as stream:
        separator = ""
        stream.write("[")
        for document in documents:
            stream.write(f"{separator}\n{dumps(wikisection_record(document))}")
            separator = ","
        stream.write("\n]\n")


def write_jsonl(documents: Iterable[Document], draft: Path, name: str) -> None:
    """Write one object per line with all that a document of a data set holds."""
    with _text(draft, name) as stream:
        for document in documents:
            stream.write(f"{dumps(_jsonl(document))}\n")


def wikisection_record(document: Document) -> dict[str, Any]:
    """Return a document as one object of WikiSection's array."""
    kind, abstract = (document.metadata.get(key, "") for key in KEPT)
    record: dict[str, Any] = {"id": document.id, "type": kind, "title": document.title}
    if document.language != language_of(document.id):
        record["language"] = document.language
    record |= {key: document.metadata[key] for key in PROVENANCE if document.metadata.get(key)}
    annotations = [_annotation(section) for section in document.sections]
    return record | {"abstract": abstract, "text": document.text, "annotations": annotations}


def _annotation(section: Section) -> dict[str, Any]:
    span = {"class": "SectionAnnotation", "begin": section.begin, "length": section.end - section.begin}
    names = {"sectionHeading": section.heading, "sectionLabel": section.label}
    return span | {key: value for key, value in names.items() if value}


def _jsonl(document: Document) -> dict[str, Any]:
    names = {"id": document.id, "title": document.title, "language": document.language}
    record: dict[str, Any] = {key: value for key, value in names.items() if value}
    record |= {"text": document.text, "sections": [_section(section) for section in document.sections]}
    if document.given_spans is not None:
        spans = document.given_spans
        record["sentences"] = list(zip(spans.begin.tolist(), spans.end.tolist(), strict=True))
    return record | ({"metadata": dict(document.metadata)} if document.metadata else {})


def _section(section: Section) -> dict[str, Any]:
    record: dict[str, Any] = {"begin": section.begin, "end": section.end, "label": section.label}
    return record | ({"heading": section.heading} if section.heading else {})


def dumps(record: dict[str, Any]) -> str:
    """Return one line of JSON."""
    return json.dumps(record, ensure_ascii=False)


@contextmanager
def _text(draft: Path, name: str) -> Iterator[TextIO]:
    with draft.open("wb") as raw, packed(raw, name) as content:
        stream = io.TextIOWrapper(content, encoding="utf-8", errors="replace", newline="\n")
        yield stream
        stream.flush()
