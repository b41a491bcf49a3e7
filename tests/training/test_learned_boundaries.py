"""The boundary layer learns: targets by hand, a handful of documents by heart, transitions and weights."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from synthetic import offsets, prepared, split

from sector import encoders
from sector.document import Document, Section
from sector.evaluation.boundaries import boundary_counts
from sector.segmentation import Joint
from sector.tasks import TaskName
from sector.training.config import TrainingConfig
from sector.training.predict import read_split
from sector.training.prepare import TaskOptions, number_tokens, prepare
from sector.training.prepared import PreparedData, SplitData
from sector.training.sequences import joint_options, label_transitions
from sector.training.targets import TargetTable
from sector.training.trainer import Trainer, make_reader

CPU = torch.device("cpu")
SMALL = TrainingConfig(hidden=24, embedding=12, epochs=40, learning_rate=1e-2, warmup=5, batch=4, dropout=0.0)


def sections(rows: list[int], labels: list[list[int]], documents: list[int]) -> SplitData:
    """Make a split by hand: a section per sentence, labels per section, sentences per document."""
    flat = [label for row in labels for label in row]
    return replace(
        split(1),
        word_offsets=offsets([0] * len(rows)),
        document_offsets=offsets(documents),
        sections=np.array(rows),
        labels=np.array(flat, np.int64),
        label_offsets=offsets([len(row) for row in labels]),
    )


def test_boundaries_by_hand() -> None:
    data = sections([0, 0, 1, 2, 2, 3], [[1], [1], [2, 0], [0, 2]], [5, 1])
    found = TargetTable(data, 3, CPU).boundaries(np.arange(6)).tolist()
    #        first   -       same label  other   -       other order of the same labels
    assert found == [[1, 1], [0, 0], [0, 1], [1, 1], [0, 0], [0, 1]]


def test_main_sections_take_the_place_of_label_changes() -> None:
    data = sections([0, 0, 1, 2, 2, 3], [[1], [1, 2], [0], [2]], [5, 1])
    marked = replace(data, mains=np.array([1, 0, 1, 1], np.uint8))
    found = TargetTable(marked, 3, CPU).boundaries(np.arange(6)).tolist()
    assert found == [[1, 1], [0, 0], [0, 1], [1, 1], [0, 0], [1, 1]]


def test_headings_tell_the_main_sections(tmp_path: Path) -> None:
    text, names = "One. Two. Three. Four.", ("A", "A | B", "A | C", "D")
    parts = [
        Section(begin, end, "x", name) for begin, end, name in zip((0, 5, 10, 17), (5, 10, 17, 22), names, strict=True)
    ]
    splits = {"train": [Document(text, sections=tuple(parts)), Document("Five.")]}
    wanted: dict[TaskName, list[int] | None] = {"headings": [1, 0, 0, 1, 1], "topics": None}
    for task, expected in wanted.items():
        encoder = encoders.make("bloom")
        made = prepare(number_tokens(splits, encoder), encoder, TaskOptions(task, "en"))
        made.save(tmp_path / "prepared.npz")
        for data in (made, PreparedData.load(tmp_path / "prepared.npz")):
            found = data.train.mains
            assert (found if found is None else found.tolist()) == expected


@pytest.mark.parametrize(("balance", "expected"), [(0.0, [1, 1, 1, 1]), (1.0, [2 / 3, 2 / 3, 2 / 3, 2])])
def test_balance_lets_sections_count_alike(balance: float, expected: list[float]) -> None:
    data = sections([0, 0, 0, 1], [[0], [1]], [4])
    weights = TargetTable(data, 3, CPU, balance).weights(np.arange(4)).tolist()
    assert weights == pytest.approx(expected)


def test_unlabelled_text_counts_as_if_it_had_sections() -> None:
    data = sections([0, 0, 1, 1, 2, 2, 2, 2, 2, 2], [[0], [1], []], [4, 6])
    alone = TargetTable(data, 3, CPU, 1.0).weights(np.arange(10))
    assert alone[0] == pytest.approx(3 * float(alone[-1]))
    taught = replace(data, teacher=np.zeros((10, 5), np.uint8))
    assert TargetTable(taught, 3, CPU, 1.0).weights(np.arange(10)).tolist() == pytest.approx([1.0] * 10)


def test_transitions_are_counted_where_the_label_changes() -> None:
    data = sections([0, 1, 1, 2, 3, 4], [[0], [1], [1], [], [2]], [4, 2])
    # Of the first document 0 → 1 (1 → 1 is no change, the section without a label is passed over), of the second none.
    found = label_transitions(data, 3)
    half = 0.5
    expected = [[0, (1 + half) / (1 + 2 * half), half / (1 + 2 * half)], [half, 0, half], [half, half, 0]]
    np.testing.assert_allclose(found, expected)


def test_options_of_joint_are_for_topics() -> None:
    table = joint_options(prepared())["transitions"]
    assert np.shape(table) == (3, 3)
    assert [row[i] for i, row in enumerate(table)] == [0, 0, 0]
    np.testing.assert_allclose(np.sum(table, axis=1), 1, atol=1e-3)
    Joint(transitions=table)
    assert joint_options(prepared("headings")) == {}


def test_a_handful_of_documents_shows_where_their_sections_begin() -> None:
    data = prepared()
    data = replace(data, splits={"train": split(24, seed=3)})
    config = replace(SMALL, boundary=1.0)
    trained = Trainer(data, config, "cpu").run()
    readings = read_split(trained.network, trained.weights, make_reader(data, config), data.train, "cpu")
    joint, counts = Joint(**joint_options(data)), np.zeros(3, np.int64)
    for reading, (begin, end) in zip(readings, pairwise(data.train.document_offsets), strict=True):
        marks = np.zeros(len(reading), np.int64)
        marks[joint.starts(reading)] = 1
        counted = boundary_counts(data.train.sections[begin:end], np.cumsum(marks))
        counts += (counted.matches, counted.reference, counted.hypothesis)
    matches, gold, predicted = counts.tolist()
    assert gold > 20
    assert 2 * matches / (gold + predicted) > 0.9


def test_without_its_weight_there_is_no_boundary_layer() -> None:
    data, config = prepared(), replace(SMALL, epochs=1)
    trained = Trainer(data, config, "cpu").run()
    assert trained.network.boundary is False
    assert not any(name.startswith("boundary") for name in trained.weights)
    readings = read_split(trained.network, trained.weights, make_reader(data, config), data.train, "cpu")
    assert readings[0].boundary is None
