"""Evaluating a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from evaluation_cases import LABELS, document, scored

from sector.document import Document
from sector.errors import DataError
from sector.evaluation import evaluate, score

GOLD = [document("xxx yy yyy", id="a"), document("xx", id="b")]
ANSWERS = [
    scored("xxx yyyy x", [0.7, 0.2, 0.1], [0.3, 0.6, 0.1], [0.5, 0.2, 0.3]),
    scored("xx", [0.5, 0.4, 0.1]),
]


class Parrot:
    """A model that knows the answers by heart and remembers what it was asked."""

    labels = LABELS

    def __init__(self, answers: list[Document]) -> None:
        self.answers = answers
        self.seen: list[str | Document] = []
        self.segmentation: Any = "not asked"

    def segment_all(self, documents: Iterable[str | Document], /, *, segmentation: Any = None) -> Iterator[Document]:
        self.segmentation = segmentation
        for text, answer in zip(documents, self.answers, strict=False):
            self.seen.append(text)
            yield answer


def test_same_as_scoring_its_documents() -> None:
    assert evaluate(Parrot(ANSWERS), iter(GOLD), "bemd") == score(GOLD, ANSWERS, segmentation="bemd")


def test_a_model_never_sees_gold_sections() -> None:
    model = Parrot(ANSWERS)
    evaluate(model, GOLD)
    seen = [entry for entry in model.seen if isinstance(entry, Document)]
    assert [entry.id for entry in seen] == ["a", "b"]
    assert [entry.sections for entry in seen] == [(), ()]
    assert [entry.spans for entry in seen] == [entry.spans for entry in GOLD]


def test_segmentation_is_passed_on_and_named() -> None:
    class Custom:
        name = "custom"

    model = Parrot(ANSWERS)
    assert evaluate(model, GOLD).segmentation == "default"
    assert model.segmentation is None
    chosen = Custom()
    assert evaluate(model, GOLD, chosen).segmentation == "custom"
    assert model.segmentation is chosen


def test_the_models_own_segmentation_has_a_name() -> None:
    class Configured(Parrot):
        class config:  # noqa: N801
            segmentation = {"name": "joint"}  # noqa: RUF012

    assert evaluate(Configured(ANSWERS), GOLD).segmentation == "joint"


def test_task_of_the_model() -> None:
    class Headings(Parrot):
        task = "headings"

    report = evaluate(Headings(ANSWERS), GOLD, relevant=lambda section: [section.label])
    assert report.task == "headings"
    assert report.f1 is None
    assert report.p1 == 4 / 5


def test_the_model_reads_what_the_protocol_leaves() -> None:
    long = document("x" * 160 + " yy")
    model = Parrot([document("x" * 150)])
    assert evaluate(model, [long], protocol="transformer2").f1 == 1
    assert isinstance(model.seen[0], Document)
    assert len(model.seen[0].spans) == 150


def test_predictions_can_be_watched() -> None:
    passed = []

    def watch(documents: Iterator[Document]) -> Iterator[Document]:
        for entry in documents:
            passed.append(entry)
            yield entry

    evaluate(Parrot(ANSWERS), GOLD, watch=watch)
    assert passed == ANSWERS


def test_a_model_that_stops_early() -> None:
    with pytest.raises(DataError, match="only 1 predictions"):
        evaluate(Parrot(ANSWERS[:1]), GOLD)
