"""A column of texts becomes a frame of sections; documents become frames."""

from __future__ import annotations

from pathlib import Path

import pytest
from chunk_samples import COLUMNS, check_refusals, check_rows

import sector
from sector.errors import ConfigError, DataError
from sector.runtime import Model
from tiny import HELD_OUT

polars = pytest.importorskip("polars", reason="Polars is not installed")

from sector.integrations.polars import explode_chunks, explode_sections, sections_frame  # noqa: E402

pytestmark = pytest.mark.usefixtures("offline")


@pytest.fixture(scope="module")
def model(tiny_model: Path) -> Model:
    return sector.load(tiny_model)


def test_documents_become_a_frame(model: Model) -> None:
    documents = [model.segment(text) for text in (HELD_OUT, "", "One.")]
    frame = sections_frame(documents)
    assert "".join(frame["text"]) == HELD_OUT + "One."
    assert frame["label"].to_list() == [section.label for document in documents for section in document]
    assert sections_frame([]).schema == frame.schema


def test_a_column_is_exploded(model: Model) -> None:
    frame = polars.DataFrame({"source": list("abcde"), "body": [HELD_OUT, "", None, "  ", "One."]})
    found = explode_sections(frame, "body", model=model, min_chars=100)
    assert "".join(found.filter(source="a")["body"]) == HELD_OUT
    assert found["source"].unique(maintain_order=True).to_list() == ["a", "d", "e"]
    row = found.row(1, named=True)
    assert row["body"] == HELD_OUT[row["begin"] : row["end"]]
    assert explode_sections(frame[1:3], "body", model=model).schema == found.schema
    assert explode_sections(frame[["body"]], "body", model=model, min_chars=100).equals(found.drop("source"))


def test_names_are_not_overwritten(model: Model) -> None:
    frame = polars.DataFrame({"label": ["x"], "text": [HELD_OUT]})
    with pytest.raises(ConfigError, match="'label' is there already"):
        explode_sections(frame, model=model)
    found = explode_sections(frame, model=model, prefix="topic_")
    assert {"label", "topic_label", "topic_begin", "text"} <= set(found.columns)
    assert found.schema["topic_begin"] == polars.Int64


def test_what_cannot_be_split_is_named(model: Model) -> None:
    with pytest.raises(ConfigError, match="no column 'text'; the columns are: body"):
        explode_sections(polars.DataFrame({"body": ["x"]}), model=model)
    with pytest.raises(DataError, match=r"record 0: A text is expected, not int"):
        explode_sections(polars.DataFrame({"text": [1]}), model=model)
    with pytest.raises(ConfigError, match="not LazyFrame; collect a lazy one first"):
        explode_sections(polars.LazyFrame({"text": ["x"]}), model=model)


def test_chunks_within_a_limit_and_with_ids(model: Model) -> None:
    frame = polars.DataFrame(COLUMNS)
    found = explode_chunks(frame, "body", id="name", model=model, max_tokens=30, tokenizer="words")
    check_rows(found.iter_rows(named=True), model)
    assert explode_chunks(frame[1:2], "body", model=model).schema == explode_chunks(frame, "body", model=model).schema
    check_refusals(explode_chunks, frame, model)
