"""Headings to lemmas: the longest known expression, its head, and words that end in a known noun."""

from __future__ import annotations

from pathlib import Path

import pytest

from lexicon_files import write_wordnet
from sector.wikipedia.labels.lexicons.wordnet import load_wordnet
from sector.wikipedia.labels.matching import Matcher
from sector.wikipedia.labels.phrases import grammar_of


@pytest.fixture
def matcher(tmp_path: Path) -> Matcher:
    return Matcher(load_wordnet(write_wordnet(tmp_path)), grammar_of("en"))


def test_a_compound_comes_before_its_head(matcher: Matcher) -> None:
    assert matcher.match("Useful garden tools") == ((("garden tool", "tool"),),)


def test_an_unknown_phrase_backs_off_to_its_noun(matcher: Matcher) -> None:
    assert matcher.match("Weekly drip irrigation") == ((("irrigation",),),)


def test_a_word_that_ends_in_a_noun_gets_a_sense_below_it(matcher: Matcher) -> None:
    assert matcher.match("Undergrowths") == ((("undergrowth",),),)
    (sense,) = matcher.entries["undergrowth"].synsets
    assert sense.broader == tuple(found.id for found in matcher.lexicon.find("growth").synsets)  # type: ignore[union-attr]
    assert matcher.synset(sense.id) == sense


def test_what_no_lexicon_has_is_left_out(matcher: Matcher) -> None:
    assert matcher.match("Miscellaneous | Rakes") == ((), (("rake",),))
