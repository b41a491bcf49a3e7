"""Spark: functions for ``DataFrame.mapInPandas``, and a column of texts as rows of sections or of chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from sector.blas import one_thread
from sector.errors import MissingExtraError
from sector.integrations.models import ModelName, name_of
from sector.integrations.rows import CHUNK_COLUMNS, INTEGERS, SECTION_COLUMNS, check_columns

try:
    import pandas
    from pyspark.sql import DataFrame
    from pyspark.sql.types import DoubleType, LongType, StringType, StructField, StructType
except ImportError as error:
    raise MissingExtraError("pyspark", "spark") from error

FramesFunction = Callable[[Iterable[pandas.DataFrame]], Iterator[pandas.DataFrame]]
"""What ``mapInPandas`` takes."""


def sections_in_pandas(
    text: str = "text", *, model: ModelName = None, prefix: str = "", **options: Any
) -> FramesFunction:
    """Return a function for ``frame.mapInPandas(…, section_schema(frame.schema))``: a row per section.

    The arguments are those of `sector.integrations.pandas.explode_sections`. Each Python worker loads the model once.
    """
    return partial(_frames, "explode_sections", {"text": text, "model": name_of(model), "prefix": prefix, **options})


def chunks_in_pandas(
    text: str = "text", *, id: str | None = None, model: ModelName = None, prefix: str = "", **options: Any
) -> FramesFunction:
    """Return a function for ``frame.mapInPandas(…, chunk_schema(frame.schema))``: a row per chunk.

    The arguments are those of `sector.integrations.pandas.explode_chunks`.
    """
    given = {"text": text, "id": id, "model": name_of(model), "prefix": prefix, **options}
    return partial(_frames, "explode_chunks", given)


def section_schema(schema: StructType, text: str = "text", prefix: str = "") -> StructType:
    """Return the schema of the rows of sections that come of rows with a schema."""
    return _schema(schema, SECTION_COLUMNS, text, prefix)


def chunk_schema(schema: StructType, text: str = "text", prefix: str = "") -> StructType:
    """Return the schema of the rows of chunks that come of rows with a schema."""
    return _schema(schema, CHUNK_COLUMNS, text, prefix)


def explode_sections(
    frame: DataFrame, text: str = "text", *, model: ModelName = None, prefix: str = "", **options: Any
) -> DataFrame:
    """Return a frame with a row per section instead of one per text; nothing is computed until Spark needs it."""
    check_columns(frame.columns, text, SECTION_COLUMNS, prefix)
    work = sections_in_pandas(text, model=model, prefix=prefix, **options)
    return frame.mapInPandas(work, section_schema(frame.schema, text, prefix))


def explode_chunks(
    frame: DataFrame,
    text: str = "text",
    *,
    id: str | None = None,
    model: ModelName = None,
    prefix: str = "",
    **options: Any,
) -> DataFrame:
    """Return a frame with a row per chunk instead of one per text."""
    check_columns(frame.columns, text, CHUNK_COLUMNS, prefix, id)
    work = chunks_in_pandas(text, id=id, model=model, prefix=prefix, **options)
    return frame.mapInPandas(work, chunk_schema(frame.schema, text, prefix))


def _frames(function: str, options: dict[str, Any], frames: Iterable[pandas.DataFrame]) -> Iterator[pandas.DataFrame]:
    """Return what a function of `sector.integrations.pandas` makes of each frame."""
    from sector.integrations import pandas as on_pandas

    work = getattr(on_pandas, function)
    for frame in frames:
        with one_thread():
            found = work(frame, **options)
        yield found


def _schema(schema: StructType, names: Iterable[str], text: str, prefix: str) -> StructType:
    kept = [field for field in schema.fields if field.name != text]
    added = [StructField(prefix + name, _type(name)) for name in names]
    return StructType([*kept, *added, StructField(text, StringType())])


def _type(name: str) -> Any:
    if name in INTEGERS or name == "page":
        return LongType()
    return DoubleType() if name == "confidence" else StringType()
