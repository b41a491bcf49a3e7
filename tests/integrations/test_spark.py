"""A column of texts becomes rows of sections on a Spark of this machine."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sector
from sector.errors import ConfigError
from sector.runtime import Model
from tiny import HELD_OUT

pytest.importorskip("pyspark", reason="Spark is not installed")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)

from pyspark.sql import SparkSession

from sector.integrations.spark import (
    chunk_schema,
    chunks_in_pandas,
    explode_chunks,
    explode_sections,
)

ROWS = [("a", HELD_OUT), ("b", ""), ("c", None), ("d", "One.")]


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.driver.host", "127.0.0.1").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def model(tiny_model: Path) -> Model:
    return sector.load(tiny_model)


def test_sections(spark: Any, model: Model) -> None:
    frame = spark.createDataFrame(ROWS, "source string, body string").repartition(2)
    found = explode_sections(frame, "body", model=model, min_chars=100)
    rows = sorted(found.collect(), key=lambda row: (row["source"], row["begin"]))
    assert found.columns[:3] == ["source", "section", "begin"] and found.columns[-1] == "body"
    assert "".join(row["body"] for row in rows if row["source"] == "a") == HELD_OUT
    assert {row["source"] for row in rows} == {"a", "d"}
    expected = model.segment(HELD_OUT, min_chars=100)
    assert [row["label"] for row in rows if row["source"] == "a"] == [section.label for section in expected]
    assert rows[0]["page"] is None and rows[0]["confidence"] == pytest.approx(expected.sections[0].confidence)


def test_chunks(spark: Any, model: Model) -> None:
    frame = spark.createDataFrame(ROWS, "source string, body string")
    found = explode_chunks(frame, "body", id="source", model=model, max_tokens=50).toPandas()
    assert found["tokens"].max() <= 50 and found["chunk_id"].is_unique
    work = chunks_in_pandas("body", id="source", model=model, max_tokens=50)
    again = frame.mapInPandas(work, chunk_schema(frame.schema, "body")).toPandas()
    assert sorted(again["chunk_id"]) == sorted(found["chunk_id"])


def test_columns_are_checked_before_anything_runs(spark: Any, model: Model) -> None:
    frame = spark.createDataFrame(ROWS, "source string, label string")
    with pytest.raises(ConfigError, match="no column 'text'; the columns are: source, label"):
        explode_sections(frame, model=model)
    with pytest.raises(ConfigError, match="'label' is there already"):
        explode_sections(frame.withColumnRenamed("source", "text"), model=model)
