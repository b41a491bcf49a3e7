"""What the page draws: the rows of a heat map, and how many sentences a column stands for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("fastapi", reason="the service needs the extra 'serve'")
from sector.distribution import Distribution
from sector.document import Document, Section
from sector.server.rendering import ROWS, record


def heatmap(labels: tuple[str, ...], rows: Any, best: str) -> Any:
    """Return the heat map of a document that is one section, about the label ``best``."""
    text = "Go on. " * len(rows)
    found = Distribution(labels, np.array([float(label == best) for label in labels]))
    sections = (Section(0, len(text), best, distribution=found, source=text),)
    document = Document(text, labels=labels, probabilities=rows, sections=sections)
    return record(document, details=True)["heatmap"]


def test_a_column_of_a_long_document_is_a_mean_of_sentences() -> None:
    values = np.linspace(0, 1, 2500, dtype=np.float32)
    found = heatmap(("a", "b"), np.stack([values, 1 - values], axis=1), "b")
    assert (found["columns"], list(found["labels"])) == (1000, ["b", "a"])
    assert found["labels"]["a"][0] == pytest.approx(values[:2].mean(), abs=1e-3)
    assert np.allclose(np.add(found["labels"]["a"], found["labels"]["b"]), 1, atol=1e-3)


def test_labels_of_sections_come_before_the_most_probable_ones() -> None:
    labels = tuple(f"label {number}" for number in range(40))
    rows = np.tile(np.linspace(0, 0.05, 40, dtype=np.float32), (3, 1))
    found = heatmap(labels, rows, "label 0")
    assert list(found["labels"]) == ["label 0", *reversed(labels[41 - ROWS :])]
    assert found["labels"]["label 39"] == [0.05] * 3
