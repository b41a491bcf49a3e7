"""The classifier among scikit-learn's tools: clone, cross-validation, grid search, scorers, pickles."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sector
from sector.document import Document, Section
from sector.errors import ConfigError, DataError
from tiny import HELD_OUT, HELD_OUT_LABELS, LABELS, record

pytest.importorskip("sklearn", reason="scikit-learn is not installed")
pytest.importorskip("torch", reason="torch is not installed")

from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score

from sector.integrations.sklearn import SectorClassifier

pytestmark = pytest.mark.usefixtures("offline")

SMALL: dict[str, Any] = {
    "encoder": "bloom",
    "hidden": 32,
    "embedding": 16,
    "epochs": 12,
    "batch": 4,
    "learning_rate": 1e-2,
    "dropout": 0.2,
    "options": {"warmup": 5},
}


def gold(number: int) -> Document:
    made = record(number)
    spans = [(each["begin"], each["end"], each["label"]) for each in made["sections"]]
    sections = tuple(Section(begin, end, label, source=made["text"]) for begin, end, label in spans)
    return Document(made["text"], id=made["id"], sections=sections)


DOCUMENTS = [gold(number) for number in range(24)]
HELD_BACK = [gold(number) for number in range(100, 108)]
PARTS = [(section.text, section.label) for document in DOCUMENTS for section in document.sections]


@pytest.fixture(scope="module")
def fitted() -> SectorClassifier:
    return SectorClassifier(**SMALL).fit(DOCUMENTS)


@pytest.fixture(scope="module")
def of_texts() -> SectorClassifier:
    return SectorClassifier(**SMALL).fit(*zip(*PARTS[:40], strict=True))


def test_documents_are_learned(fitted: SectorClassifier) -> None:
    (document,) = fitted.predict([HELD_OUT])
    assert tuple(section.label for section in document) == HELD_OUT_LABELS
    assert "".join(section.text for section in document) == HELD_OUT
    assert fitted.classes_.tolist() == sorted(LABELS)
    assert fitted.score(HELD_BACK) > 0.9
    assert (fitted.evaluate(HELD_BACK, protocol="sections").start_f1 or 0) > 0.9
    assert len(fitted.segment([HELD_OUT], max_chars=100)[0].sections) > 3


def test_the_encoder_is_a_pretrained_one_where_there_is_one_for_the_language() -> None:
    settings = SMALL | {"encoder": "auto"}
    encoders = [SectorClassifier(**settings, language=language).fit(DOCUMENTS[:8]) for language in ("", "de")]
    assert [fitted.model_.config.encoder["name"] for fitted in encoders] == ["transformer", "bloom"]
    assert encoders[0].score(HELD_BACK) > 0.7


def test_texts_with_one_label_are_learned(of_texts: SectorClassifier) -> None:
    texts = ["The town was founded by monks.", "", "Winters bring hail."]
    assert of_texts.predict(texts[::2]).tolist() == ["history", "climate"]
    shares = of_texts.predict_proba(texts)
    assert np.allclose(shares.sum(axis=1), 1, atol=1e-3)
    assert np.allclose(shares[1], 0.25)
    assert of_texts.score(["Winters bring hail.", "Winters bring hail."], ["climate", "history"]) == 0.5
    assert of_texts.predict([]).shape == (0,)


def test_it_is_one_of_scikit_learns_classifiers() -> None:
    classifier = SectorClassifier(**SMALL)
    assert is_classifier(classifier)
    copied = clone(classifier.set_params(hidden=8))
    assert (copied.hidden, copied.get_params()) == (8, classifier.get_params())
    with pytest.raises(NotFittedError):
        classifier.predict([HELD_OUT])


def test_grid_search_over_documents() -> None:
    search = GridSearchCV(SectorClassifier(**SMALL), {"epochs": [1, 12]}, cv=2).fit(DOCUMENTS[:12])
    assert search.best_params_ == {"epochs": 12}
    assert search.best_estimator_.score(HELD_BACK) > 0.8


def test_cross_validation() -> None:
    texts, labels = zip(*PARTS[:32], strict=True)
    assert cross_val_score(SectorClassifier(**SMALL), texts, labels, cv=2, scoring="f1_macro").min() > 0.8
    quick = SectorClassifier(**SMALL | {"epochs": 1})
    predicted = cross_val_predict(quick, DOCUMENTS[:6], cv=2)
    assert [document.text for document in predicted] == [document.text for document in DOCUMENTS[:6]]


def test_a_fit_is_repeated_exactly_and_kept(fitted: SectorClassifier, tmp_path: Path) -> None:
    again = pickle.loads(pickle.dumps(fitted))
    expected = fitted.predict([HELD_OUT])[0].to_json()
    assert again.predict([HELD_OUT])[0].to_json() == expected
    assert clone(fitted).fit(DOCUMENTS).predict([HELD_OUT])[0].to_json() == expected
    fitted.save(tmp_path / "mine")
    kept = sector.load(tmp_path / "mine").segment(HELD_OUT)
    assert [section.confidence for section in kept] == [section.confidence for section in fitted.predict([HELD_OUT])[0]]
    with pytest.raises(ConfigError, match="exists and is not a model folder"):
        fitted.save(tmp_path)


def test_what_cannot_be_learned_is_named(fitted: SectorClassifier) -> None:
    classifier = SectorClassifier(**SMALL)
    with pytest.raises(DataError, match="No document has a section with a label"):
        classifier.fit([Document("One.")])
    with pytest.raises(DataError, match="No document has a section with a label"):
        classifier.fit(["", " "], ["a", "b"])
    with pytest.raises(ConfigError, match="There are 1 texts and 2 labels"):
        classifier.fit(["One."], ["a", "b"])
    with pytest.raises(ConfigError, match="A list of texts or documents is expected"):
        fitted.predict(HELD_OUT)
    with pytest.raises(DataError, match="record 1: A text or a Document is expected, not int"):
        fitted.predict([HELD_OUT, 7])  # type: ignore[list-item]
    with pytest.raises(ConfigError, match="'hidden' must be a whole number"):
        SectorClassifier(hidden=0).fit(DOCUMENTS)
    with pytest.raises(ConfigError, match="'validation_fraction' is 2"):
        SectorClassifier(validation_fraction=2).fit(DOCUMENTS)
