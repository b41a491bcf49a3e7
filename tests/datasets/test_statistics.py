"""Tables 1 and 2 of the paper, counted on documents small enough to count by hand."""

from __future__ import annotations

import pytest
from dataset_edges import make_document

from sector.datasets import describe
from sector.datasets.statistics import entropy_of, is_other
from sector.document import Document

DOCUMENTS = [
    make_document(
        [
            ("plant.soil", "Soil", ["One.", "Two."]),
            ("plant.soil", "Soil | Acid", ["Three."]),
            ("plant.other", "Trivia", ["Four."]),
        ]
    ),
    make_document([("plant.water", "soil", ["One."]), ("plant.other", "", ["Two."])]),
    make_document([("plant.other", "Songs", ["One."])]),
]


def test_the_overview_counts_by_hand() -> None:
    found = describe(iter(DOCUMENTS))
    assert (found.documents, found.sentences, found.sections, found.topics) == (3, 7, 6, 3)
    assert found.sentences_per_document == pytest.approx(7 / 3)
    assert found.sections_per_document == 2
    assert found.covered_sections == 0.5
    assert found.covered_headings == 0.5


def test_headings_are_parts_of_paths_regardless_of_case() -> None:
    rows = describe(DOCUMENTS).headings
    assert [(row.rank, row.heading, row.label, row.frequency) for row in rows] == [
        (0, "Soil", "plant.soil", 3),
        (1, "Acid", "plant.soil", 1),
        (2, "Songs", "plant.other", 1),
        (3, "Trivia", "plant.other", 1),
    ]
    assert rows[0].entropy == pytest.approx(entropy_of(2 / 3))


def test_without_labels_there_is_no_coverage() -> None:
    found = describe([Document("Moss.")])
    assert (found.covered_sections, found.covered_headings, found.headings) == (None, None, ())


@pytest.mark.parametrize(
    ("share", "printed"),
    [(0.0, 0.0), (1.0, 0.0), (0.5, 0.69), (1 / 3590, 0.0), (0.061, 0.23), (0.0375, 0.16)],
)
def test_entropy_is_that_of_a_document_having_the_heading(share: float, printed: float) -> None:
    assert round(entropy_of(share), 2) == printed


def test_the_class_of_the_rest_has_a_name_in_each_language() -> None:
    assert all(is_other(label) for label in ("disease.other", "other", "krankheit.sonstiges", "cidade.outro", ""))
    assert not any(is_other(label) for label in ("disease.symptom", "mother", "other.symptom"))


@pytest.mark.parametrize(("rows", "ranks"), [(0, []), (1, [0, 3, 9]), (4, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])])
def test_the_excerpt_has_head_torso_and_tail(rows: int, ranks: list[int]) -> None:
    document = make_document([("", f"H{n}", ["One."]) for n in range(10)])
    assert [row.rank for row in describe([document]).excerpt(rows)] == ranks
