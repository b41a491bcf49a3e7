"""Labels of the caller's: names, descriptions, examples; what none fits is "other"; clear errors."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sector
from sector.document import Document
from sector.errors import ConfigError
from sector.runtime import Model
from tiny import HELD_OUT
from tiny_open import PHRASES, make_open

EXAMPLES = {
    "illness": ["The patient has a fever and a rash.", "Headache is the first symptom."],
    "therapy": ["Give aspirin and rest. Antibiotics may help."],
    "weather": ["Snow and hail fall in winter."],
}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    return sector.load(make_open(tmp_path_factory.mktemp("given")))


def labels_of(document: Document) -> list[str]:
    return [section.label for section in document]


def test_sections_get_the_given_names(model: Model) -> None:
    document = model.segment(HELD_OUT, labels=["symptoms of the disease", "medical treatment", "weather"])
    assert labels_of(document) == ["symptoms of the disease", "medical treatment", "weather"]
    assert document.labels == ("symptoms of the disease", "medical treatment", "weather", "other")
    for section in document:
        assert section.label_source == "given" and sum(section.scores.values()) == pytest.approx(1, abs=1e-3)
        assert section.embedding is not None and section.embedding.shape == (384,)
    assert document.probabilities is not None and document.probabilities.shape == (len(document), 4)


@pytest.mark.parametrize("labels", ["weather, medical treatment", ("weather", "medical treatment", "weather")])
def test_a_list_may_be_text_and_have_doubles(model: Model, labels: Any) -> None:
    assert model.with_labels(labels).labels == ("weather", "medical treatment", "other")


def test_a_name_in_another_form_is_the_heading(model: Model) -> None:
    assert model.space is not None
    rows, other = model.space.named(["right of Tenants", "treatments", "early-life and education"]), PHRASES
    assert np.einsum("ij,ij->i", rows, rows) == pytest.approx(1, abs=1e-5)
    places = [other.index(phrase) for phrase in ("Rights of tenants", "Treatment", "Early life and education")]
    assert (rows @ model.space.vectors.T).argmax(axis=1).tolist() == places
    plain = model.space.embed(["treatments"])[0] @ model.space.vectors[places[1]]
    assert float(rows[1] @ model.space.vectors[places[1]]) > float(plain)


def test_descriptions_say_what_a_name_does_not(model: Model) -> None:
    described = {
        "A": "fever, rash and other symptoms of an illness",
        "B": "drugs and surgery",
        "C": "rain, snow, frost",
    }
    assert labels_of(model.segment(HELD_OUT, labels=described)) == ["A", "B", "C"]


@pytest.mark.parametrize("examples", [EXAMPLES, [(text, name) for name, texts in EXAMPLES.items() for text in texts]])
def test_examples_suffice(model: Model, examples: Any) -> None:
    assert labels_of(model.segment(HELD_OUT, examples=examples)) == ["illness", "therapy", "weather"]


def test_what_none_fits_is_other(model: Model) -> None:
    document = model.segment(HELD_OUT, labels=["weather"])
    assert labels_of(document)[-1] == "weather" and "other" in labels_of(document)[:-1]


def test_all_ways_lead_to_the_same_sections(model: Model) -> None:
    labels = ["symptoms", "weather"]
    expected = [(s.begin, s.label, s.confidence) for s in model.segment(HELD_OUT, labels=labels)]
    (streamed,) = model.segment_all([HELD_OUT], labels=labels)
    (reading,) = model.read([streamed])
    decoded = model.decode(streamed, reading, labels=labels)
    pickled = pickle.loads(pickle.dumps(model.with_labels(labels))).segment(HELD_OUT)
    again = model.with_labels(["nothing of the kind"]).segment(HELD_OUT, labels=labels)
    for document in (streamed, decoded, pickled, again):
        assert [(s.begin, s.label, s.confidence) for s in document] == expected
    assert model.labels == () and model.task == "open"


def test_labels_do_not_depend_on_one_another(model: Model) -> None:
    one, two = model.with_labels(["weather"]), model.with_labels(["symptoms", "weather"])
    first = one.segment(HELD_OUT).embeddings
    second = two.segment(HELD_OUT).embeddings
    assert first is not None and second is not None
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize(
    ("labels", "examples", "message"),
    [
        ([], None, "No label"),
        (["other"], None, "No label"),
        ("", None, "No label"),
        (None, {}, "No label"),
        ([""], None, "cannot be used"),
        ([3], None, "cannot be used"),
        ({"a": 3}, None, "cannot be used"),
        (7, None, "list of names"),
        ([str(number) for number in range(501)], None, "at most 500"),
        (["a"], {"b": ["text"]}, "not among the labels"),
        (["a"], {"a": [""]}, "cannot be used"),
        (["a"], {"a": [3]}, "cannot be used"),
        (["a"], {"a": 3}, "texts"),
        (["a"], ["text"], "pair"),
        (["a"], [3], "pair"),
        (["a"], 3, "pair"),
    ],
)
def test_what_cannot_be_used_is_a_config_error(model: Model, labels: Any, examples: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        model.segment(HELD_OUT, labels=labels, examples=examples)


def test_empty_and_blank_texts(model: Model) -> None:
    assert model.segment("", labels=["weather"]).sections == ()
    assert labels_of(model.segment("  ", labels=["weather"])) == [""]


def test_a_model_of_topics_says_that_it_cannot(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sector.runtime.installed.DEFAULTS", ("en_disease",))
    with pytest.raises(ConfigError, match="open vocabulary; neither tiny nor en_disease"):
        sector.load(tiny_model).segment(HELD_OUT, labels=["weather"])


def test_a_model_of_topics_leaves_it_to_the_default(
    tiny_model: Path, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sector.runtime.model.default_model", lambda: str(model.folder.path))
    document = sector.load(tiny_model).segment(HELD_OUT, labels=["symptoms", "weather"])
    assert document.model == "open" and document.sections[-1].label == "weather"


def test_the_authors_headings_are_heard(model: Model) -> None:
    text = "# Guide\n\nRead this first.\n\n## 1. Weather\n\nIt is what it is.\n\n## 2. Medical treatment\n\nSo be it.\n"
    labelled = model.with_labels(["weather", "medical treatment"])
    for chosen in (labelled, pickle.loads(pickle.dumps(labelled))):
        *_, weather, treatment = chosen.segment(text).sections
        assert (weather.label, treatment.label) == ("weather", "medical treatment")
        assert sum(weather.scores.values()) == pytest.approx(1, abs=1e-3)
    ignored = labelled.segment(text, headings="ignore").sections[-1]
    assert ignored.confidence < treatment.confidence
