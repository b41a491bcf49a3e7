"""A model learns what its domain is, says so of every section, and keeps it when it is exported."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import numpy as np
import pytest

import sector
from sector.document import Document
from sector.errors import ConfigError, DataError, ModelError
from sector.export.domain import FILES, add_domain, learn_domain
from sector.export.training_run import export_from
from sector.output.html import HtmlFormat
from sector.output.text import TextFormat
from sector.runtime.folder import ModelFolder
from tiny import HELD_OUT, record, write_documents

NUMBERS = " ".join(f"{random.Random(3).random() * number:.4f}" for number in range(200))
CHINESE = "港口结冰了渡轮停在岸边人们等待春天" * 20


@pytest.fixture(scope="module")
def folder(tiny_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the tiny model and teach it."""
    copy = tmp_path_factory.mktemp("domain") / "tiny"
    shutil.copytree(tiny_model, copy)
    add_domain(copy, (Document(record(number)["text"], language="en") for number in range(90)))
    return copy


def test_known_sections_are_in_the_domain_and_noise_is_not(folder: Path) -> None:
    model = sector.load(folder)
    known = [share(section) for n in range(200, 220) for section in model.segment(record(n)["text"])]
    assert np.median(known) > 0.9
    for text in (NUMBERS, CHINESE):
        assert max(map(share, model.segment(text))) < 0.1


def share(section: sector.Section) -> float:
    assert section.in_domain is not None
    return section.in_domain


def test_confidences_fall_with_it_and_nothing_else_changes(folder: Path, tiny_model: Path) -> None:
    for text in (HELD_OUT, NUMBERS):
        before, after = sector.load(tiny_model).segment(text), sector.load(folder).segment(text)
        assert [section.in_domain for section in before] == [None] * len(before.sections)
        for old, new in zip(before, after, strict=True):
            assert (old.begin, old.end, old.label) == (new.begin, new.end, new.label)
            assert new.confidence == pytest.approx(old.confidence * share(new), rel=1e-5)
            assert new.scores[new.label] == pytest.approx(new.confidence, rel=1e-3)


def test_a_section_counts_alone(folder: Path) -> None:
    model = sector.load(folder)
    alone = [[share(section) for section in model.segment(text)] for text in (HELD_OUT, NUMBERS, CHINESE)]
    together = [[share(section) for section in one] for one in model.segment_all([HELD_OUT, NUMBERS, CHINESE])]
    assert alone == together
    assert model.segment("").sections == ()
    assert [section.in_domain for section in model.segment(" \n ")] in ([None], [1.0])


def test_it_is_shown(folder: Path) -> None:
    found = sector.load(folder).segment(NUMBERS)
    assert json.loads(found.to_json())["sections"][0]["in_domain"] == round(share(found.sections[0]), 4)
    assert Document.from_json(found.to_json()).sections[0].in_domain == pytest.approx(
        share(found.sections[0]), abs=1e-4
    )
    assert "unfamiliar" in TextFormat().render(found) and "unfamiliar" in HtmlFormat().render(found)
    assert "unfamiliar" not in TextFormat().render(sector.load(folder).segment(record(300)["text"]))
    assert "in-domain score" in ModelFolder(folder).card()


def test_an_exported_model_keeps_it(folder: Path, tmp_path: Path) -> None:
    export_from(folder, tmp_path / "copy")
    one, other = (sector.load(path).segment(HELD_OUT) for path in (folder, tmp_path / "copy"))
    assert [share(section) for section in one] == [share(section) for section in other]
    assert sum((folder / name).stat().st_size for name in FILES) < 100_000


def test_files_are_checked(folder: Path, tmp_path: Path) -> None:
    for name in FILES:
        broken = tmp_path / name.removesuffix(".npy")
        shutil.copytree(folder, broken)
        (broken / name).write_bytes(b"no array")
        with pytest.raises(ModelError, match=name):
            sector.load(broken)


def test_others_are_told_apart(tiny_model: Path, tmp_path: Path) -> None:
    copy = tmp_path / "tiny"
    shutil.copytree(tiny_model, copy)
    texts = [record(number)["text"] for number in range(90)]
    reversed_words = [" ".join(word[::-1] for word in text.split()) for text in texts]
    found = add_domain(copy, map(Document, texts), None, {"reversed": map(Document, reversed_words)})
    assert found["held out"] > 0.9 > 0.1 > found["reversed"]
    with pytest.raises(ConfigError, match="at most 4"):
        add_domain(copy, [], None, {str(number): [] for number in range(5)})


def test_few_documents_are_an_error(tiny_model: Path, tmp_path: Path) -> None:
    shutil.copytree(tiny_model, tmp_path / "tiny")
    with pytest.raises(DataError, match="50 are needed"):
        learn_domain(tmp_path / "tiny", write_documents(tmp_path / "few.jsonl", 3))
    assert ModelFolder(tmp_path / "tiny").config().domain == {}
