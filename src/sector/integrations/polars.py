"""Polars: documents as a data frame, and a column of texts as a frame of their sections."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sector.document import Document
from sector.errors import ConfigError, MissingExtraError
from sector.integrations.models import ModelName
from sector.integrations.rows import (
    CHUNK_COLUMNS,
    INTEGERS,
    SECTION_COLUMNS,
    Exploded,
    check_columns,
    chunk_groups,
    exploded,
    section_groups,
    section_rows,
)

try:
    import polars
except ImportError as error:
    raise MissingExtraError("polars", "polars") from error

TYPES = dict.fromkeys((*INTEGERS, "page"), polars.Int64) | {"confidence": polars.Float64}
"""Of the new columns that hold no text; the same in an empty frame."""


def sections_frame(documents: Iterable[Document]) -> polars.DataFrame:
    """Return a data frame with a row per section; the column ``document`` has the documents' ids."""
    kept = list(documents)
    found = exploded(map(section_rows, kept), SECTION_COLUMNS, "text")
    ids = [kept[source].id for source in found.sources]
    return _frame({"document": ids} | found.columns)


def explode_sections(
    frame: polars.DataFrame, text: str = "text", *, model: ModelName = None, prefix: str = "", **options: Any
) -> polars.DataFrame:
    """Return a frame with a row per section instead of one per text, as ``DataFrame.explode`` does for lists.

    The other columns are repeated. Texts that are empty or null have no sections and no rows.

    Args:
        frame: any data frame.
        text: the column of texts; in the result it holds the sections' texts.
        model: a model, its name or its folder; by default the general English model.
        prefix: put before the names of the new columns: section, begin, end, level, label, heading, page, confidence.
        options: those of `Model.segment_all`, e.g. ``max_chars``.

    Raises:
        ConfigError: the column is absent, a new column would overwrite another, or the frame is lazy.
        DataError: a value of the column is neither a text nor null.
    """
    check_columns(_columns(frame), text, SECTION_COLUMNS, prefix)
    groups = section_groups(frame[text], text, model, options)
    return _joined(frame, text, exploded(groups, SECTION_COLUMNS, text, prefix), prefix)


def explode_chunks(
    frame: polars.DataFrame,
    text: str = "text",
    *,
    id: str | None = None,
    model: ModelName = None,
    prefix: str = "",
    **options: Any,
) -> polars.DataFrame:
    """Return a frame with a row per chunk instead of one per text: within a number of tokens, with ids that stay.

    Args:
        frame: any data frame.
        text: the column of texts; in the result it holds the chunks' texts.
        id: the column of the texts' ids, which the chunks' depend on; without it equal texts are numbered.
        model: a model, its name or its folder; by default the general English model.
        prefix: put before the names of the new columns: chunk, chunk_id, begin, end, tokens, label, heading, page,
            confidence.
        options: those of `Model.chunk`: ``max_tokens``, ``tokenizer``, ``overlap``, ``fill``, ``headings``; ``labels``.

    Raises:
        ConfigError: an option that cannot be, a column that is absent, a new one that would overwrite another, or a
            lazy frame.
        DataError: a value of the column is neither a text nor null.
    """
    check_columns(_columns(frame), text, CHUNK_COLUMNS, prefix, id)
    groups = chunk_groups(frame[text], None if id is None else frame[id], text, model, options)
    return _joined(frame, text, exploded(groups, CHUNK_COLUMNS, text, prefix), prefix)


def _columns(frame: Any) -> list[str]:
    if not isinstance(frame, polars.DataFrame):
        raise ConfigError(f"A DataFrame of Polars is expected, not {type(frame).__name__}; collect a lazy one first.")
    return list(frame.columns)


def _joined(frame: polars.DataFrame, text: str, found: Exploded, prefix: str) -> polars.DataFrame:
    repeated = frame.drop(text).select(polars.all().gather(found.sources))
    return polars.concat([repeated, _frame(found.columns, prefix)], how="horizontal")


def _frame(columns: dict[str, list[Any]], prefix: str = "") -> polars.DataFrame:
    """Return columns with their types, which cannot be seen from the values of an empty frame."""
    schema = {name: TYPES.get(name.removeprefix(prefix), polars.String) for name in columns}
    return polars.DataFrame(columns, schema=schema)
