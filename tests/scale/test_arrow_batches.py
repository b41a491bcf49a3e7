"""Batches of rows in, batches of sections or chunks out: whatever kind of batch an engine has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sector
from sector.errors import ConfigError, DataError
from sector.runtime import Model
from sector.scale import ChunkBatches, SectionBatches
from tiny import HELD_OUT

arrow = pytest.importorskip("pyarrow")
COLUMNS: dict[str, Any] = {"source": list("abcd"), "body": [HELD_OUT, "", None, "One."]}


@pytest.fixture(scope="module")
def model(tiny_model: Path) -> Model:
    return sector.load(tiny_model)


def kinds() -> list[Any]:
    import numpy as np

    table = arrow.table(COLUMNS)
    columns = {name: np.array(values, dtype=object) for name, values in COLUMNS.items()}
    return [table, table.to_batches()[0], columns]


@pytest.mark.parametrize("kind", range(3))
def test_sections_of_any_batch(model: Model, kind: int) -> None:
    found = SectionBatches("body", model=model, min_chars=100)(kinds()[kind])
    rows = found.to_pylist()
    assert "".join(row["body"] for row in rows if row["source"] == "a") == HELD_OUT
    assert {row["source"] for row in rows} == {"a", "d"}
    assert all(row["body"] == HELD_OUT[row["begin"] : row["end"]] for row in rows if row["source"] == "a")
    expected = model.segment(HELD_OUT, min_chars=100)
    assert [row["label"] for row in rows if row["source"] == "a"] == [section.label for section in expected]


def test_a_frame_of_pandas(model: Model) -> None:
    pandas = pytest.importorskip("pandas")
    from sector.integrations.pandas import explode_sections

    frame = pandas.DataFrame(COLUMNS)
    found = SectionBatches("body", model=model)(frame)
    assert found.column("begin").to_pylist() == list(explode_sections(frame, "body", model=model)["begin"])


def test_the_types_do_not_depend_on_the_rows(model: Model) -> None:
    for make in (SectionBatches, ChunkBatches):
        work = make("body", model=model, errors="column")
        table = arrow.table(COLUMNS)
        assert work(table.slice(1, 1)).schema == work(table.slice(0, 1)).schema


def test_chunks_have_the_ids_of_their_texts(model: Model) -> None:
    found = ChunkBatches("body", id="source", model=model, max_tokens=50)(arrow.table(COLUMNS)).to_pylist()
    assert max(row["tokens"] for row in found) <= 50
    assert "".join(row["body"] for row in found if row["source"] == "a") == HELD_OUT
    ids = [row["chunk_id"] for row in found]
    alone = ChunkBatches("body", id="source", model=model, max_tokens=50)(arrow.table(COLUMNS).slice(3, 1))
    assert len(set(ids)) == len(ids) and alone.column("chunk_id").to_pylist() == ids[-1:]


def test_a_text_that_fails_is_a_row_with_its_reason(model: Model) -> None:
    batch = {"key": [1, 2, 3], "text": [HELD_OUT, 5, "One."]}
    table = arrow.table({"key": batch["key"], "text": [HELD_OUT, "5", "One."]})
    found = SectionBatches(model=model, errors="column")
    good = found(table).to_pylist()
    assert all(row["error"] is None for row in good)
    numbers = arrow.table({"key": [1, 2], "text": [5, 6]})
    bad = found(numbers).to_pylist()
    assert [row["key"] for row in bad] == [1, 2] and all("not int" in row["error"] for row in bad)
    with pytest.raises(DataError, match="record 0: A text is expected, not int"):
        SectionBatches(model=model)(numbers)


def test_options_are_checked_at_once(model: Model) -> None:
    with pytest.raises(ConfigError, match="choose one of: raise, column"):
        SectionBatches(model=model, errors="ignore")
    with pytest.raises(ConfigError, match="There is no option 'max_chars'"):
        ChunkBatches(model=model, max_chars=5)
    with pytest.raises(ConfigError, match="There is no column 'text'; the columns are: body"):
        SectionBatches(model=model)({"body": ["a"]})
    with pytest.raises(ConfigError, match="'label' is there already"):
        SectionBatches(model=model)({"text": ["a"], "label": ["b"]})
    assert "topic_label" in SectionBatches(model=model, prefix="topic_")({"text": ["a"], "label": ["b"]}).column_names
