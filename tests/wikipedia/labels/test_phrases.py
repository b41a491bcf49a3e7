"""Headings to phrases and what is looked up of them."""

from __future__ import annotations

import pytest

from sector.wikipedia.labels.phrases import expressions, grammar_of, phrases


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Care", [["care"]]),
        ("Tools and implements", [["tools", "implements"]]),
        ("Care | The watering of roses (2011–2014)", [["care"], ["watering"]]),
        ("In popular gardens [3]", [["popular gardens"]]),
        ("Soil – earth / ground", [["soil", "earth", "ground"]]),
        ("20th century", [["century"]]),
        ("1914–1918", [[]]),
        ("", [[]]),
    ],
)
def test_parts_lists_and_prepositions(heading: str, expected: list[list[str]]) -> None:
    found = phrases(heading, grammar_of("en"))
    assert [[" ".join(phrase) for phrase in part] for part in found] == expected


def test_german_and_portuguese_have_their_own_words() -> None:
    assert phrases("Pflege und Schnitt der Rosen", grammar_of("de")) == [[("pflege",), ("schnitt",)]]
    assert phrases("Plantas do jardim e solo", grammar_of("pt")) == [[("plantas",), ("solo",)]]


def test_the_noun_is_last_in_english_and_first_in_portuguese() -> None:
    assert expressions(("cognitive", "behavioral", "therapy"), grammar_of("en"))[-1] == ("therapy",)
    assert expressions(("história", "recente"), grammar_of("pt")) == [("história", "recente"), ("história",)]
