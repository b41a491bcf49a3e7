"""A data set of texts becomes one of sections: in batches, in processes, streamed, and found in the cache again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sector
from sector.document import Document
from sector.errors import ConfigError, DataError
from sector.runtime import Model
from tiny import HELD_OUT

pytest.importorskip("datasets.arrow_dataset", reason="Hugging Face datasets is not installed")  # not tests/datasets

import datasets
from sector.integrations.datasets import SectionExploder, explode_chunks, explode_sections

pytestmark = pytest.mark.usefixtures("offline")

TEXTS = ["", None, HELD_OUT, " ", "One."]


@pytest.fixture(scope="module")
def model(tiny_model: Path) -> Model:
    return sector.load(tiny_model)


@pytest.fixture(scope="module")
def texts() -> Any:
    return datasets.Dataset.from_dict({"source": list("abcde"), "body": TEXTS})


def test_a_function_for_map(texts: Any, tiny_model: Path) -> None:
    explode = SectionExploder("body", str(tiny_model), options={"min_chars": 100})
    found = texts.map(explode, batched=True, features=explode.features(texts.features))
    assert "".join(found.filter(lambda row: row["source"] == "c")["body"]) == HELD_OUT
    assert found.unique("source") == ["c", "d", "e"]
    row = found[1]
    assert row["body"] == HELD_OUT[row["begin"] : row["end"]]
    assert (row["page"], row["heading"]) == (None, "")


def test_batches_of_nothing_have_the_same_columns(texts: Any, model: Model) -> None:
    found = explode_sections(texts, "body", model=model, batch_size=1)
    assert explode_sections(texts.select([0, 1]), "body", model=model).features == found.features
    assert found.features["page"] == datasets.Value("int64")


def test_streamed_and_in_splits(texts: Any, model: Model) -> None:
    expected = list(explode_sections(texts, "body", model=model))
    streamed = explode_sections(texts.to_iterable_dataset(), "body", model=model, batch_size=2)
    assert list(streamed) == expected
    splits = explode_sections(datasets.DatasetDict(train=texts, test=texts.select([4])), "body", model=model)
    assert (list(splits["train"]), len(splits["test"])) == (expected, 1)


def test_in_processes_and_from_the_cache(texts: Any, tiny_model: Path, tmp_path: Path) -> None:
    texts.save_to_disk(tmp_path / "texts")
    stored = datasets.load_from_disk(tmp_path / "texts")
    first = explode_sections(stored, "body", model=str(tiny_model), num_proc=2)
    again = explode_sections(stored, "body", model=str(tiny_model), num_proc=2)
    assert first.to_dict() == explode_sections(texts, "body", model=str(tiny_model)).to_dict()
    assert first.cache_files == again.cache_files
    other = explode_sections(stored, "body", model=str(tiny_model), num_proc=2, min_chars=100)
    assert other.cache_files != first.cache_files


def test_what_cannot_be_split_is_named(texts: Any, model: Model) -> None:
    with pytest.raises(ConfigError, match="no column 'text'; the columns are: source, body"):
        explode_sections(texts, model=model)
    with pytest.raises(ConfigError, match="'label' is there already"):
        explode_sections(texts.rename_column("source", "label"), "body", model=model)
    with pytest.raises(DataError, match=r"record 0: A text is expected, not int"):
        explode_sections(datasets.Dataset.from_dict({"text": [1]}), model=model)
    with pytest.raises(ConfigError, match="not list; load one"):
        explode_sections([HELD_OUT], model=model)


def test_chunks_within_a_limit_and_with_ids(texts: Any, model: Model) -> None:
    options: dict[str, Any] = {"id": "source", "model": model, "max_tokens": 30, "tokenizer": "words"}
    found = explode_chunks(texts, "body", batch_size=2, **options)
    expected = model.chunk(Document(HELD_OUT, id="c"), 30, tokenizer=lambda text: len(text.split()))
    rows = [row for row in found if row["source"] == "c"]
    assert [(row["chunk_id"], row["begin"], row["tokens"]) for row in rows] == [
        (chunk.id, chunk.begin, chunk.tokens) for chunk in expected
    ]
    assert all(row["tokens"] <= 30 and row["body"] == HELD_OUT[row["begin"] : row["end"]] for row in rows)
    assert explode_chunks(texts.select([0]), "body", **options).features == found.features
    assert list(explode_chunks(texts.to_iterable_dataset(), "body", **options)) == list(found)
    with pytest.raises(ConfigError, match="no column 'number'"):
        explode_chunks(texts, "body", id="number", model=model)
