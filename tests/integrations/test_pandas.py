"""A column of texts becomes a frame of sections; documents become frames."""

from __future__ import annotations

from pathlib import Path

import pytest
from chunk_samples import COLUMNS, check_refusals, check_rows

import sector
from sector.document import Document
from sector.errors import ConfigError, DataError
from sector.runtime import Model
from tiny import HELD_OUT

pandas = pytest.importorskip("pandas", reason="pandas is not installed")

from sector.integrations.pandas import explode_chunks, explode_sections, sections_frame  # noqa: E402

pytestmark = pytest.mark.usefixtures("offline")


@pytest.fixture(scope="module")
def model(tiny_model: Path) -> Model:
    return sector.load(tiny_model)


def test_a_document_becomes_a_frame(model: Model) -> None:
    document = model.segment(Document(HELD_OUT, id="held-out"))
    frame = document.to_pandas()
    assert "".join(frame["text"]) == HELD_OUT
    assert frame["label"].tolist() == [section.label for section in document]
    assert set(frame["document"]) == {"held-out"}
    assert frame["page"].isna().all()


def test_a_frame_of_no_sections_has_the_same_columns_and_types(model: Model) -> None:
    full, empty = model.segment(HELD_OUT).to_pandas(), sections_frame([])
    assert len(empty) == 0
    assert empty.dtypes.to_dict() == full.dtypes.to_dict()


def test_a_column_is_exploded(model: Model) -> None:
    texts = [HELD_OUT, "", None, float("nan"), "  ", "One."]
    frame = pandas.DataFrame({"source": list("abcdef"), "body": texts}, index=[3, 3, 2, 2, 1, 1])
    found = explode_sections(frame, "body", model=model, min_chars=100)
    assert "".join(found.loc[found["source"] == "a", "body"]) == HELD_OUT
    assert found["source"].drop_duplicates().tolist() == ["a", "e", "f"]
    assert found.index.drop_duplicates().tolist() == [3, 1]
    assert found.columns.tolist()[0] == "source"
    row = found.iloc[1]
    assert row["body"] == HELD_OUT[row["begin"] : row["end"]]
    assert frame.columns.tolist() == ["source", "body"]


def test_names_are_not_overwritten(model: Model) -> None:
    frame = pandas.DataFrame({"label": ["x"], "text": [HELD_OUT]})
    with pytest.raises(ConfigError, match="'label' is there already"):
        explode_sections(frame, model=model)
    found = explode_sections(frame, model=model, prefix="topic_")
    assert {"label", "topic_label", "topic_begin", "text"} <= set(found.columns)
    assert found["topic_begin"].dtype == "int64"


def test_what_cannot_be_split_is_named(model: Model) -> None:
    with pytest.raises(ConfigError, match="no column 'text'; the columns are: body"):
        explode_sections(pandas.DataFrame({"body": ["x"]}), model=model)
    with pytest.raises(DataError, match=r"record 1: A text is expected, not int"):
        explode_sections(pandas.DataFrame({"text": ["x", 1]}), model=model)


def test_chunks_within_a_limit_and_with_ids(model: Model) -> None:
    frame = pandas.DataFrame(COLUMNS)
    found = explode_chunks(frame, "body", id="name", model=model, max_tokens=30, tokenizer="words")
    check_rows(found.to_dict("records"), model)
    assert (
        explode_chunks(frame[1:2], "body", model=model).dtypes.to_dict()
        == explode_chunks(frame, "body", model=model).dtypes.to_dict()
    )
    check_refusals(explode_chunks, frame, model)
