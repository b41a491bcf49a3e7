"""Wikitext becomes clean text, whatever it is."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sector.wikipedia.conventions import is_disambiguation, is_stub
from sector.wikipedia.links import Namespaces
from sector.wikipedia.wikitext import parse

CASES = {
    "emphasis": ("'''Moss''' is ''soft'', l''''eau'''.", "Moss is soft, l'eau."),
    "links": ("A [[bog]] and [[heath (land)|]] and [[fen|wet fens]].", "A bog and heath and wet fens."),
    "file with a link in its caption": ("[[File:A.jpg|thumb|A [[bog]] here]]Moss.", "Moss."),
    "external links": ("See [https://a.example the site] and [https://b.example].", "See the site and."),
    "language links": ("Moss.\n[[de:Moos]]\n[[simple:Moss]]", "Moss."),
    "nested templates": ("Moss{{box|a={{b|{{c}}}}|d=[[e|f]]}} grows.", "Moss grows."),
    "templates that are words": (
        "It is {{convert|5|km|mi}} of {{lang|de|Moos}}, {{nowrap|a b}}.",
        "It is 5 km of Moos, a b.",
    ),
    "table": ("Before.\n{| class=x\n|-\n| cell {{t}}\n{|\n| inner\n|}\n|}\nAfter.", "Before.\nAfter."),
    "table that ends with a template": ("{{box|\n{|\n| a\n|}}}Moss.", "Moss."),
    "html table": ("Before.<table><tr><td>cell</td></tr></table>After.", "Before.After."),
    "references": ('Moss.<ref name="a">{{cite|x}}</ref> Wet.<ref name="a" />', "Moss. Wet."),
    "unclosed reference": ("Moss.<ref>lost\nNext line.<ref>x</ref>", "Moss.\nNext line."),
    "comments": ("Moss <!-- no\n== no ==\n -->grows.<!-- open", "Moss grows."),
    "nowiki": ("Write <nowiki>'''[[a]]'''</nowiki> &minus;<nowiki>&amp;</nowiki>.", "Write '''[[a]]''' −&."),
    "raw content": ("Moss <math>a {{ b</math>grows.<gallery>\nFile:A.jpg\n</gallery>", "Moss grows."),
    "entities once": ("1&nbsp;&lt;&nbsp;2 &amp;lt;b&gt;", "1 < 2 &lt;b>"),
    "lists": ("* one\n** two\n# three\n: four\n; five", "- one\n- two\n- three\nfour\nfive"),
    "line breaks": ("One<br/>two<br>three.", "One\ntwo\nthree."),
    "switches and rules": ("__NOTOC__\nMoss.\n----\nWet.", "Moss.\nWet."),
    "hollow brackets": ("Moss ({{IPA|m}}) grows ( , ) well .", "Moss grows well."),
    "gap in brackets": ("Moss ({{IPA|m}}; ''Moos'') grows.", "Moss (Moos) grows."),
    "unclosed link": ("Moss [[bog grows.\n\nNext [[fen|wet]] one.", "Moss bog grows.\nNext wet one."),
    "unclosed template": ("Moss {{box|a=\n|b=\n\nNext one.", "Moss\nNext one."),
    "stray ends": ("Moss }} grows ]] well |} here.", "Moss grows well |} here."),
    "unknown tags": ("The letter <c> is /k/.", "The letter <c> is /k/."),
}


@pytest.mark.parametrize("name", CASES)
def test_text(name: str) -> None:
    source, expected = CASES[name]
    (section,) = parse(source).sections
    assert section.text == expected


def test_headings_and_their_levels() -> None:
    source = "Lead.\n== ''A'' [[b|B]] ==\na\n===C===<!-- x -->\nc\n====D==\nd\n== E == tail\n=no\n====\n"
    found = [(section.level, section.heading, section.text) for section in parse(source).sections]
    assert found == [(0, "", "Lead."), (2, "A B", "a"), (3, "C", "c"), (2, "==D", "d"), (2, "E", "tail\n=no")]


def test_a_heading_ends_what_was_left_open() -> None:
    sections = parse("Lead {{box|x\n== A ==\nText [[b\n== B ==\n{|\n| x\n== C ==\nEnd.").sections
    assert [(section.heading, section.text) for section in sections] == [
        ("", "Lead"),
        ("A", "Text b"),
        ("B", ""),
        ("C", "End."),
    ]


def test_a_heading_never_contains_the_separator() -> None:
    assert parse("== A | B ==\nx").sections[1].heading == "A / B"


def test_categories_and_templates_are_found() -> None:
    namespaces = Namespaces().with_names(["Bild"], ["Kategorie"])
    found = parse("{{Box_of|x}}[[Kategorie:Moose| ]][[category:wet_places]][[Bild:a.png]]Text.", namespaces)
    assert found.categories == ("Moose", "wet places")
    assert found.templates == ("Box of",)
    assert found.sections[0].text == "Text."


def test_lists_can_go_without_a_marker() -> None:
    assert parse("* one\n* two", list_marker="").sections[0].text == "one\ntwo"


SIGNS = """{{ }} [[ ]] {| |} | == === <ref> </ref> <ref/> <nowiki> </nowiki> <math> </math> <table> </table> <!-- -->
'' ''' * : # ; &amp; &lt; &#10; [http://a ] <br> __TOC__ File: Category: nowrap convert a b é 東"""
MARKUP = st.sampled_from(["\n", " ", *SIGNS.split()])


@given(st.lists(st.one_of(MARKUP, st.text(max_size=5))).map("".join))
def test_anything_gives_clean_lines(source: str) -> None:
    for section in parse(source).sections:
        assert "\n\n" not in section.text
        assert section.text == section.text.strip()
        assert "\n" not in section.heading
        assert " | " not in section.heading


TOKENS = [
    *("{{", "[[", "<ref>", "<math>", "<nowiki>", "\n{|", "\n==", "\n== a ==", "[http://a", "<", "<!--", "{{a|", "[[a|"),
    *("''", "&", "<table>", "{{nowrap|", "{{{", "\n|}", "=", " (", "   \n", "[[File:", "</ref>", "{{convert|1|"),
]


HOSTILE = [token * (200_000 // len(token)) for token in TOKENS] + [
    "[http://" + "a" * 200_000,
    "&#" + "1" * 200_000,
    "{{convert|" + " " * 200_000 + "x}}",
    "[[" + " " * 200_000 + "x|]]",
    "{{" + "stub " * 40_000 + "}}",
    "<a" + " " * 200_000,
    "\n" + "=a" * 100_000,
]


@pytest.mark.parametrize("source", HOSTILE, ids=lambda source: repr(source[:10]))
def test_time_is_linear(source: str) -> None:
    begin = time.process_time()
    found = parse(source)
    is_stub(found.templates)
    is_disambiguation("Moss", found.templates)
    assert time.process_time() - begin < 5  # quadratic time would take minutes


def test_agrees_with_mwparserfromhell_on_ordinary_text() -> None:
    oracle = pytest.importorskip("mwparserfromhell", reason="mwparserfromhell is not installed")
    source = "'''Moss''' {{a|b={{c}}}} likes [[bog|wet places]] and [https://a.example rain] &ndash; ''soft''."
    (section,) = parse(source).sections
    assert section.text.split() == str(oracle.parse(source).strip_code()).split()
