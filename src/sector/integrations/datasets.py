"""Hugging Face datasets: a function for ``Dataset.map`` that makes a row per section, and a call that applies it.

The function keeps no state, so that ``datasets`` finds its results in the cache again and can send it to other
processes, each of which loads the model once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sector.errors import ConfigError, MissingExtraError
from sector.integrations.models import ModelName, shared
from sector.integrations.rows import SECTION_COLUMNS, check_columns, exploded, section_rows, texts_of

try:
    from datasets import Dataset, DatasetDict, Features, IterableDataset, IterableDatasetDict, Value
except ImportError as error:
    raise MissingExtraError("datasets", "datasets") from error

TYPES = dict.fromkeys(("section", "begin", "end", "level", "page"), "int64") | {"confidence": "float64"}
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

    def __call__(self, batch: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
        """Return the columns of the sections.

        Raises ConfigError if the column is absent or another would be overwritten, DataError for what is no text.
        """
        names = list(batch.keys())
        check_columns(names, self.text, SECTION_COLUMNS, self.prefix)
        documents = shared(self.model).segment_all(texts_of(batch[self.text]), **self.options)
        groups = (section_rows(document, self.text) for document in documents)
        found = exploded(groups, SECTION_COLUMNS, self.text, self.prefix)
        others = [name for name in names if name != self.text]
        return {name: [batch[name][source] for source in found.sources] for name in others} | found.columns

    def features(self, present: Features) -> Features:
        """Return the columns of the result with their types, for ``map(…, features=…)``: the first batch need not show
        them."""
        check_columns(list(present), self.text, SECTION_COLUMNS, self.prefix)
        others = {name: kind for name, kind in present.items() if name != self.text}
        added = {self.prefix + name: Value(TYPES.get(name, "string")) for name in SECTION_COLUMNS}
        return Features(others | added | {self.text: present[self.text]})


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
    settings: dict[str, Any] = {"model": model, "prefix": prefix, "batch_size": batch_size, "num_proc": num_proc}
    if isinstance(dataset, DatasetDict | IterableDatasetDict):
        splits = {name: explode_sections(split, text, **settings, **options) for name, split in dataset.items()}
        return type(dataset)(splits)
    explode = SectionExploder(text, model, prefix, options)
    if isinstance(dataset, Dataset):
        given = {"features": explode.features(dataset.features), "num_proc": num_proc}
        return dataset.map(explode, batched=True, batch_size=batch_size, **given)
    if isinstance(dataset, IterableDataset):
        known = explode.features(dataset.features) if dataset.features else None
        return dataset.map(explode, batched=True, batch_size=batch_size, features=known)
    raise ConfigError(f"A Dataset is expected, not {type(dataset).__name__}; load one with datasets.load_dataset.")
