"""The neural baselines, small, on the CPU: they learn, are kept, and are trained elsewhere in the same way."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from documents import BAD
from numpy.typing import NDArray

from sector.baselines import Material, Task
from sector.baselines.neural.data import boundaries, load_prepared, main_boundaries
from sector.baselines.words import content_words
from sector.datasets import load
from sector.document import Document
from sector.encoders.vectors import WordVectors
from sector.errors import ModelError
from sector.evaluation import evaluate
from sector.segmentation import make
from sector.training.prepared import SplitData
from tiny import FILLINGS, PATTERNS, write_documents

torch = pytest.importorskip("torch")

from sector.baselines.cnn import SentenceCNN  # noqa: E402
from sector.baselines.s_lstm import SegmentPoolingLSTM  # noqa: E402
from sector.baselines.textseg import TextSeg  # noqa: E402
from sector.baselines.train import main as train_elsewhere  # noqa: E402
from sector.training.checkpoint import read_arrays  # noqa: E402
from sector.training.loop import TrainingLoop  # noqa: E402

SYSTEMS: dict[str, Any] = {
    "textseg": lambda **o: TextSeg(hidden=24, layers=1, epochs=20, batch=4, learning_rate=1e-2, **o),
    "cnn": lambda **o: SentenceCNN(maps=8, epochs=5, batch=32, learning_rate=1e-2, **o),
    "s-lstm": lambda **o: SegmentPoolingLSTM(hidden=24, epochs=8, batch=4, learning_rate=1e-2, **o),
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write documents of four topics, and vectors in which the words of a topic are close."""
    folder = tmp_path_factory.mktemp("data")
    for name, count, seed in (("train", 40, 7), ("validation", 12, 8), ("test", 12, 9)):
        write_documents(folder / f"{name}.jsonl", count, seed)
    random = np.random.default_rng(1)
    rows: dict[str, NDArray[np.float64]] = {}
    for topic, label in enumerate(PATTERNS):
        for text in (*PATTERNS[label], *FILLINGS[label]):
            for word in content_words(text.replace("{0}", "").replace("{1}", ""), "en"):
                rows.setdefault(word, np.eye(4, 16)[topic] + 0.1 * random.standard_normal(16))
    WordVectors(list(rows), np.array(list(rows.values()), np.float32)).save(folder)
    return folder


@pytest.fixture
def material(data: Path) -> Material:
    return Material(data / "train.jsonl", data / "validation.jsonl", "en")


@pytest.fixture
def task(data: Path) -> Task:
    return Task(language="en", vectors=data, device="cpu", min_count=1)


@pytest.mark.parametrize("name", SYSTEMS)
def test_learns_and_bad_input_gives_one_section(
    name: str, data: Path, material: Material, task: Task, tmp_path: Path
) -> None:
    system = SYSTEMS[name]()
    system.fit(material, task, tmp_path / name)
    gold = load(data / "test.jsonl", language="en")
    reports = [evaluate(system, gold, segmentation or None) for segmentation in system.segmentations]
    assert reports[0].pk < 0.3
    assert name == "textseg" or (reports[0].f1 or 0) > 0.8
    for title, text in BAD.items():
        (found,) = system.segment_all([text])
        assert found.is_covered() if text else not found.sections, title
        assert title in ("two sentences", "signs only") or len(found.sections) <= 1, title


def test_trained_elsewhere_is_the_same(data: Path, material: Material, task: Task, tmp_path: Path) -> None:
    system = SYSTEMS["cnn"]()
    system.prepare(material, task, tmp_path / "cnn")
    assert train_elsewhere([str(tmp_path), "--device", "cpu"]) == 0
    written = (tmp_path / "cnn" / "weights.npz").stat().st_mtime_ns
    assert train_elsewhere([str(tmp_path), "--device", "cpu"]) == 0, "what is trained is left alone"
    system.fit(material, task, tmp_path / "cnn")
    assert (tmp_path / "cnn" / "weights.npz").stat().st_mtime_ns == written
    here = SYSTEMS["cnn"]()
    here.fit(material, task, tmp_path / "other" / "cnn")
    (document,) = load(data / "test.jsonl", language="en")[:1]
    assert system.read(document).probabilities == pytest.approx(here.read(document).probabilities, abs=1e-4)


def test_s_lstm_reads_log_odds_of_both_boundaries(data: Path, material: Material, task: Task, tmp_path: Path) -> None:
    system = SYSTEMS["s-lstm"]()
    system.fit(material, task, tmp_path / "s-lstm")
    (document,) = load(data / "test.jsonl", language="en")[:1]
    reading = system.read(document)
    assert reading.boundary.shape == (len(document), 2)
    assert reading.boundary.min() < 0 < reading.boundary.max()
    (found,) = system.segment_all([document])
    begins = [document.sentences[start].begin for start in make("joint").starts(reading)]
    assert set(begins[1:]) & {section.begin for section in found.sections[1:]}
    assert system.read(Document("Zzz qqq. Xxx yyy.")).boundary.shape == (2, 2)


@pytest.mark.parametrize("name", ["textseg", "s-lstm"])
def test_a_killed_training_goes_on_to_the_same_bytes(
    name: str, material: Material, task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("whole", "halved"):
        SYSTEMS[name]().prepare(material, task, tmp_path / folder / name)
    SYSTEMS[name]().train(tmp_path / "whole" / "words", tmp_path / "whole" / name, "cpu")
    epoch = TrainingLoop._epoch

    def killed(loop: Any, number: int) -> dict[str, float]:
        if number == 3:
            raise KeyboardInterrupt
        return epoch(loop, number)

    monkeypatch.setattr(TrainingLoop, "_epoch", killed)
    with pytest.raises(KeyboardInterrupt):
        SYSTEMS[name]().train(tmp_path / "halved" / "words", tmp_path / "halved" / name, "cpu")
    monkeypatch.setattr(TrainingLoop, "_epoch", epoch)
    torch.rand(7)
    SYSTEMS[name]().train(tmp_path / "halved" / "words", tmp_path / "halved" / name, "cpu")
    first, second = (read_arrays(tmp_path / folder / name / "weights.npz") for folder in ("whole", "halved"))
    assert all(np.array_equal(value, second[0][key]) for key, value in first[0].items())
    assert first[1]["settings"] == second[1]["settings"]


def test_other_options_train_again(material: Material, task: Task, tmp_path: Path) -> None:
    SYSTEMS["cnn"]().prepare(material, task, tmp_path / "cnn")
    (tmp_path / "cnn" / "weights.npz").write_bytes(b"old")
    SYSTEMS["cnn"](dropout=0.1).prepare(material, task, tmp_path / "cnn")
    assert not (tmp_path / "cnn" / "weights.npz").exists()
    assert json.loads((tmp_path / "cnn" / "job.json").read_text())["options"]["dropout"] == 0.1


def test_broken_weights_are_named(material: Material, task: Task, tmp_path: Path) -> None:
    system = SYSTEMS["cnn"]()
    system.prepare(material, task, tmp_path / "cnn")
    (tmp_path / "cnn" / "weights.npz").write_bytes(b"broken")
    with pytest.raises(ModelError, match=r"weights\.npz"):
        system.fit(material, task, tmp_path / "cnn")


def test_headings(data: Path, material: Material, tmp_path: Path) -> None:
    task = Task("headings", "en", 1, 1, data, "cpu")
    system = SYSTEMS["s-lstm"]()
    system.fit(material, task, tmp_path / "s-lstm")
    (found,) = system.segment_all([load(data / "test.jsonl", language="en")[0]])
    assert "symptoms" in system.labels and found.sections[0].label


def test_prepared_data_holds_no_text(material: Material, task: Task, tmp_path: Path) -> None:
    place = SYSTEMS["cnn"]().prepare(material, task, tmp_path / "cnn").parent
    prepared = load_prepared(place)
    assert set(prepared.splits) == {"train", "validation"}
    assert prepared.features.dense is not None and np.abs(prepared.features.dense).max() <= 127


def test_boundaries_are_where_labels_change() -> None:
    split = SplitData(
        words=np.zeros(0, np.uint32),
        word_offsets=np.zeros(8, np.int64),
        document_offsets=np.array([0, 5, 7]),
        sections=np.array([0, 0, 1, 2, 3, 4, 5]),
        labels=np.array([1, 1, 2, 2]),
        label_offsets=np.array([0, 1, 2, 3, 3, 4, 4]),
        flags=np.zeros((7, 0), np.uint8),
    )
    assert boundaries(split).tolist() == [False, False, False, True, True, False, True]
    assert main_boundaries(split) is boundaries(split)
    paths = replace(split, mains=np.array([1, 0, 1, 0, 1, 1], np.uint8))
    assert main_boundaries(paths).tolist() == [False, False, False, True, False, False, True]
