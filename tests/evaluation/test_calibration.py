"""Expected calibration error: on numbers that fit on a page, and in a report."""

from __future__ import annotations

import json

import numpy as np
import pytest
from evaluation_cases import document, scored

from sector.document import Document
from sector.evaluation import EvaluationProtocol, expected_calibration_error, score


def test_gaps_of_bins_are_weighed_by_their_size() -> None:
    confidences, right = [0.95, 0.85, 0.85, 0.15], [True, True, False, False]
    # bins: 0.95 against 1, 0.85 twice against 1/2, 0.15 against 0
    expected = (1 * 0.05 + 2 * 0.35 + 1 * 0.15) / 4
    assert expected_calibration_error(confidences, right) == pytest.approx(expected)


def test_one_bin_compares_the_means() -> None:
    assert expected_calibration_error([0.2, 0.9, 0.7], [0, 1, 1], bins=1) == pytest.approx(abs(1.8 - 2) / 3)


@pytest.mark.parametrize(
    ("confidences", "right", "expected"),
    [([], [], 0.0), ([1.0], [True], 0.0), ([1.0], [False], 1.0), ([0.0], [False], 0.0), ([0.5] * 2, [True, False], 0)],
)
def test_ends(confidences: list[float], right: list[bool], expected: float) -> None:
    assert expected_calibration_error(confidences, right) == expected


def test_confidences_that_mean_what_they_say_have_a_small_error() -> None:
    random = np.random.default_rng(0)
    said = random.random(20_000)
    assert expected_calibration_error(said, random.random(20_000) < said) < 0.02
    assert expected_calibration_error(said, random.random(20_000) < said**3) > 0.15


GOLD = document("xxx yy yyy")
PREDICTED = scored("xxx yyyy x", [0.7, 0.2, 0.1], [0.3, 0.6, 0.1], [0.5, 0.2, 0.3])


def test_a_report_has_the_error_of_its_pairs() -> None:
    # Pairs: gold 0 → 0 (0.7, right), gold 1 → 1 and gold 2 → 1 (0.6, right), extra prediction 2 (0.5, wrong).
    report = score([GOLD], [PREDICTED])
    assert report.ece == pytest.approx((0.3 + 2 * 0.4 + 0.5) / 4)
    assert report.to_dict()["ece"] == pytest.approx(40.0, abs=1e-3)
    gold_only = score([GOLD], [PREDICTED], protocol=EvaluationProtocol("mine", pool="gold"))
    assert gold_only.ece == pytest.approx((0.3 + 2 * 0.4) / 3)
    assert score([GOLD, GOLD], [PREDICTED, PREDICTED]).ece == pytest.approx(report.ece)


def test_a_section_that_nobody_predicted_has_no_confidence() -> None:
    missing = Document(GOLD.text, sections=PREDICTED.sections[:1], given_spans=GOLD.given_spans)
    assert score([GOLD], [missing]).ece == pytest.approx(0.3)


def test_headings_have_a_confidence_too() -> None:
    gold = document("xx yy", headings=["Cause", "Sign"])
    predicted = scored("aa bb", [0.8, 0.1], [0.6, 0.4], labels=("cause", "sign"))
    assert score([gold], [predicted], task="headings").ece == pytest.approx((0.2 + 0.6) / 2)


@pytest.mark.parametrize(
    "predicted",
    [
        document("xxx yyyyy"),
        Document(GOLD.text),
        scored("xxxxxxxx", [3.0, 2.0, 1.0]),
        scored("xxxxxxxx", [-0.5, -1.0, -2.0]),
        scored("xxxxxxxx", [np.nan, np.nan, np.nan]),
    ],
)
def test_without_probabilities_there_is_none(predicted: Document) -> None:
    report = score([GOLD], [predicted])
    assert report.ece is None
    assert json.loads(json.dumps(report.to_dict()))["ece"] is None
