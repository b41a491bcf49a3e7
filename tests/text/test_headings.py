from __future__ import annotations

import pytest

from sector.text.headings import heading_words, main_heading


@pytest.mark.parametrize(
    ("heading", "language", "words"),
    [
        ("Causes | Genetic sequence", "en", ["causes", "genetic", "sequence"]),
        ("Signs and Symptoms | Symptoms", "en", ["signs", "symptoms"]),
        ("Geschichte der Stadt", "de", ["geschichte", "stadt"]),
        ("The of and", "", []),
        ("", "en", []),
    ],
)
def test_distinct_words_without_stop_words(heading: str, language: str, words: list[str]) -> None:
    assert heading_words(heading, language) == words


def test_the_main_heading_is_the_first_part() -> None:
    found = [main_heading(heading) for heading in ("Causes | Genetic sequence | Genes", "Causes", "A|B", "")]
    assert found == ["Causes", "Causes", "A|B", ""]
