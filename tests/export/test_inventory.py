"""The inventory has phrases that a person would write, each once, and nothing of one document alone."""

from __future__ import annotations

import pytest

from sector.export.inventory import clean_inventory, cleaned


@pytest.mark.parametrize(
    "heading",
    [
        "{}",
        "#",
        "1998",
        "2010 census",
        "Claim A",
        "Of the",
        "Other",
        "How does it work?",
        "How to build it",
        "What you will need",
        "This proposal was withdrawn",
        "parseConfig",
        "<b>Bold</b>",
        "`--verbose`",
        "Motivation: why is it necessary",
        "A very long heading with many more words than a title has",
        "K",
        "History of",
        "History (continued)",
    ],
)
def test_what_no_person_would_write_is_left_out(heading: str) -> None:
    assert cleaned(heading) == ""
    assert clean_inventory({heading: 100}) == []


@pytest.mark.parametrize(
    ("heading", "phrase"),
    [
        ("radio and television.", "Radio and television"),
        ("2.1 Early life", "Early life"),
        ("Geography | Climate", "Climate"),
        ("20th century", "20th century"),
        ("World War I", "World War I"),
        ("Alzheimer's disease", "Alzheimer's disease"),
        ("INTRODUCTION", "Introduction"),
        ("Chapter 3: Energy", "Energy"),
    ],
)
def test_numbers_and_edges_are_taken_off(heading: str, phrase: str) -> None:
    assert cleaned(heading) == phrase


def test_forms_of_one_phrase_become_its_most_frequent_one() -> None:
    forms = {"Side effects": 9, "Side Effects": 5, "Side effect": 2, "side-effects": 1, "Early life": 3}
    assert clean_inventory(forms) == ["Side effects", "Early life"]


def test_titles_are_written_like_other_headings_and_names_stay() -> None:
    forms = {"Early history": 9, "Later history of trade": 5, "Modern History": 20, "After World War II and trade": 9}
    forms |= {"World War II": 30}
    found = clean_inventory(forms)
    assert found[:3] == ["World War II", "Modern history", "After World War II and trade"]
    assert found[3:] == ["Early history", "Later history of trade"]


def test_names_need_more_documents_and_adjectives_are_no_titles() -> None:
    forms = {"Anna Berg": 3, "River trade": 3, "Water": 3, "Music": 9}
    assert clean_inventory(forms) == ["Music", "River trade"]
    nouns = ("life", "career", "history", "beliefs", "views", "health", "record", "style")
    forms = {f"Personal {noun}": 2 for noun in nouns} | {"Personal": 50, "Life": 50}
    assert "Personal" not in clean_inventory(forms) and "Life" in clean_inventory(forms)


def test_the_most_frequent_are_kept() -> None:
    assert clean_inventory({"Early life": 5, "Later life": 9, "River trade": 2}, most=2) == ["Later life", "Early life"]
