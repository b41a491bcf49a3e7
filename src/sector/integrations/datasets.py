"""Hugging Face datasets: functions for ``Dataset.map`` that make a row per section or chunk, and calls that apply them.

The functions keep no state, so that ``datasets`` finds their results in the cache again and can send them to other
processes, each of which loads the model once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from sector.errors import ConfigError, MissingExtraError
from sector.integrations.models import ModelName
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

try:
    from datasets import Dataset, DatasetDict, Features, IterableDataset, IterableDatasetDict, Value
except ImportError as error:
    raise MissingExtraError("datasets", "datasets") from error

TYPES = dict.fromkeys((*INTEGERS, "page"), "int64") | {"confidence": "float64"}
"""Of the new columns that hold no text."""


@dataclass(frozen=True)
class SectionExploder:
    """A function for ``map(…, batched=True)``: batches of texts become batches of their sections.

    The other columns are repeated. Texts that are empty or None have no sections and no rows.

    Args:
        text: the column of texts; in the result it holds the sections' texts.
        model: a model, its name or its folder; by default the general English model.
        prefix: put before the names of the new columns: section, begin, end, level, label, heading, page, confidence.
        options: those of `Model.segment_all`, e.g. ``{"max_chars": 2000}``.
    """

    text: str = "text"
    model: ModelName = None
    prefix: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    added: ClassVar[Sequence[str]] = SECTION_COLUMNS

    def __call__(self, batch: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
        """Return the columns of the parts.

        Raises ConfigError if the column is absent or another would be overwritten, DataError for what is no text.
        """
        names = list(batch.keys())
        self._check(names)
        found = exploded(self._groups(batch), self.added, self.text, self.prefix)
        others = [name for name in names if name != self.text]
        return {name: [batch[name][source] for source in found.sources] for name in others} | found.columns

    def features(self, present: Features) -> Features:
        """Return the columns of the result with their types, for ``map(…, features=…)``: the first batch need not show
        them."""
        self._check(list(present))
        others = {name: kind for name, kind in present.items() if name != self.text}
        added = {self.prefix + name: Value(TYPES.get(name, "string")) for name in self.added}
        return Features(others | added | {self.text: present[self.text]})

    def _check(self, names: Sequence[str]) -> None:
        check_columns(names, self.text, self.added, self.prefix)

    def _groups(self, batch: Mapping[str, Sequence[Any]]) -> Iterable[Iterable[Row]]:
        return section_groups(batch[self.text], self.text, self.model, self.options)


@dataclass(frozen=True)
class ChunkExploder(SectionExploder):
    """The same for chunks within a number of tokens.

    Args:
        text: the column of texts; in the result it holds the chunks' texts.
        model: a model, its name or its folder; by default the general English model.
        prefix: put before the names of the new columns: chunk, chunk_id, begin, end, tokens, label, heading, page,
            confidence.
        options: those of `Model.chunk`, e.g. ``{"max_tokens": 256}``, and ``labels``.
        id: the column of the texts' ids, which the chunks' depend on; without it equal texts have chunks of equal ids.
    """

    id: str | None = None
    added: ClassVar[Sequence[str]] = CHUNK_COLUMNS

    def _check(self, names: Sequence[str]) -> None:
        check_columns(names, self.text, self.added, self.prefix, self.id)

    def _groups(self, batch: Mapping[str, Sequence[Any]]) -> Iterable[Iterable[Row]]:
        ids = None if self.id is None else batch[self.id]
        return chunk_groups(batch[self.text], ids, self.text, self.model, self.options)


def explode_sections(
    dataset: Any,
    text: str = "text",
    *,
    model: ModelName = None,
    prefix: str = "",
    batch_size: int = 32,
    num_proc: int | None = None,
    **options: Any,
) -> Any:
    """Return a data set with a row per section instead of one per text.

    Args:
        dataset: a ``Dataset``, an ``IterableDataset``, or a dictionary of either.
        text: the column of texts; in the result it holds the sections' texts.
        model: as in `SectionExploder`, like ``prefix``.
        prefix: put before the names of the new columns.
        batch_size: texts that are read together.
        num_proc: processes; not for data sets that are streamed.
        options: those of `Model.segment_all`, e.g. ``max_chars``.

    Raises:
        ConfigError: what is no data set, a column that is absent, or a new one that would overwrite another.
        DataError: a value of the column is neither a text nor None.
    """
    return _mapped(dataset, SectionExploder(text, model, prefix, options), batch_size, num_proc)


def explode_chunks(
    dataset: Any,
    text: str = "text",
    *,
    id: str | None = None,
    model: ModelName = None,
    prefix: str = "",
    batch_size: int = 32,
    num_proc: int | None = None,
    **options: Any,
) -> Any:
    """Return a data set with a row per chunk instead of one per text: within a number of tokens, with ids that stay.

    Arguments and errors are those of `explode_sections`, but the options are those of `ChunkExploder`, like ``id``.
    """
    return _mapped(dataset, ChunkExploder(text, model, prefix, options, id), batch_size, num_proc)


def _mapped(dataset: Any, explode: SectionExploder, batch_size: int, num_proc: int | None) -> Any:
    if isinstance(dataset, DatasetDict | IterableDatasetDict):
        splits = {name: _mapped(split, explode, batch_size, num_proc) for name, split in dataset.items()}
        return type(dataset)(splits)
    if isinstance(dataset, Dataset):
        given = {"features": explode.features(dataset.features), "num_proc": num_proc}
        return dataset.map(explode, batched=True, batch_size=batch_size, **given)
    if isinstance(dataset, IterableDataset):
        known = explode.features(dataset.features) if dataset.features else None
        return dataset.map(explode, batched=True, batch_size=batch_size, features=known)
    raise ConfigError(f"A Dataset is expected, not {type(dataset).__name__}; load one with datasets.load_dataset.")
