"""Labels of callers: how near one must be is chosen on documents, each with one of its headings held back."""

from __future__ import annotations

from pathlib import Path

import pytest

import sector
from sector.document import Document, Section
from sector.export.given_labels import LEAST, calibrate_given
from sector.export.space import add_space
from sector.runtime.given import Calibration
from tiny import HELD_OUT
from tiny_open import make_open

PARTS = {
    "Symptoms": "The patient has a fever and a rash. Headache and nausea are further symptoms. ",
    "Medical treatment": "Doctors give aspirin and antibiotics. Surgery is a treatment of severe cases. ",
    "Weather": "Rain and snow fall in winter. Summers are hot, with storms in the evening. ",
    "Railways": "Trains run every hour. The station has four platforms and two lines. ",
}


def documents() -> list[Document]:
    """Return documents with the same sections in different orders."""
    found = []
    for turn in range(len(PARTS)):
        names = [*PARTS][turn:] + [*PARTS][:turn]
        text = "".join(PARTS[name] for name in names)
        begins = [text.index(PARTS[name]) for name in names]
        ends = [*begins[1:], len(text)]
        sections = [Section(b, e, heading=name) for b, e, name in zip(begins, ends, names, strict=True)]
        found.append(Document(text, language="en", sections=tuple(sections)))
    return found


@pytest.mark.parametrize("threshold", [0.95, -0.5])
def test_a_wrong_threshold_is_mended(tmp_path: Path, threshold: float) -> None:
    path = make_open(tmp_path)
    add_space(path, "space", given={"threshold": threshold, "window": 0})
    labels = ["symptoms of the disease", "medical treatment", "volcanoes"]
    before = {section.label for section in sector.load(path).segment(HELD_OUT, labels=labels)}
    chosen = calibrate_given(path, documents())
    assert Calibration.of(sector.load(path).config.space) == chosen
    assert 0 < chosen.threshold < 0.6
    after = {section.label for section in sector.load(path).segment(HELD_OUT, labels=labels)}
    assert after >= {"symptoms of the disease", "medical treatment"}
    assert after != before or threshold < 0


def test_documents_with_few_headings_say_nothing(tmp_path: Path) -> None:
    path = make_open(tmp_path)
    few = [Document("One. Two.", sections=tuple(Section(0, 9, heading=name) for name in ("A", "B")[: LEAST - 1]))]
    assert calibrate_given(path, few) == calibrate_given(path, []) == Calibration()
    assert "given" not in sector.load(path).config.space
