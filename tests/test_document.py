"""Documents: their JSON, their sections' coverage and their sentences."""

from __future__ import annotations

import json
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sector.document
from sector.distribution import Distribution
from sector.document import Document, Section, Sentence
from sector.errors import DataError
from sector.text import SentenceSpans, split_sentences

TEXT = "It rains. We stay at home.\nThe sun shines."
WORDS = st.text(max_size=8)
SCORES = st.dictionaries(WORDS, st.floats(0, 1), max_size=7)


def section(begin: int, end: int, **fields: Any) -> Section:
    return Section(begin, end, source=TEXT, **fields)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    parts = draw(st.lists(st.text(min_size=1, max_size=20), max_size=5))
    text, edges = "".join(parts), [0, *accumulate(map(len, parts))]
    sections = []
    for begin, end in pairwise(edges):
        scores = draw(SCORES)
        ranking = Distribution(tuple(scores), np.array(list(scores.values()))) if scores else None
        label, heading, confidence = draw(WORDS), draw(WORDS), draw(st.floats(0, 1))
        sections.append(Section(begin, end, label, heading, confidence, text, ranking))
    names: dict[str, Any] = {name: draw(WORDS) for name in ("id", "title", "language", "model")}
    return Document(text, sections=tuple(sections), **names)


@given(documents())
def test_json_is_lossless(document: Document) -> None:
    copy = Document.from_json(document.to_json(scores=None))
    assert copy.text == document.text
    assert copy.sections == document.sections
    assert [s.scores for s in copy.sections] == [s.scores for s in document.sections]
    assert [s.text for s in copy.sections] == [s.text for s in document.sections]
    names = ("id", "title", "language", "model")
    assert [getattr(copy, name) for name in names] == [getattr(document, name) for name in names]
    assert copy.to_dict(scores=None) == document.to_dict(scores=None)


def test_json_has_the_fields_that_programs_read() -> None:
    values = np.array([0.1, 0.2, 0.05, 0.3, 0.15, 0.2])
    first = section(0, 27, label="d", confidence=0.3, distribution=Distribution(tuple("abcdef"), values))
    second = section(27, len(TEXT), label="a", heading="Sun")
    record = Document(TEXT, id="7", model="m", sections=(first, second)).to_dict()
    assert list(record) == ["id", "model", "length", "sections"]
    assert record["length"] == len(TEXT)
    assert list(record["sections"][0]) == ["begin", "end", "level", "label", "confidence", "scores", "text"]
    assert list(record["sections"][0]["scores"]) == ["d", "b", "f", "e", "a"]
    assert record["sections"][1]["heading"] == "Sun"


def test_a_surrogate_survives_json() -> None:
    text = "a\ud800b"
    document = Document(text, sections=(Section(0, 3, "x", source=text),))
    line = document.to_json().encode().decode()
    assert Document.from_json(line).text == text


@given(st.text(alphabet=st.sampled_from('a\\u"dé🤒\ud83e\udd12\ud800')))
def test_any_text_survives_json(text: str) -> None:
    document = Document(text, id=text, sections=(Section(0, len(text), source=text),) if text else ())
    read = Document.from_json(document.to_json().encode().decode())
    assert (read.text, read.id) == (text, text)


def test_escapes_of_other_programs_are_read() -> None:
    document = Document("🤒", sections=(Section(0, 1, source="🤒"),))
    assert Document.from_json(json.dumps(document.to_dict())).text == "🤒"


def test_a_document_is_shown_in_one_short_line() -> None:
    text = "A long text. " * 1000
    shown = repr(Document(text, id="a", sections=(Section(0, len(text), source=text),)))
    assert shown == "Document(13,000 characters, 1 section, id='a', title='', language='', model='')"


@pytest.mark.parametrize(
    "line",
    [
        *("", "{", "nonsense", "[]", "null", "1", '"x"', "{}", '{"sections": 1}', '{"sections": null}'),
        *('{"sections": [1]}', '{"sections": [{}]}', '{"sections": [[]]}', '{"sections": {"a": 1}}'),
        '{"sections": [{"begin": 0, "end": 1, "label": "a", "text": 5}]}',
        '{"sections": [{"begin": "x", "end": 1, "label": "a", "text": "t"}]}',
        '{"sections": [{"begin": Infinity, "end": 1, "label": "a", "text": "t"}]}',
        '{"sections": [{"begin": 0, "end": 1, "label": "a", "text": "t", "scores": 3}]}',
        '{"sections": [{"begin": 0, "end": 1, "label": "a", "text": "t", "scores": {"a": "high"}}]}',
        '{"sections": [{"begin": 0, "end": 2, "label": "a", "text": "t"}]}',
        '{"length": 9, "sections": [{"begin": 0, "end": 1, "label": "a", "text": "t"}]}',
        "[" * 100_000,
    ],
)
def test_garbage_is_one_typed_error(line: str) -> None:
    with pytest.raises(DataError):
        Document.from_json(line)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | WORDS,
        lambda inner: st.lists(inner) | st.dictionaries(WORDS, inner),
    )
)
def test_any_json_under_sections_is_a_document_or_a_typed_error(value: Any) -> None:
    line = json.dumps({"sections": value})
    try:
        assert Document.from_json(line).is_covered()
    except DataError as error:
        assert str(error).endswith(".")


@pytest.mark.parametrize(
    ("spans", "covered"),
    [
        ([(0, 42)], True),
        ([(0, 10), (10, 42)], True),
        ([], False),
        ([(0, 41)], False),
        ([(1, 42)], False),
        ([(0, 10), (11, 42)], False),
        ([(0, 11), (10, 42)], False),
        ([(10, 42), (0, 10)], False),
        ([(0, 0), (0, 42)], False),
        ([(0, 43)], False),
    ],
)
def test_is_covered(spans: list[tuple[int, int]], covered: bool) -> None:
    assert len(TEXT) == 42
    assert Document(TEXT, sections=tuple(section(*span) for span in spans)).is_covered() is covered


def test_an_empty_document_is_covered_by_no_section() -> None:
    assert Document("").is_covered()
    assert Document.from_json(Document("").to_json()).sections == ()


def test_ranking_is_best_first_and_ties_keep_their_order() -> None:
    ranking = Distribution(("a", "b", "c", "d"), np.array([0.25, 0.5, 0.25, 0.0], dtype=np.float32))
    assert list(ranking.ranked().items()) == [("b", 0.5), ("a", 0.25), ("c", 0.25), ("d", 0.0)]
    assert list(ranking.ranked(2)) == ["b", "a"]
    assert ranking.ranked(0) == {}


def test_sentences_are_split_on_first_use_only(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, str]] = []

    def counting(text: str, language: str = "") -> SentenceSpans:
        calls.append((text, language))
        return split_sentences(text, language)

    monkeypatch.setattr(sector.document, "split_sentences", counting)
    document = Document(TEXT, language="en")
    assert calls == []
    assert [s.text for s in document.sentences] == ["It rains.", "We stay at home.", "The sun shines."]
    assert [s.paragraph_end for s in document.sentences] == [False, True, True]
    assert document.sentence_texts == [s.text for s in document.sentences]
    assert len(document) == 3
    assert calls == [(TEXT, "en")]


def test_given_spans_are_kept() -> None:
    spans = SentenceSpans(np.array([0, 10]), np.array([9, 42]), np.array([False, True]))
    assert Document(TEXT, given_spans=spans).sentence_texts == ["It rains.", TEXT[10:]]


def test_sentences_carry_the_model_s_scores() -> None:
    probabilities = np.array([[0.25, 0.75], [1, 0], [0.5, 0.5]], dtype=np.float32)
    document = Document(TEXT, labels=("sun", "rain"), probabilities=probabilities)
    assert [next(iter(s.scores)) for s in document.sentences] == ["rain", "sun", "sun"]
    assert Sentence(0, 1).scores == {}


def test_a_section_is_named_by_its_label_or_else_its_heading() -> None:
    assert section(0, 1, label="weather", heading="Rain").name == "weather"
    assert section(0, 1, heading="Rain").name == "Rain"
