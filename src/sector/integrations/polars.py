"""Polars: documents as a data frame, and a column of texts as a frame of their sections."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sector.document import Document
from sector.errors import ConfigError, MissingExtraError
from sector.integrations.models import ModelName, shared
from sector.integrations.rows import SECTION_COLUMNS, check_columns, exploded, section_rows, texts_of

try:
    import polars
except ImportError as error:
    raise MissingExtraError("polars", "polars") from error

TYPES = dict.fromkeys(("section", "begin", "end", "level", "page"), polars.Int64) | {"confidence": polars.Float64}
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
    if not isinstance(frame, polars.DataFrame):
        raise ConfigError(f"A DataFrame of Polars is expected, not {type(frame).__name__}; collect a lazy one first.")
    check_columns(frame.columns, text, SECTION_COLUMNS, prefix)
    documents = shared(model).segment_all(texts_of(frame[text]), **options)
    groups = (section_rows(document, text) for document in documents)
    found = exploded(groups, SECTION_COLUMNS, text, prefix)
    repeated = frame.drop(text).select(polars.all().gather(found.sources))
    return polars.concat([repeated, _frame(found.columns, prefix)], how="horizontal")


def _frame(columns: dict[str, list[Any]], prefix: str = "") -> polars.DataFrame:
    """Return columns with their types, which cannot be seen from the values of an empty frame."""
    schema = {name: TYPES.get(name.removeprefix(prefix), polars.String) for name in columns}
    return polars.DataFrame(columns, schema=schema)
