"""Classes for engines of your own: called with a batch of rows, they return a batch of sections or of chunks.

``dataset.map_batches(SectionBatches, …)`` of Ray Data makes each worker load the model once; the same objects work with
any engine that gives and takes Arrow tables, frames of pandas or columns of numpy.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from sector.blas import one_thread
from sector.errors import ConfigError, MissingExtraError
from sector.integrations.models import ModelName, shared
from sector.integrations.rows import (
    CHUNK_COLUMNS,
    INTEGERS,
    SECTION_COLUMNS,
    Row,
    check_columns,
    chunk_groups,
    exploded,
    section_groups,
)
from sector.scale.worker import reason_of

if TYPE_CHECKING:
    import pyarrow

ERRORS = ("raise", "column")


class Batches(ABC):
    """A function of batches, with its model loaded."""

    names: ClassVar[Sequence[str]]

    def __init__(
        self,
        text: str = "text",
        *,
        id: str | None = None,
        model: ModelName = None,
        prefix: str = "",
        errors: str = "raise",
        **options: Any,
    ) -> None:
        """Load the model and check the options.

        Args:
            text: the column of texts; in the result it holds the texts of sections or chunks.
            id: the column of the texts' ids, which the ids of chunks depend on.
            model: a model, its name or its folder; by default the general English model.
            prefix: put before the names of the new columns.
            errors: ``raise``, or ``column``: a text that fails becomes one row with the reason in the column ``error``,
                which is None in all others.
            options: those of `Model.segment_all`, or of `Model.chunk`.

        Raises: ConfigError for options that cannot be; ModelError where there is no such model.
        """
        if errors not in ERRORS:
            raise ConfigError(f"'errors' is '{errors}'; choose one of: {', '.join(ERRORS)}.")
        self._text, self._id, self._prefix, self._keeps = text, id, prefix, errors == "column"
        self._model, self._options = shared(model), options
        list(self._groups([""], [""]))

    def __call__(self, batch: Any) -> pyarrow.Table:
        """Return a row per section or chunk; the other columns are repeated, and the types are always the same.

        Args:
            batch: columns by name, a frame of pandas, an Arrow table or a batch of Arrow records.
        """
        arrow = _arrow()
        table = _table(batch)
        check_columns(table.column_names, self._text, self._added, self._prefix, self._id)
        values = table.column(self._text).to_pylist()
        ids = None if self._id is None else table.column(self._id).to_pylist()
        with one_thread():
            found = exploded(self._kept(values, ids), [*self.names, *self._error], self._text, self._prefix)
        rest = table.drop_columns([self._text]).take(arrow.array(found.sources, arrow.int64()))
        for name, column in found.columns.items():
            rest = rest.append_column(name, arrow.array(column, self._type(name)))
        return rest

    @property
    def _error(self) -> Sequence[str]:
        return ("error",) if self._keeps else ()

    @property
    def _added(self) -> Sequence[str]:
        return (*self.names, *self._error)

    def _kept(self, values: Sequence[Any], ids: Sequence[Any] | None) -> Iterable[Iterable[Row]]:
        """Return the rows of each text; where one fails, those of each alone."""
        if not self._keeps:
            return self._groups(values, ids)
        try:
            return [[{**row, "error": None} for row in group] for group in self._groups(values, ids)]
        except Exception:  # whatever a text may cause
            names: Sequence[Any] = [None] * len(values) if ids is None else ids
            return [self._alone(value, name) for value, name in zip(values, names, strict=True)]

    def _alone(self, value: Any, name: Any) -> list[Row]:
        try:
            (group,) = self._groups([value], [name])
            return [{**row, "error": None} for row in group]
        except Exception as error:
            text = value if isinstance(value, str) else None
            return [dict.fromkeys(self.names) | {self._text: text, "error": reason_of(error)}]

    @abstractmethod
    def _groups(self, values: Sequence[Any], ids: Sequence[Any] | None) -> Iterable[Iterable[Row]]:
        """Return the rows of each text."""

    def _type(self, name: str) -> Any:
        arrow, bare = _arrow(), name.removeprefix(self._prefix)
        if name != self._text and bare in (*INTEGERS, "page"):
            return arrow.int64()
        return arrow.float64() if name != self._text and bare == "confidence" else arrow.string()


class SectionBatches(Batches):
    """Sections: the columns section, begin, end, level, label, heading, page, confidence and the text's."""

    names = SECTION_COLUMNS

    def _groups(self, values: Sequence[Any], ids: Sequence[Any] | None) -> Iterable[Iterable[Row]]:
        return section_groups(values, self._text, self._model, self._options)


class ChunkBatches(Batches):
    """Chunks: the columns chunk, chunk_id, begin, end, tokens, label, heading, page, confidence and the text's."""

    names = CHUNK_COLUMNS

    def _groups(self, values: Sequence[Any], ids: Sequence[Any] | None) -> Iterable[Iterable[Row]]:
        return chunk_groups(values, ids, self._text, self._model, self._options)


def _arrow() -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise MissingExtraError("pyarrow", "parquet") from error
    return pyarrow


def _table(batch: Any) -> pyarrow.Table:
    """Return a batch of any kind as an Arrow table."""
    arrow = _arrow()
    if isinstance(batch, arrow.Table):
        return batch
    if isinstance(batch, arrow.RecordBatch):
        return arrow.Table.from_batches([batch])
    if isinstance(batch, Mapping):
        return arrow.table({name: arrow.array(list(column)) for name, column in batch.items()})
    return arrow.Table.from_pandas(batch, preserve_index=False)
