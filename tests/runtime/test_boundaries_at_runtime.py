"""Boundaries, shared words and learned vectors in the runtime: what torch says, in windows too, and in sections."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sector
from sector import datasets
from sector.network.config import NetworkConfig
from sector.runtime import Model
from sector.segmentation import decode, make, section_means
from sector.training.checkpoint import read_arrays
from sector.training.prepared import PreparedData
from tiny import TINY, make_model, record, write_documents

torch = pytest.importorskip("torch")

from sector.training.config import TrainingConfig  # noqa: E402
from sector.training.predict import read_split  # noqa: E402
from sector.training.trainer import make_reader  # noqa: E402

LONG = "".join(record(number, seed=3)["text"] for number in range(24))
EMB: dict[str, Any] = {"encoder": "emb", "encoder_options": {"dimensions": 12, "workers": 1, "epochs": 1}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("boundary"), replace(TINY, boundary=1.0))


@pytest.fixture(scope="module")
def model(folder: Path) -> Model:
    return sector.load(folder)


def test_joint_is_the_default_and_knows_what_follows_what(model: Model) -> None:
    assert model.config.segmentation["name"] == "joint"
    assert np.shape(model.config.segmentation["transitions"]) == (4, 4)
    document = model.segment(LONG)
    (reading,) = model.read([document])
    method = make("joint", transitions=model.config.segmentation["transitions"])
    found = decode(method, reading)
    begins = document.spans.begin[found.starts].tolist()
    assert [section.begin for section in document.sections] == [0, *begins[1:]]
    means = found.means(lambda rows: section_means(found.starts, rows))
    assert [section.label for section in document.sections] == [model.labels[i] for i in means.argmax(axis=1)]
    np.testing.assert_allclose([section.confidence for section in document.sections], means.max(axis=1), atol=1e-5)
    np.testing.assert_array_equal(document.deviation, method.deviation(reading))


@pytest.mark.parametrize("together", [1, 2])
def test_boundaries_across_windows(model: Model, monkeypatch: pytest.MonkeyPatch, together: int) -> None:
    (whole,) = model.read([sector.Document(LONG, language="en")])
    monkeypatch.setattr("sector.runtime.network.WINDOW", 31)
    monkeypatch.setattr("sector.runtime.network.CONTEXT", 100)
    monkeypatch.setattr("sector.runtime.network.WINDOWS", together)
    (parts,) = model.read([sector.Document(LONG, language="en")])
    assert len(whole) > 4 * 31 and whole.boundary is not None and parts.boundary is not None
    np.testing.assert_allclose(parts.boundary, whole.boundary, atol=1e-3)
    at_edges = slice(31, None, 31)  # where the sentence before is of another window
    np.testing.assert_allclose(parts.boundary[at_edges], whole.boundary[at_edges], atol=1e-3)
    assert make("joint").starts(parts).tolist() == make("joint").starts(whole).tolist()


def test_granularity_gives_more_or_fewer_sections(model: Model) -> None:
    counts = [len(model.segment(LONG, segmentation=make("joint", granularity=g)).sections) for g in (1e-3, 1, 1e3)]
    assert counts == sorted(counts) and counts[0] < counts[-1]


def test_sections_of_joint_can_be_merged_and_kept_short(model: Model) -> None:
    merged = model.segment(LONG, merge=True).sections
    labels = [section.label for section in merged]
    assert all(left != right for left, right in pairwise(labels))
    short = model.segment(LONG, max_chars=80)
    assert max(len(section.text) for section in short.sections) <= 80
    assert "".join(section.text for section in short.sections) == LONG


@pytest.mark.parametrize(
    ("config", "options"),
    [
        (replace(TINY, loss="softmax", boundary=1.0), {"task": "headings"}),
        (replace(TINY, learn_vectors=True, word_dropout=0.2), EMB),
        (replace(TINY, learn_vectors=True, loss="softmax", averaging=0.9), EMB | {"task": "headings", "flags": True}),
    ],
)
def test_runtime_equals_torch(config: TrainingConfig, options: dict[str, Any], tmp_path: Path) -> None:
    write_documents(tmp_path / "train.jsonl", 6)
    path = make_model(tmp_path, replace(config, epochs=2), **options)
    data = PreparedData.load(tmp_path / "tiny.work" / "prepared.npz")
    weights, about = read_arrays(tmp_path / "tiny.work" / "weights.npz")
    tensors = {name: torch.from_numpy(array) for name, array in weights.items()}
    network = NetworkConfig.from_dict(about["network"])
    expected = read_split(network, tensors, make_reader(data, config), data.train, "cpu")
    found = sector.load(path).read(list(datasets.load(tmp_path / "train.jsonl", language="en")))
    for one, other in zip(found, expected, strict=True):
        # Learned vectors are kept in half precision.
        np.testing.assert_allclose(one.probabilities, other.probabilities, atol=2e-3 if config.learn_vectors else 1e-5)
        if network.exclusive:
            np.testing.assert_allclose(one.probabilities.sum(axis=1), 1, atol=1e-4)
