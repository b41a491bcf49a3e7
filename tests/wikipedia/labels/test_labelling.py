"""From headings to topics: what is joined, what is kept, what falls into `other`."""

from __future__ import annotations

from pathlib import Path

import pytest

from lexicon_files import ARTICLES, Sense, write_wordnet
from sector.errors import ConfigError, DataError
from sector.wikipedia.labels import (
    OTHER,
    Labelling,
    Overrides,
    SynsetLexicon,
    TopicRange,
    build_labelling,
    describe,
    load_overrides,
)
from sector.wikipedia.labels.lexicons.wordnet import load_wordnet

pytest.importorskip("igraph")


@pytest.fixture
def lexicon(tmp_path: Path) -> SynsetLexicon:
    return load_wordnet(write_wordnet(tmp_path / "wordnet"))


def build(lexicon: SynsetLexicon, overrides: Overrides | None = None, most: int = 9) -> Labelling:
    return build_labelling(ARTICLES, lexicon, "en", TopicRange(1, most), overrides)[0]


def test_synonyms_are_one_topic_named_by_the_commoner(lexicon: SynsetLexicon) -> None:
    labelling = build(lexicon)
    assert labelling.label("Watering") == labelling.label("Irrigation") == "watering"
    assert labelling.label("Tools") == labelling.label("Implements") == "tool"


def test_the_outer_heading_decides(lexicon: SynsetLexicon) -> None:
    assert build(lexicon).label("Watering | Soil") == "watering"


def test_the_tail_follows_broader_senses(lexicon: SynsetLexicon) -> None:
    labelling = build(lexicon)
    assert labelling.label("Sprinkling") == "watering"
    assert labelling.label("Rakes") == "tool"


def test_a_heading_that_is_near_to_nothing_is_other(lexicon: SynsetLexicon) -> None:
    labelling = build(lexicon)
    assert {labelling.label(heading) for heading in ("Children", "Notes", "", "1914")} == {OTHER}


def test_a_compound_backs_off_to_its_head(lexicon: SynsetLexicon) -> None:
    assert build(lexicon).label("Cheap garden tools") == "tool"


def test_only_the_most_frequent_topics_stay(lexicon: SynsetLexicon) -> None:
    assert [topic.name for topic in build(lexicon, most=1).topics] == ["watering"]


def test_too_few_topics_widen_the_head(lexicon: SynsetLexicon) -> None:
    few = build_labelling(ARTICLES, lexicon, "en", TopicRange(1, 9))[0].topics
    many = build_labelling(ARTICLES, lexicon, "en", TopicRange(5, 9))[0].topics
    assert len(few) < len(many)


def test_an_inner_topic_that_is_at_home_below_another_counts(tmp_path: Path) -> None:
    land = load_wordnet(write_wordnet(tmp_path, [Sense("land"), Sense("weather"), Sense("people")]))
    articles = [["Land", "Land | Weather", "People"] for _ in range(5)] + [["Weather"], ["People | Land"]]
    labelling = build_labelling(articles, land, "en", TopicRange(3, 9))[0]
    assert labelling.label("Land | Weather") == "weather"
    assert labelling.label("People | Land") == "people"


def test_headings_that_fill_one_slot_are_joined(tmp_path: Path) -> None:
    senses = [Sense(word) for word in ("transport", "conveyance", "history", "sport", "climate")]
    lexicon = load_wordnet(write_wordnet(tmp_path, senses))
    articles = [["History", word, "Sport"] for word in ("Transport", "Conveyance") for _ in range(20)]
    articles += [["Climate"], ["Sport", "Climate"]] * 10
    labelling = build_labelling(articles, lexicon, "en", TopicRange(1, 9))[0]
    assert labelling.label("Transport") == labelling.label("Conveyance")
    assert len({labelling.label(heading) for heading in ("Transport", "History", "Sport")}) == 3


def test_the_same_headings_give_the_same_topics(lexicon: SynsetLexicon) -> None:
    assert build(lexicon).topics == build(lexicon).topics


def test_a_report_counts_what_is_covered(lexicon: SynsetLexicon) -> None:
    labelling, counts = build_labelling(ARTICLES, lexicon, "en", TopicRange(1, 9))
    report = describe(labelling, counts, "en")
    sections = sum(map(len, ARTICLES))
    assert (report.documents, report.sections) == (17, sections)
    left = dict(report.other)
    assert "Notes" in left
    assert report.covered_sections == pytest.approx(1 - sum(left.values()) / sections)
    assert report.to_dict()["covered_sections"] == pytest.approx(100 * report.covered_sections, abs=1e-3)
    assert report.topics[0].topic == "watering"


def test_overrides_steer_topics_names_and_other(lexicon: SynsetLexicon) -> None:
    given = {"equipment": ("rakes", "tool")}
    labelling = build(lexicon, Overrides(frozenset({"soil"}), given, {"watering": "water"}))
    assert labelling.label("Rakes") == labelling.label("Tools") == "equipment"
    assert labelling.label("Irrigation") == "water"
    assert labelling.label("Soil") == OTHER


def test_topics_of_one_name_are_merged(lexicon: SynsetLexicon) -> None:
    labelling = build(lexicon, Overrides(names={"tool": "watering"}))
    assert labelling.label("Tools") == labelling.label("Watering") == "watering"
    assert [topic.name for topic in labelling.topics].count("watering") == 1


def test_overrides_may_name_what_the_lexicon_does_not_have(lexicon: SynsetLexicon) -> None:
    overrides = Overrides(topics={"rock": ("zzz", "gravel plant")})
    labelling, _ = build_labelling([*ARTICLES, ["Zzz", "Gravel plants"]], lexicon, "en", TopicRange(1, 9), overrides)
    assert [labelling.label(heading) for heading in ("Zzz", "Old gravel plants")] == ["rock", "rock"]
    assert labelling.label("Plants") != "rock"


def test_given_topics_count_among_those_that_are_wanted(lexicon: SynsetLexicon) -> None:
    assert len(build(lexicon, Overrides(topics={"x": ("rake",)}), most=2).topics) == 2


def test_a_name_for_no_topic_is_refused(lexicon: SynsetLexicon) -> None:
    with pytest.raises(ConfigError, match="no topic is called that"):
        build(lexicon, Overrides(names={"nothing": "x"}))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("other = 3", "'other' as a list of nouns"),
        ("[topics]\nx = 'y'", "'topics.x' as a list of nouns"),
        ("names = []", r"\[names\] as a table"),
        ("[names]\nx = ''", "another name"),
        ("topic = 1", "has the key 'topic'"),
        ("= 1", "is not TOML"),
    ],
)
def test_broken_override_files_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "override.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=message):
        load_overrides(path)


def test_an_override_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "override.toml"
    path.write_text('other = ["Notes"]\n[topics]\ncare = ["Watering"]\n[names]\ntool = "tools"\n', encoding="utf-8")
    assert load_overrides(path) == Overrides(frozenset({"notes"}), {"care": ("watering",)}, {"tool": "tools"})
    with pytest.raises(ConfigError, match="no override file"):
        load_overrides(tmp_path / "none.toml")


def test_data_without_known_headings_is_refused(lexicon: SynsetLexicon) -> None:
    with pytest.raises(DataError, match="has no headings"):
        build_labelling([[""], []], lexicon)
    with pytest.raises(DataError, match="None of its 1 headings is in the lexicon 'wordnet'"):
        build_labelling([["Zzz"]], lexicon)
