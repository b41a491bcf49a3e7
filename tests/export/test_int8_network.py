"""int8 models: close to the exact ones, and the same for a document alone and beside any others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sector
from sector import datasets
from sector.export.training_run import export_from
from sector.runtime.model import Model
from tiny import TINY, make_model, write_documents

pytest.importorskip("torch")
PARTS = ("probabilities", "forward", "backward", "boundary")


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Model, Model]:
    folder = tmp_path_factory.mktemp("whole")
    write_documents(folder / "train.jsonl", 6)
    options = {"dimensions": 12, "workers": 1, "epochs": 1, "pooling": "root"}
    config = replace(TINY, boundary=1.0, learn_vectors=True, hidden=12, embedding=8)
    exact = make_model(folder, config, encoder="emb", encoder_options=options)
    export_from(folder / "tiny.work", folder / "whole", precision="int8")
    return sector.load(exact), sector.load(folder / "whole")


def documents(folder: Path) -> list[sector.Document]:
    write_documents(folder / "some.jsonl", 7)
    return datasets.load(folder / "some.jsonl", language="en")


def test_close_to_the_exact_model(both: tuple[Model, Model], tmp_path: Path) -> None:
    exact, whole = both
    for first, second in zip(*(model.read(documents(tmp_path)) for model in (exact, whole)), strict=True):
        for part in PARTS:
            np.testing.assert_allclose(getattr(first, part), getattr(second, part), atol=0.1)


def test_no_bit_depends_on_the_documents_beside(both: tuple[Model, Model], tmp_path: Path) -> None:
    whole, found = both[1], documents(tmp_path)
    loud = sector.Document(" ".join(found[0].sentence_texts) * 5, language="en")
    together = whole.read([*found, loud])
    for document, beside in zip(found, together, strict=False):
        (alone,) = whole.read([document])
        for part in PARTS:
            np.testing.assert_array_equal(getattr(alone, part), getattr(beside, part))
