"""What is drawn of a document, as numbers: rows, values, curves, boundaries and gold sections."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sector
from sector import datasets
from sector.document import Document, Section
from sector.errors import ConfigError
from sector.figures import gold_sections, panel_of, read_panels
from sector.figures.panel import merged
from sector.runtime import Model
from tiny import HELD_OUT, HELD_OUT_LABELS, LABELS
from tiny_open import make_open

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def model(tiny_model: Path) -> Model:
    return sector.load(tiny_model)


@pytest.fixture(scope="module")
def open_model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    return sector.load(make_open(tmp_path_factory.mktemp("open")))


def test_a_panel_shows_the_labels_of_sections_first_with_what_the_model_says(model: Model) -> None:
    (panel,) = read_panels(model, Document(HELD_OUT), ["newline"], merge=True)
    assert [section.label for section in panel.document.sections] == list(HELD_OUT_LABELS)
    assert panel.rows[:3] == HELD_OUT_LABELS and set(panel.rows) == set(LABELS)
    assert panel.document.probabilities is not None and panel.values is not None
    for row, label in enumerate(panel.rows):
        column = panel.document.labels.index(label)
        np.testing.assert_array_equal(panel.values[:, row], panel.document.probabilities[:, column])
    assert panel.title == f"{model.name}, newline" and panel.unit == "probability"
    assert panel.starts.tolist() == [0, 3, 6]
    assert [panel.row_of(section) for section in panel.document.sections] == [0, 1, 2]


def test_fewer_rows_keep_those_of_sections(model: Model) -> None:
    (panel,) = read_panels(model, Document(HELD_OUT), ["newline"], rows=2)
    assert panel.rows == HELD_OUT_LABELS[:2] and panel.values is not None and panel.values.shape == (9, 2)
    assert panel.row_of(panel.document.sections[-1]) is None


def test_a_part_has_the_rows_of_its_own_sections(model: Model) -> None:
    (panel,) = read_panels(model, Document(HELD_OUT), ["newline"], rows=1)
    later = panel.part(3, 6)
    assert (panel.rows, later.rows) == (HELD_OUT_LABELS[:1], HELD_OUT_LABELS[1:2])
    assert later.values is not None and panel.document.probabilities is not None
    column = panel.document.labels.index(HELD_OUT_LABELS[1])
    np.testing.assert_array_equal(later.values[:, 0], panel.document.probabilities[:, column])
    assert panel.part(0, len(panel.document)) is panel


def test_a_part_of_an_open_vocabulary_has_its_own_titles(open_model: Model) -> None:
    (panel,) = read_panels(open_model, Document(HELD_OUT), rows=1)
    assert panel.rows == ("Signs and symptoms",)
    assert panel.part(6, 9).rows == ("Climate",)


def test_each_segmentation_is_a_panel_with_the_curve_it_looked_at(model: Model) -> None:
    panels = list(read_panels(model, Document(HELD_OUT), ["newline", "emd", "bemd"]))
    chosen = [[curve.name for curve in panel.curves if curve.chosen] for panel in panels]
    assert chosen == [[], ["deviation emd"], ["deviation bemd"]]
    for panel in panels:
        assert {"deviation emd", "deviation bemd"} <= {curve.name for curve in panel.curves}
        np.testing.assert_array_equal(panel.curves[0].values, panels[1].document.deviation)
    with pytest.raises(ConfigError, match="boundary layer"):
        list(read_panels(model, Document(HELD_OUT), ["joint"]))


def test_open_vocabulary_shows_how_near_sentences_lie_to_the_titles(open_model: Model) -> None:
    (panel,) = read_panels(open_model, Document(HELD_OUT))
    assert panel.rows == ("Signs and symptoms", "Treatment", "Climate") and panel.unit == "similarity"
    assert panel.values is not None and panel.values.shape == (len(panel.document), 3)
    assert panel.values.min() >= 0 and panel.values.max() <= 1
    edges = [*panel.starts.tolist(), len(panel.document)]
    means = [panel.values[edges[i] : edges[i + 1]].mean(axis=0) for i in range(3)]
    assert [int(row.argmax()) for row in means] == [0, 1, 2]
    assert "learned boundary probability" in [curve.name for curve in panel.curves if curve.chosen]


def test_labels_of_the_callers_are_rows(open_model: Model) -> None:
    (panel,) = read_panels(open_model, Document(HELD_OUT), labels="weather, drugs")
    assert set(panel.rows) == {"weather", "drugs", "other"} and panel.unit == "probability"


def test_gold_is_the_sections_of_a_data_set_or_the_authors_headings() -> None:
    text = "# Pump\n\nIt hums.\n\n## Start\n\nTurn it on.\n\n## Stop\n\nTurn it off.\n"
    document = sector.read(text.encode(), format="markdown")
    gold = gold_sections(replace(document, headings="ignore"))
    assert [section.heading for section in gold] == ["Pump", "Pump | Start", "Pump | Stop"]
    assert [text[section.begin :].split("\n")[0] for section in gold] == ["# Pump", "## Start", "## Stop"]
    given = (Section(0, 5, "a"), Section(5, 9, "b"))
    assert gold_sections(Document("aaaa bbbb", sections=given)) == given
    assert gold_sections(Document("No headings here.")) == ()


def test_neighbours_of_one_name_are_merged() -> None:
    sections = [Section(i, i + 1, label) for i, label in enumerate("aabba")]
    assert [section.begin for section in merged(sections)] == [0, 2, 4]


def test_names_are_drawn_without_what_all_of_them_share(model: Model) -> None:
    (panel,) = read_panels(model, Document(HELD_OUT))
    document = replace(panel.document, labels=tuple(f"disease.{label}_x" for label in panel.document.labels))
    assert panel_of(document).readable("disease.symptom_x") == "symptom x"
    assert panel.readable("symptom") == "symptom"
    gold = [Section(0, 1, "city.climate"), Section(1, 2, "city.history")]
    assert panel_of(panel.document, gold=gold).shown(gold[1]) == "history"


def test_the_documents_of_other_systems_have_panels_too() -> None:
    text = "One here. Two here. Three here."
    document = Document(text, sections=(Section(0, 10, source=text), Section(10, 31, source=text)), model="c99")
    panel = panel_of(document)
    assert (panel.title, panel.rows, panel.values, panel.curves) == ("c99", (), None, ())
    assert panel.starts.tolist() == [0, 1]


def test_the_annotated_example_is_the_plain_one_with_gold_sections() -> None:
    (document,) = datasets.load(EXAMPLES / "migraine.jsonl")
    assert document.text == (EXAMPLES / "migraine.txt").read_text(encoding="utf-8")
    assert document.is_covered() and len(gold_sections(document)) == 9
