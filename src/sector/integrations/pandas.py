"""pandas: documents as a data frame, and a column of texts as a frame of their sections."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sector.document import Document
from sector.errors import MissingExtraError
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
    import pandas
except ImportError as error:
    raise MissingExtraError("pandas", "pandas") from error

TYPES = dict.fromkeys(INTEGERS, "int64") | {
    "page": "Int64",  # missing in documents without pages
    "confidence": "float64",
}
"""Of the new columns that hold no text; the same in an empty frame."""


def sections_frame(documents: Iterable[Document]) -> pandas.DataFrame:
    """Return a data frame with a row per section; the column ``document`` has the documents' ids."""
    kept = list(documents)
    found = exploded(map(section_rows, kept), SECTION_COLUMNS, "text")
    ids = [kept[source].id for source in found.sources]
    return _typed(pandas.DataFrame({"document": ids} | found.columns))


def explode_sections(
    frame: pandas.DataFrame, text: str = "text", *, model: ModelName = None, prefix: str = "", **options: Any
) -> pandas.DataFrame:
    """Return a frame with a row per section instead of one per text, as ``DataFrame.explode`` does for lists.

    The index and the other columns are repeated. Texts that are empty or missing have no sections and no rows.

    Args:
        frame: any data frame.
        text: the column of texts; in the result it holds the sections' texts.
        model: a model, its name or its folder; by default the general English model.
        prefix: put before the names of the new columns: section, begin, end, level, label, heading, page, confidence.
        options: those of `Model.segment_all`, e.g. ``max_chars``.

    Raises:
        ConfigError: the column is absent, or a new column would overwrite another.
        DataError: a value of the column is neither a text nor missing.
    """
    check_columns(list(frame.columns), text, SECTION_COLUMNS, prefix)
    groups = section_groups(frame[text], text, model, options)
    return _joined(frame, text, exploded(groups, SECTION_COLUMNS, text, prefix), prefix)


def explode_chunks(
    frame: pandas.DataFrame,
    text: str = "text",
    *,
    id: str | None = None,
    model: ModelName = None,
    prefix: str = "",
    **options: Any,
) -> pandas.DataFrame:
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
        ConfigError: an option that cannot be, a column that is absent, or a new one that would overwrite another.
        DataError: a value of the column is neither a text nor missing.
    """
    check_columns(list(frame.columns), text, CHUNK_COLUMNS, prefix, id)
    groups = chunk_groups(frame[text], None if id is None else frame[id], text, model, options)
    return _joined(frame, text, exploded(groups, CHUNK_COLUMNS, text, prefix), prefix)


def _joined(frame: pandas.DataFrame, text: str, found: Exploded, prefix: str) -> pandas.DataFrame:
    repeated = frame.drop(columns=text).iloc[found.sources]
    added = _typed(pandas.DataFrame(found.columns, index=repeated.index), prefix)
    return pandas.concat([repeated, added], axis=1)


def _typed(frame: pandas.DataFrame, prefix: str = "") -> pandas.DataFrame:
    """Give columns their types, which cannot be seen from the values of an empty frame."""
    return frame.astype({name: TYPES.get(str(name).removeprefix(prefix), "str") for name in frame.columns})
