"""A page becomes a document whose sections tile its text."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from dumps import MOSS
from sector.document import Document
from sector.wikipedia.article import ArticleMaker, Fate, unfold
from sector.wikipedia.classes import TextRules
from sector.wikipedia.page import Page
from sector.wikipedia.wikitext import WikiSection

EVERYTHING = TextRules(min_characters=0, min_sections=0)


def make(
    source: str, rules: TextRules = EVERYTHING, title: str = "Moss", language: str = "en"
) -> tuple[Fate, Document | None]:
    maker = ArticleMaker("plant", language, rules)
    page = Page(title, 7, "77", "2020-01-01T00:00:00Z", False, source)
    fate = maker.early_fate(page)
    return (fate, None) if fate is not Fate.KEPT else maker.make(page, maker.parse(page), "https://x/Moss")


def headings(source: str, language: str = "en", rules: TextRules = EVERYTHING) -> list[str]:
    _, document = make(source, rules, language=language)
    return [section.heading for section in document.sections] if document else []


def test_an_article() -> None:
    fate, document = make(MOSS.format(name="Moss"))
    assert fate is Fate.KEPT
    assert document is not None
    assert document.metadata["abstract"] == "Moss is a moss of wet places."
    assert document.metadata["revision"] == "77"
    assert [(section.heading, section.text) for section in document.sections] == [
        (
            "Growth",
            "Moss grows slowly in the shade, and the rain helps it along.\n- Spores come first.\n- Leaves follow.\n",
        ),
        ("Growth | In winter", "Snow covers Moss for months.\n"),
        ("Uses", "Gardeners like Moss between stones, where nothing else will grow.\n"),
    ]


def test_headings_unfold_and_empty_sections_vanish() -> None:
    sections = [(2, "A", ""), (3, "B", "b"), (5, "C", "c"), (4, "D", "d"), (2, "E", "e"), (1, "F", "f"), (2, "", "g")]
    found = list(unfold(WikiSection(*each) for each in sections))
    assert found == [("A | B", "b"), ("A | B | C", "c"), ("A | B | D", "d"), ("E", "e"), ("F", "f"), ("F", "g")]


def test_closing_sections_are_dropped_with_what_is_below_them() -> None:
    source = "== Uses ==\nx\n== REFERENCES ==\nx\n=== Books ===\nx\n== Soil ==\nx\n== External links ==\nx"
    assert headings(source) == ["Uses", "Soil"]
    assert headings("== Boden ==\nx\n== Einzelnachweise ==\nx\n== Weblinks ==\nx", "de") == ["Boden"]
    assert headings("== Sol ==\nx\n== Notes et références ==\nx", "fr") == ["Sol"]
    assert headings("== Soil ==\nx\n== Film  list ==\nx", rules=TextRules(0, 0, drop_headings=("film list",))) == [
        "Soil"
    ]


def test_what_is_no_article() -> None:
    assert make("#REDIRECT [[Fern]]")[0] is Fate.REDIRECT
    assert make("#WEITERLEITUNG [[Farn]]")[0] is Fate.REDIRECT
    assert make("{{disambig}}\n== A ==\nx")[0] is Fate.DISAMBIGUATION
    assert make("== A ==\nx{{disambiguation needed}}")[0] is Fate.KEPT
    assert make("== A ==\nx", title="Moss (Begriffsklärung)")[0] is Fate.DISAMBIGUATION
    assert make("== A ==\nx\n{{Plant-stub}}")[0] is Fate.STUB
    assert make("== A ==\nx\n{{sect-stub}}")[0] is Fate.KEPT
    assert make("== A ==\nx\n{{Plant-stub}}", TextRules(0, 0, stubs=True))[0] is Fate.KEPT
    assert make("== A ==\nx", TextRules(min_characters=3))[0] is Fate.SHORT
    assert make("== A ==\nxyz", TextRules(0, min_sections=2))[0] is Fate.SHORT
    assert make("")[0] is Fate.SHORT


@given(
    st.lists(st.one_of(st.sampled_from(["\n== A ==\n", "\n=== B ===\n", "[[", "{{", "}}", "\n* "]), st.text())).map(
        "".join
    )
)
def test_sections_tile_the_text(source: str) -> None:
    _, document = make(source)
    if document is not None:
        assert document.is_covered()
        assert all(before.end == after.begin for before, after in pairwise(document.sections))
        assert all(section.text.strip() and section.text.endswith("\n") for section in document.sections)
