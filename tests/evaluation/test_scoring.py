"""Scores of documents: worked examples, protocols and edge cases."""

from __future__ import annotations

import json

import numpy as np
import pytest
from evaluation_cases import EDGE_DOCUMENTS, LABELS, document, scored, spans
from sklearn.metrics import f1_score

from sector.distribution import Distribution
from sector.document import Document, Section
from sector.errors import ConfigError, DataError
from sector.evaluation import PROTOCOLS, EvaluationProtocol, find_protocol, score

GOLD = document("xxx yy yyy")
PREDICTED = scored("xxx yyyy x", [0.7, 0.2, 0.1], [0.3, 0.6, 0.1], [0.5, 0.2, 0.3])


def test_pool_of_gold_sections_and_extra_predictions() -> None:
    # gold x 0-3, y 3-5, y 5-8; predictions x 0-3, y 3-7, x 7-8. Gold 0 → 0, gold 1 → 1, gold 2 → 1 (2 of 3);
    # prediction 2 is nobody's, best with gold 2: y ranks last in (x .5, z .3, y .2).
    report = score([GOLD], [PREDICTED])
    assert report.examples == 4
    assert report.f1 == report.p1 == 3 / 4
    assert report.map == (1 + 1 + 1 + 1 / 3) / 4
    assert report.a3 == report.r3 == 1
    assert report.p3 == pytest.approx(1 / 3)
    assert report.gold_f1 == report.gold_map == 1
    assert report.sentence_accuracy == 7 / 8


def test_macro_f1_of_the_pool() -> None:
    report = score([GOLD], [PREDICTED])
    theirs = f1_score(list("xyyy"), list("xyyx"), labels=LABELS, average="macro", zero_division=0)
    assert report.macro_f1 == pytest.approx(theirs)
    assert [(row.label, row.support) for row in report.per_label] == [("x", 1), ("y", 3), ("z", 0)]
    micro = f1_score(list("xyyy"), list("xyyx"), average="micro")
    assert report.f1 == pytest.approx(micro)


def test_gold_pool_leaves_extra_predictions_out() -> None:
    report = score([GOLD], [PREDICTED], protocol=EvaluationProtocol("mine", pool="gold"))
    assert report.examples == 3
    assert report.f1 == report.gold_f1 == 1


def test_segments_are_merged_by_name() -> None:
    report = score([GOLD], [PREDICTED])
    # merged gold 3 + 5, so k = round(8 / 2 / 2) = 2; hypothesis 3 + 4 + 1
    assert report.k == 2
    assert report.pk == report.wd == 1 / 6
    assert (report.boundary_precision, report.boundary_recall) == (1 / 2, 1)
    assert report.boundary_f1 == 2 / 3
    assert report.section_ratio == 3 / 2
    assert report.boundary_similarity == 1 / 2


def test_one_window_for_the_whole_test_set() -> None:
    gold = [document("x" * 12 + " " + "y" * 12), document("xx yy")]
    plain = [document("x" * 24), document("xxxx")]
    report = score(gold, plain)
    assert report.k == 4  # 28 sentences in 4 segments: 3.5, rounded up
    assert report.pk == (4 / 20 + 0) / 2  # the second is not longer than the window
    alone = score(gold, plain, protocol="per-document-k")
    assert alone.k is None
    assert alone.pk == pytest.approx((6 / 18 + 2 / 2) / 2)


def test_transformer2_cuts_documents() -> None:
    gold = document("x" * 100 + " " + "y" * 100 + " zzz")
    report = score([gold], [document("x" * 100 + " " + "y" * 103)], protocol="transformer2")
    assert (report.sentences, report.k, report.pk, report.f1, report.examples) == (150, 10, 0, 1, 2)


def test_spokennlp_counts_paragraphs_and_does_not_merge() -> None:
    report = score([document("xx xx yy")], [document("xxxx yy")], protocol="spokennlp")
    assert report.boundary_recall == 1 / 2
    assert report.sentences == 6
    assert score([document("xx xx yy")], [document("xxxx yy")]).boundary_recall == 1


def test_koshorek_counts_every_section() -> None:
    found = [score([document("xxxx yy")], [document("xx xx yy")], protocol=p) for p in ("koshorek", "per-document-k")]
    assert [report.k for report in found] == [None, None]
    assert [report.boundary_precision for report in found] == [1 / 2, 1]


def test_starts_are_counted_as_drawn_whatever_the_protocol() -> None:
    # gold starts 0, 3, 5; predicted 0, 3, 7
    for protocol in PROTOCOLS:
        report = score([GOLD], [PREDICTED], protocol=protocol)
        assert (report.start_precision, report.start_recall, report.start_f1) == (1 / 2, 1 / 2, 1 / 2)
        assert report.start_ratio == 1
        assert report.start_pk == report.start_wd == 3 / 6  # mean gold length 8 / 3, k = 2: windows 3, 4 and 5 of 0–5
    same_names = score([document("xx xx yyyy")], [document("xx xx yyyy")])
    assert (same_names.start_f1, same_names.start_pk) == (1, 0)
    assert score([document("xx xx yy")], [document("xxxx yy")]).start_recall == 1 / 2


def test_one_section_finds_no_start() -> None:
    report = score([document("xx yy")], [document("xxxx")])
    assert (report.start_precision, report.start_recall, report.start_f1) == (None, 0, 0)
    assert report.start_ratio == 1 / 2
    alone = score([document("xx")], [document("xx")])
    assert (alone.start_recall, alone.start_f1, alone.start_ratio) == (None, None, 1)


def test_characters_with_the_right_label() -> None:
    # gold x 0-3, y 3-8; predicted x 0-3, y 3-7, x 7-8: seven sentences of eight
    assert score([GOLD], [PREDICTED]).character_accuracy == 7 / 8
    unlabelled = Document(GOLD.text, sections=(*GOLD.sections[:2], Section(25, 40)), given_spans=GOLD.spans)
    assert score([unlabelled], [PREDICTED]).character_accuracy == 1
    assert score([GOLD], [Document(GOLD.text)]).character_accuracy == 0
    assert score([document("...")], [Document(document("...").text)]).character_accuracy is None


def test_the_protocol_sections_scores_gold_sections_only() -> None:
    report = score([GOLD], [PREDICTED], protocol="sections")
    assert (report.k, report.examples, report.f1) == (None, 3, 1)
    assert report.pk == report.start_pk


def test_unknown_gold_label_is_an_error_of_the_model() -> None:
    report = score([document("qq xx")], [scored("xx xx", [0.9, 0.1, 0], [0.9, 0.1, 0])])
    assert (report.f1, report.map) == (1 / 2, 1 / 2)
    assert {row.label: row.support for row in report.per_label} == {"x": 1, "y": 0, "z": 0, "q": 1}


def test_label_without_scores_is_the_only_score() -> None:
    report = score([document("xx yy")], [document("xx zz")])
    assert (report.f1, report.map, report.a3) == (1 / 2, 1 / 2, 1 / 2)


def test_listed_ties_keep_their_order() -> None:
    tied = Document(
        GOLD.text,
        sections=(
            Section(0, 15, distribution=Distribution(("y", "x"), np.array([0.1, 0.9]))),
            Section(15, 40, distribution=Distribution(("x", "y"), np.array([0.5, 0.5]))),
        ),
    )
    report = score([GOLD], [tied])
    assert (report.f1, report.map) == (1 / 3, (1 + 1 / 2 + 1 / 2) / 3)


def test_scores_that_are_no_numbers_are_never_right() -> None:
    report = score([document("xx")], [scored("xx", [np.nan] * 3)])
    assert (report.f1, report.map) == (0, 0)


def test_no_prediction_is_wrong() -> None:
    report = score([GOLD], [Document(GOLD.text)])
    assert (report.f1, report.map, report.gold_f1, report.sentence_accuracy) == (0, 0, 0, 0)
    assert report.section_ratio == 1 / 2


def test_without_gold_labels_only_segments_are_scored() -> None:
    report = score([document("... ..")], [PREDICTED_FIVE])
    assert report.pk == 0
    assert (report.f1, report.map, report.p1, report.macro_f1, report.sentence_accuracy) == (None,) * 5
    assert report.per_label == ()


PREDICTED_FIVE = scored("xxx yy", [0.7, 0.2, 0.1], [0.3, 0.6, 0.1])


def test_headings_have_several_right_words() -> None:
    vocabulary = ("cause", "gene", "sign", "view")
    gold = document("xx yy zz", headings=["Cause | Gene", "Sign", "Unknown"])
    rows = [0.4, 0.1, 0.2, 0.3], [0.1, 0.2, 0.4, 0.3], [0.4, 0.3, 0.2, 0.1]
    predicted = scored("aa bb cc", *rows, labels=vocabulary)
    report = score([gold], [predicted], task="headings", relevant=words)
    # cause ranks 1, gene 4: (1 + 2/4) / 2; sign ranks 1; no known word: 0
    assert report.map == pytest.approx((0.75 + 1 + 0) / 3)
    assert report.p1 == pytest.approx(2 / 3)
    assert report.r1 == pytest.approx((1 / 2 + 1) / 3)
    assert (report.f1, report.macro_f1, report.gold_f1, report.per_label) == (None, None, None, ())
    assert report.gold_p1 == report.sentence_accuracy == pytest.approx(2 / 3)


def words(section: Section) -> list[str]:
    return [word for word in section.heading.lower().split() if word != "|"]


def test_words_of_headings_by_default() -> None:
    gold = document("xx", headings=["Signs of the Gene"])
    predicted = Document(gold.text, sections=(Section(0, 10, "signs/the/gene"),))
    assert score([gold], [predicted], task="headings").map == (1 + 2 / 3) / 2


def test_a_title_is_right_if_it_is_the_own_heading_of_the_section() -> None:
    titles = ("Early life", "History", "Paris")
    gold = document("xx yy zz", headings=["History | early life", "History", "Never met"])
    predicted = scored("aa bb cc", [0.6, 0.3, 0.1], [0.5, 0.4, 0.1], [0.1, 0.2, 0.7], labels=titles)
    report = score([gold], [predicted], task="open")
    assert report.p1 == report.f1 == pytest.approx(1 / 3)
    assert report.map == pytest.approx((1 + 1 / 2 + 0) / 3)


def test_heading_labels_without_scores_are_ranked_words() -> None:
    gold = document("xx", headings=["Gene"])
    predicted = Document(gold.text, sections=(Section(0, 10, "cause/gene"),))
    assert score([gold], [predicted], task="headings", relevant=words).map == 1 / 2


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("name", EDGE_DOCUMENTS)
@pytest.mark.parametrize("answer", ["itself", "nothing", "one section", "every sentence"])
def test_edge_documents(protocol: str, name: str, answer: str) -> None:
    gold = EDGE_DOCUMENTS[name]
    length, sentences = len(gold.text), len(gold.spans)
    answers = {
        "itself": gold,
        "nothing": Document(gold.text),
        "one section": Document(gold.text, sections=(Section(0, length, "x"),)),
        "every sentence": document(" ".join("xy"[i % 2] for i in range(sentences))),
    }
    report = score([gold], [answers[answer]], protocol=protocol)
    record = report.to_dict()
    json.dumps(record, allow_nan=False)
    figures = [value for key, value in record.items() if isinstance(value, float) and not key.endswith("ratio")]
    assert all(0 <= value <= 100 for value in figures)
    if answer == "itself":
        assert (report.pk, report.wd, report.boundary_similarity, report.section_ratio) == (0, 0, 1, 1)
        assert report.f1 in (1, None)
        assert report.map in (1, None)


def test_sections_without_text_are_no_examples() -> None:
    gold = Document(GOLD.text, sections=(*GOLD.sections, Section(40, 40, "z")), given_spans=GOLD.spans)
    assert score([gold], [PREDICTED]).examples == 4


def test_documents_without_sentences_are_left_out() -> None:
    empty = Document("", given_spans=spans(0))
    assert score([empty, GOLD], [empty, PREDICTED]).documents == 1
    with pytest.raises(DataError, match="no document"):
        score([empty], [empty])


def test_unequal_lists_are_refused() -> None:
    with pytest.raises(DataError, match="only 1 predictions"):
        score([GOLD, GOLD], [PREDICTED])
    with pytest.raises(DataError, match="more predictions than the 1"):
        score([GOLD], [PREDICTED, PREDICTED])


def test_predictions_of_another_text_are_refused() -> None:
    with pytest.raises(DataError, match="45 characters, the gold text has 40"):
        score([GOLD], [document("xxxxxxxxx")])


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ConfigError, match="'mine'; choose one of sector, sections, per-document-k"):
        score([GOLD], [PREDICTED], protocol="mine")
    with pytest.raises(ConfigError, match="'labels'; choose one of topics, headings"):
        score([GOLD], [PREDICTED], task="labels")  # type: ignore[arg-type]


def test_the_default_protocol() -> None:
    assert find_protocol("sector") == EvaluationProtocol(
        "sector", window="global", merging=True, candidates="sentences", truncation=None, pool="matched+extra"
    )


def test_percent_values_for_json() -> None:
    record = score([GOLD], [PREDICTED], segmentation="bemd").to_dict()
    wanted = {"pk": 16.6667, "wd": 16.6667, "f1": 75.0, "map": 83.3333, "p1": 75.0, "documents": 1, "k": 2}
    assert {key: record[key] for key in wanted} == wanted
    assert (record["segmentation"], record["protocol"], record["section_ratio"]) == ("bemd", "sector", 1.5)
    assert record["per_label"][1] == {
        "label": "y",
        "precision": 100.0,
        "recall": 66.6667,
        "f1": 80.0,
        "support": 3,
    }


def test_intervals_enclose_the_figures() -> None:
    gold = [GOLD, document("xx yy"), document("zzz xx y")] * 10
    predicted = [PREDICTED, document("xxxx"), document("zz xxx z")] * 10
    report = score(gold, predicted, bootstrap=200, seed=3)
    assert report.intervals == score(gold, predicted, bootstrap=200, seed=3).intervals
    for name in ("pk", "wd", "f1", "map", "boundary_f1", "gold_f1", "sentence_accuracy"):
        low, high = report.intervals[name]
        assert low < getattr(report, name) < high
