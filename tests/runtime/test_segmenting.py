"""A loaded model: finds the topics, gives the same however it is asked, and never fails on a text."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sector
from sector import runtime
from sector.document import Document
from sector.errors import ConfigError, DataError, ModelError
from sector.runtime import Model
from sector.segmentation import make
from tiny import HELD_OUT, HELD_OUT_LABELS, LABELS, record


@pytest.fixture(scope="module")
def model(tiny_model: Path) -> Model:
    return sector.load(tiny_model)


TEXTS = [record(number, seed=9)["text"] for number in range(12)] + ["", "One sentence only.", HELD_OUT, " \n "]
EDGES = [
    "",
    " ",
    "\n\n\t \r\n",
    "One sentence.",
    "word",
    "👩‍👩‍👧‍👦 🤒🤒",
    "\x00",
    "\ud800 half a pair.",
    "...",
    "ﬁ ǅ İ",
]


def edges(document: Document) -> list[int]:
    return [section.begin for section in document.sections]


def test_the_topics_of_a_held_out_text_are_found(model: Model) -> None:
    document = model.segment(HELD_OUT)
    assert tuple(section.label for section in document.sections) == HELD_OUT_LABELS
    best = [next(iter(sentence.scores)) for sentence in document.sentences]
    assert best == [label for label in HELD_OUT_LABELS for _ in range(3)]
    assert all(section.confidence > 0.7 for section in document.sections)
    assert set(document.sections[0].scores) == set(LABELS)
    sentences = document.spans.begin.tolist()
    for found, expected in zip(edges(document), (0, 3, 6), strict=True):
        assert abs(sentences.index(found) - expected) <= 1


def test_a_section_has_a_level_and_an_embedding(model: Model) -> None:
    document = model.segment(HELD_OUT, segmentation="newline")
    assert document.embeddings is not None
    firsts = np.searchsorted(document.spans.begin, edges(document)).tolist()
    for section, (first, last) in zip(document.sections, pairwise([*firsts, len(document)]), strict=True):
        mean = document.embeddings[first:last].mean(axis=0)
        assert section.embedding is not None and section.embedding.dtype == np.float32
        np.testing.assert_allclose(section.embedding, mean / np.linalg.norm(mean), rtol=1e-4, atol=1e-6)
        assert section.level == 1


@pytest.mark.parametrize("segmentation", ["newline", "max", "emd", "bemd"])
def test_batches_and_single_texts_give_the_same(model: Model, segmentation: str) -> None:
    single = [model.segment(text, segmentation=segmentation) for text in TEXTS]
    for size in (1, 5, 100):
        together = list(model.segment_all(iter(TEXTS), batch_size=size, segmentation=segmentation))
        for one, other in zip(single, together, strict=True):
            assert edges(one) == edges(other)
            assert one.probabilities is not None and other.probabilities is not None
            np.testing.assert_allclose(one.probabilities, other.probabilities, atol=1e-5)
            assert one.embeddings is not None and other.embeddings is not None
            np.testing.assert_allclose(one.embeddings, other.embeddings, atol=1e-5)


def test_threads_share_a_model(tiny_model: Path) -> None:
    fresh = sector.load(tiny_model)
    alone = [edges(sector.load(tiny_model).segment(text)) for text in TEXTS]
    with ThreadPoolExecutor(4) as pool:
        rounds = list(pool.map(lambda _: [edges(d) for d in fresh.segment_all(TEXTS, batch_size=3)], range(8)))
    assert all(found == alone for found in rounds)


@pytest.mark.parametrize("text", EDGES)
def test_no_text_is_too_odd(model: Model, text: str) -> None:
    for segmentation in (None, "newline", "max", "emd", "bemd"):
        document = model.segment(text, segmentation=segmentation, max_chars=7, min_chars=3)
        assert document.is_covered()
        assert all(len(section.text) <= 7 for section in document.sections)
    assert (len(model.segment("").sections), len(model.segment("   ").sections)) == (0, 1)


@pytest.mark.parametrize("text", [" ", "\n\n \t", "\u3000" * 500])
def test_white_space_alone_has_no_label(model: Model, text: str) -> None:
    document = model.segment(text, max_chars=100)
    assert "".join(section.text for section in document.sections) == text
    assert {(section.label, section.confidence, section.distribution) for section in document.sections} == {
        ("", 0.0, None)
    }


@pytest.mark.parametrize("wrong", [None, b"bytes", 3, ["text"]])
def test_what_is_no_text_is_refused_in_a_sentence(model: Model, wrong: Any) -> None:
    with pytest.raises(DataError, match=f"not {type(wrong).__name__}; give a str"):
        model.segment(wrong)
    with pytest.raises(DataError, match=f"not {type(wrong).__name__}; give a str"):
        list(model.segment_all([wrong]))


def test_a_long_document(model: Model) -> None:
    text = "".join(record(number)["text"] for number in range(430))
    document = model.segment(text)
    assert len(document) > 5000
    assert document.is_covered()
    assert document.embeddings is not None and document.embeddings.shape == (len(document), 32)
    assert document.deviation is not None and document.deviation.shape == (len(document),)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.lists(st.sampled_from([*HELD_OUT.split(". "), "\n", "a" * 40, "é ", "。"]), max_size=12).map(" ".join),
    longest=st.integers(1, 200),
    share=st.floats(0, 1),
)
def test_lengths_hold(model: Model, text: str, longest: int, share: float) -> None:
    shortest = max(1, int(share * longest))
    document = model.segment(text, max_chars=longest, min_chars=shortest)
    assert "".join(section.text for section in document.sections) == text
    lengths = [len(section.text) for section in document.sections]
    assert all(length <= longest for length in lengths)
    for index, length in enumerate(lengths):
        beside = [lengths[i] for i in (index - 1, index + 1) if 0 <= i < len(lengths)]
        assert length >= shortest or all(length + other > longest for other in beside)


def test_a_document_keeps_what_it_is(model: Model) -> None:
    given_document = Document("Most patients complain of fever and rest.", id="7", title="Flu", language="de")
    found = model.segment(given_document)
    assert (found.id, found.title, found.language, found.model) == ("7", "Flu", "de", "tiny")
    assert model.segment(Document("Text.")).language == "en"


def test_options_are_checked_at_once(model: Model) -> None:
    for options in ({"segmentation": "magic"}, {"max_chars": 0}, {"min_chars": 9, "max_chars": 8}, {"batch_size": 0}):
        with pytest.raises(ConfigError):
            model.segment_all([], **options)


def test_a_segmentation_of_ones_own(model: Model) -> None:
    assert edges(model.segment(HELD_OUT, segmentation=make("bemd", sigma=0.0))) != []


def test_the_default_model(tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sector.runtime.installed.EMBEDDED", tmp_path)
    with pytest.raises(ModelError, match="sector train"):
        runtime.default_model()
    for name in ("zz", "de_city"):
        shutil.copytree(tiny_model, tmp_path / name)
    assert runtime.default_model() == "de_city"
    shutil.copytree(tiny_model, tmp_path / "en_wiki")
    assert runtime.default_model() == "en_wiki"
    assert sector.load("zz").name == "zz"
    with pytest.raises(ModelError, match="de_city, en_wiki, zz"):
        sector.load("none")


def test_decoding_again_is_segmenting_again(tiny_model: Path) -> None:
    model = sector.load(tiny_model)
    document = Document(HELD_OUT, language="en")
    (reading,) = model.read([document])
    chosen: tuple[dict[str, Any], ...] = ({}, {"segmentation": "newline"}, {"merge": True, "max_chars": 90})
    for options in chosen:
        again, expected = model.decode(document, reading, **options), model.segment(HELD_OUT, **options)
        assert again.sections == expected.sections
        assert again.to_dict() == expected.to_dict()


def test_a_document_without_prose_has_a_flat_deviation(model: Model) -> None:
    document = model.segment(sector.read(b"```\nx = 1\ny = 2\n```\n", format="markdown"))
    assert document.deviation is not None
    assert document.deviation.tolist() == [0.0] * len(document)
    assert document.probabilities is not None
    assert np.allclose(document.probabilities.sum(axis=1), 1)


def test_a_heading_has_the_values_of_the_sentence_after_it(model: Model) -> None:
    parts = [record(number, seed=5)["text"] for number in range(3)]
    text = "\n\n".join(f"## Part {number}\n\n{part}" for number, part in enumerate(parts))
    document = model.segment(replace(sector.read(text.encode(), format="markdown"), headings="ignore"))
    assert document.probabilities is not None and document.embeddings is not None and document.deviation is not None
    headings = [i for i, sentence in enumerate(document.sentences) if text[sentence.begin :].startswith("## ")]
    assert len(headings) == 3
    for rows in (document.probabilities, document.embeddings, document.deviation):
        np.testing.assert_array_equal(rows[headings], rows[np.array(headings) + 1])
