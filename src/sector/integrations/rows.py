"""Sections and chunks as columns: what data frames and data sets are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any, NamedTuple

from sector.document import Document, Section
from sector.errors import ConfigError, DataError
from sector.integrations.chunking import Chunker, Original
from sector.integrations.models import ModelName, shared

SECTION_COLUMNS = ("section", "begin", "end", "level", "label", "heading", "page", "confidence")
CHUNK_COLUMNS = ("chunk", "chunk_id", "begin", "end", "tokens", "label", "heading", "page", "confidence")
INTEGERS = ("section", "chunk", "begin", "end", "level", "tokens")
"""Columns of numbers that are never missing."""
Row = Mapping[str, Any]


class Exploded(NamedTuple):
    """Columns of the parts of several texts, and the row that each part comes from."""

    sources: list[int]
    columns: dict[str, list[Any]]


def section_row(section: Section, number: int) -> dict[str, Any]:
    """Return what is known of a section, without its text; ``number`` is its place in the document, from 0."""
    return {"section": number} | {name: getattr(section, name) for name in SECTION_COLUMNS[1:]}


def section_rows(document: Document, text: str = "text") -> Iterator[dict[str, Any]]:
    """Return a row per section; ``text`` is the name of the column of their texts."""
    for number, section in enumerate(document.sections):
        yield section_row(section, number) | {text: section.text}


def section_groups(
    texts: Iterable[Any], text: str, model: ModelName, options: Mapping[str, Any]
) -> Iterator[Iterator[dict[str, Any]]]:
    """Return the rows of each text's sections."""
    documents = shared(model).segment_all(texts_of(texts), **options)
    return (section_rows(document, text) for document in documents)


def chunk_groups(
    texts: Iterable[Any], ids: Iterable[Any] | None, text: str, model: ModelName, options: Mapping[str, Any]
) -> Iterator[list[dict[str, Any]]]:
    """Return the rows of each text's chunks; raises ConfigError for options that cannot be."""
    _check(options)
    chunker = Chunker(model, **options)
    names = repeat("") if ids is None else ("" if name is None else str(name) for name in ids)
    for chunks in chunker.chunks(map(Original, texts_of(texts), names)):
        yield [
            {"chunk": number, "chunk_id": chunk.id, text: chunk.text}
            | {name: getattr(chunk, name) for name in CHUNK_COLUMNS[2:]}
            for number, chunk in enumerate(chunks)
        ]


def exploded(groups: Iterable[Iterable[Row]], names: Sequence[str], text: str, prefix: str = "") -> Exploded:
    """Return the rows of each text as columns with these names, and ``text``; ``prefix`` is not put before ``text``."""
    sources: list[int] = []
    columns: dict[str, list[Any]] = {prefix + name: [] for name in names} | {text: []}
    for source, rows in enumerate(groups):
        for row in rows:
            sources.append(source)
            for name in names:
                columns[prefix + name].append(row[name])
            columns[text].append(row[text])
    return Exploded(sources, columns)


def texts_of(values: Iterable[Any]) -> Iterator[str]:
    """Return a column's texts; missing ones (None, NaN) are empty. Raises DataError for what is no text."""
    for number, value in enumerate(values):
        if isinstance(value, str):
            yield value
        elif value is None or value != value:  # NaN alone differs from itself
            yield ""
        else:
            raise DataError(f"A text is expected, not {type(value).__name__}.", record=number)


def _check(options: Mapping[str, Any]) -> None:
    """Raise ConfigError for an option that chunks do not have."""
    known = ("max_tokens", "tokenizer", "overlap", "fill", "headings", "labels")
    unknown = [name for name in options if name not in known]
    if unknown:
        raise ConfigError(f"There is no option '{unknown[0]}'; the options are: {', '.join(known)}.")


def check_columns(
    present: Sequence[Any], text: str, added: Iterable[str], prefix: str = "", name: str | None = None
) -> None:
    """Raise ConfigError if the column of texts, or the one called ``name``, is absent, or a column would be
    overwritten."""
    for needed in (text, *([] if name is None else [name])):
        if needed not in present:
            raise ConfigError(f"There is no column '{needed}'; the columns are: {', '.join(map(str, present))}.")
    taken = [prefix + name for name in added if prefix + name in present and prefix + name != text]
    if taken:
        raise ConfigError(f"The column '{taken[0]}' is there already; rename it, or give another prefix=….")
