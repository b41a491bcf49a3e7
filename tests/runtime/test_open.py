"""Models of open vocabulary: titles from an inventory, words of the section's own, vectors of texts, broken spaces."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import sector
from sector.document import Document
from sector.errors import ConfigError, DataError, ModelError
from sector.runtime import Model
from sector.runtime.keyphrases import KeyPhrases
from sector.segmentation import SectionSpans
from tiny import HELD_OUT
from tiny_open import PHRASES, make_open

GARDEN = (
    "The garden gate squeaks. A garden gate needs oil.\n\n"
    "Bicycle pumps are loud. Two bicycle pumps leak, and one bicycle pump is new.\n"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_open(tmp_path_factory.mktemp("open"))


@pytest.fixture(scope="module")
def model(folder: Path) -> Model:
    return sector.load(folder)


def test_sections_are_titled_from_the_inventory(model: Model) -> None:
    document = model.segment(HELD_OUT)
    assert [section.label for section in document] == ["Signs and symptoms", "Treatment", "Climate"]
    assert "".join(section.text for section in document) == HELD_OUT
    for section in document:
        assert section.label_source == "inventory" and next(iter(section.scores)) == section.label
        assert section.confidence == pytest.approx(section.scores[section.label])
        assert section.embedding is not None and np.linalg.norm(section.embedding) == pytest.approx(1, abs=1e-5)
    assert document.labels == tuple(section.label for section in document)
    assert document.probabilities is not None and document.probabilities.shape == (len(document), 3)
    np.testing.assert_allclose(document.probabilities.sum(axis=1), 1, rtol=1e-5)


def test_a_section_lies_where_its_sentences_do(model: Model) -> None:
    document = model.segment(HELD_OUT)
    (reading,) = model.read([Document(HELD_OUT, language="en")])
    assert reading.vectors is not None and reading.probabilities.shape == (len(document), 0)
    first = reading.vectors[:3].mean(axis=0)
    assert document.sections[0].embedding is not None
    np.testing.assert_allclose(document.sections[0].embedding, first / np.linalg.norm(first), atol=1e-5)


def test_texts_are_embedded_beside_sections(model: Model) -> None:
    rows = model.embed(["Climate", "", "Treatment", "Climate"])
    assert rows.shape == (4, 384) and rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), [1, 0, 1, 1], atol=1e-5)
    np.testing.assert_array_equal(rows[0], rows[3])
    climate = model.segment(HELD_OUT).sections[2].embedding
    assert climate is not None and climate @ rows[0] > climate @ rows[2]
    assert model.embed([]).shape == (0, 384)
    long = model.embed(["Snow falls on the hills. " * 50])
    assert np.linalg.norm(long) == pytest.approx(1, abs=1e-5)
    with pytest.raises(ConfigError, match="list"):
        model.embed("Climate")
    with pytest.raises(DataError, match="int"):
        model.embed([3])  # type: ignore[list-item]


def test_what_no_heading_fits_has_words_of_its_own(tmp_path: Path) -> None:
    model = sector.load(make_open(tmp_path, threshold=0.99))
    document = model.segment(GARDEN, segmentation="newline")
    assert [section.label for section in document] == ["Garden gate", "Bicycle pumps"]
    assert {section.label_source for section in document} == {"keyphrase"}
    (numbers,) = model.segment("0.1 0.2 0.3").sections
    assert numbers.label in PHRASES


def test_a_phrase_of_its_own_ends_as_headings_do() -> None:
    document = Document(
        "Renal function worsened twice. Renal function was watched closely. Nurses slept.", language="en"
    )
    spans = SectionSpans.between([0, len(document.text)], document.spans)
    assert KeyPhrases(document, spans, frozenset({"closely"})).best(0) == "Watched closely"
    assert KeyPhrases(document, spans, frozenset({"function"})).best(0) == "Renal function"
    assert KeyPhrases(document, spans, frozenset({"water"})).best(0) == ""


def test_the_inventory_knows_what_headings_end_with() -> None:
    space = sector.load("en").space
    assert space is not None
    assert {"history", "function", "rights"} <= space.heads and not {"beside", "stayed"} & space.heads


def test_json_says_where_labels_are_from(model: Model) -> None:
    document = model.segment(HELD_OUT)
    record = document.to_dict()["sections"][0]
    assert record["label_source"] == "inventory" and "embedding" not in record
    assert Document.from_json(document.to_json()).sections[0].label_source == "inventory"


def test_empty_texts_and_blanks(model: Model) -> None:
    assert model.segment("").sections == ()
    assert [section.label for section in model.segment(" \n ").sections] == [""]


def test_one_by_one_as_many_together_and_pickled(model: Model) -> None:
    alone = [[(s.end, s.label, s.confidence) for s in model.segment(text)] for text in (HELD_OUT, GARDEN)]
    again = pickle.loads(pickle.dumps(model))
    found = [[(s.end, s.label, s.confidence) for s in document] for document in again.segment_all([HELD_OUT, GARDEN])]
    assert found == alone


def test_merging_and_short_sections(model: Model) -> None:
    document = model.segment(HELD_OUT, segmentation="newline", merge=True)
    assert [section.label for section in document] == ["Signs and symptoms", "Treatment", "Climate"]
    (joined, *_) = model.segment(HELD_OUT, min_chars=200).sections
    assert joined.end - joined.begin >= 200


@pytest.mark.parametrize("name", ["headings.txt", "headings.npy", "scales.npy", "projection.npy", "bias.npy"])
def test_a_broken_space_is_a_model_error(tmp_path: Path, name: str) -> None:
    folder = make_open(tmp_path)
    (tmp_path / "space" / name).write_bytes(b"broken")
    with pytest.raises(ModelError, match=name):
        sector.load(folder)
    (tmp_path / "space" / name).unlink()
    with pytest.raises(ModelError, match=name):
        sector.load(folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"folder": "nowhere"}, "nowhere is missing"),
        ({"folder": ""}, "space"),
        ({"temperature": 0}, "above 0"),
        ({"temperature": "hot"}, "temperature"),
        ({"threshold": None}, "threshold"),
    ],
)
def test_broken_settings_are_a_model_error(tmp_path: Path, change: dict[str, object], message: str) -> None:
    folder = make_open(tmp_path)
    record = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    record["space"] |= change
    (folder / "config.json").write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(ModelError, match=message):
        sector.load(folder)


def test_a_heading_of_the_inventory_is_the_title(model: Model) -> None:
    text = "# Rill\n\nWe went there.\n\n## 3. CLIMATE\n\nIt rains.\n\n## Seen\n\nThe first symptom is often fever.\n"
    _, climate, symptoms = model.segment(text).sections
    assert (climate.label, climate.heading, climate.label_source) == ("Climate", "Rill | 3. CLIMATE", "inventory")
    assert climate.confidence >= 0.5 and climate.scores["Climate"] == pytest.approx(climate.confidence, abs=1e-3)
    assert symptoms.label == model.segment("The first symptom is often fever.").sections[0].label


def test_later_parts_below_a_heading_have_titles_of_their_own(model: Model) -> None:
    document = model.segment(f"# Guide\n\n## Climate\n\n{HELD_OUT}", max_chars=170)
    first, *others = [section for section in document if section.heading == "Guide | Climate"]
    assert first.label == "Climate" and len(others) > 1
    assert "Treatment" in [section.label for section in others]
