"""The counts of one document: what its score, the data set's score and the bootstrap are sums of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Ints1d
from sector.document import Document, Section
from sector.evaluation.labels import LabelSpace, Relevant, distributions, section_scores
from sector.evaluation.matching import Matches, match_sections, overlap_matrix
from sector.evaluation.protocols import EvaluationProtocol
from sector.evaluation.ranking import Ranking, label_ranks
from sector.evaluation.segments import in_order, sections_of, segment_runs, unit_begins
from sector.evaluation.starts import start_sums
from sector.tasks import TaskName

NOBODY = -1
"""The column of a missing prediction."""
ROUNDING = 1e-5
"""By how much a mean of probabilities may be above 1."""


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """One document's segments, sums and answers."""

    reference: Ints1d
    """[units] run numbers of the gold segments"""
    hypothesis: Ints1d
    """[units] run numbers of the predicted segments"""
    sentences: int
    sums: dict[str, float]
    answers: NDArray[np.int64]
    """[examples, 2] columns of the first right label and of the best predicted label"""
    confidences: NDArray[np.float64]
    """[answered examples, 2] the best label's probability and whether it is right; none without probabilities"""


def tally(
    gold: Document,
    predicted: Document,
    protocol: EvaluationProtocol,
    space: LabelSpace,
    relevant: Relevant,
    task: TaskName,
) -> Tally:
    """Compare one predicted document with its gold."""
    sections, answers = in_order(gold.sections), in_order(predicted.sections)
    begins = unit_begins(gold.spans, protocol.candidates, gold.text)
    listed = distributions(answers, space, task)
    truth = Truth.of(sections, relevant, space, task)
    scores = section_scores(listed, space)
    matches = _pool(match_sections(sections, answers), truth, len(sections), protocol)
    ranking, best = rank_matches(matches, truth, scores), _best_columns(scores)
    hits = _sentence_hits(gold, sections, answers, truth, best)
    return Tally(
        reference=segment_runs(sections, begins, merge=protocol.merging),
        hypothesis=segment_runs(answers, begins, merge=protocol.merging),
        sentences=len(gold.spans),
        sums=_classification_sums(ranking, truth, len(sections))
        | {"labelled_sentences": len(hits), "sentence_hits": float(hits.sum())}
        | _character_sums(sections, answers, truth, best)
        | start_sums(sections, answers, gold.spans.begin),
        answers=np.stack([truth.first[matches.gold], best[matches.predicted]], axis=1),
        confidences=_confidences(matches, ranking, answers),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """The right labels of each gold section."""

    columns: list[list[int]]
    """The columns of the right labels."""
    first: Ints1d
    """[sections] the first of them, ``NOBODY`` where the vocabulary has none."""
    labelled: NDArray[np.bool_]
    """[sections] whether the data set says what is right, and the section has text."""

    @classmethod
    def of(cls, sections: Sequence[Section], relevant: Relevant, space: LabelSpace, task: TaskName) -> Truth:
        """Look up the right labels of all gold sections."""
        named = [bool(section.label if task == "topics" else section.name) for section in sections]
        right = [list(relevant(section)) if known else [] for section, known in zip(sections, named, strict=True)]
        if task == "topics":
            space.columns(tuple(label for labels in right for label in labels))
        columns = [space.known(labels) for labels in right]
        filled = [section.end > section.begin for section in sections]
        return cls(
            columns=columns,
            first=np.array([row[0] if row else NOBODY for row in columns], dtype=np.int64),
            labelled=np.array(named, dtype=bool) & np.array(filled, dtype=bool),
        )


def _pool(matches: Matches, truth: Truth, sections: int, protocol: EvaluationProtocol) -> Matches:
    """Keep the examples that have a gold label and that the protocol counts."""
    kept = truth.labelled[matches.gold]
    if protocol.pool == "gold":
        kept[sections:] = False
    return Matches(matches.gold[kept], matches.predicted[kept])


def _classification_sums(ranking: Ranking, truth: Truth, sections: int) -> dict[str, float]:
    precision, best = ranking.average_precision(), ranking.accuracy_at(1)
    own = slice(0, int(truth.labelled[:sections].sum()))
    return {
        "examples": ranking.examples,
        "hits": float(best.sum()),
        "hits_at_3": float(ranking.accuracy_at(3).sum()),
        "precision_at_3": float(ranking.precision_at(3).sum()),
        "recall_at_1": float(ranking.recall_at(1).sum()),
        "recall_at_3": float(ranking.recall_at(3).sum()),
        "average_precision": float(precision.sum()),
        "gold_examples": own.stop,
        "gold_hits": float(best[own].sum()),
        "gold_average_precision": float(precision[own].sum()),
    }


def rank_matches(matches: Matches, truth: Truth, scores: NDArray[np.float64]) -> Ranking:
    """Rank the right labels of each example in the scores of the section that answers it."""
    pairs = [(row, column) for row, section in enumerate(matches.gold) for column in truth.columns[section]]
    rows, columns = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    answered = matches.predicted[rows] >= 0
    ranks = np.full(len(rows), np.inf)
    ranks[answered] = label_ranks(scores, matches.predicted[rows[answered]], columns[answered])
    return Ranking(len(matches.gold), rows, ranks)


def _confidences(matches: Matches, ranking: Ranking, answers: Sequence[Section]) -> NDArray[np.float64]:
    """Return the confidence of each answered example, and whether it is right."""
    said = np.array([*(_confidence(section) for section in answers), np.nan])[matches.predicted]
    pairs = np.stack([said, ranking.accuracy_at(1)], axis=1)
    return np.asarray(pairs[~np.isnan(said)])


def _confidence(section: Section) -> float:
    """Return the best of a section's probabilities; NaN where it has scores of another kind, or none."""
    values = section.distribution.values if section.distribution else np.zeros(0)
    return float(values.max()) if len(values) and values.min() >= 0 and values.max() <= 1 + ROUNDING else np.nan


def _best_columns(scores: NDArray[np.float64]) -> Ints1d:
    """Return the best column of each row, ``NOBODY`` for a row without scores and for row −1."""
    if not scores.size:
        return np.full(len(scores) + 1, NOBODY)
    best = np.where(np.isneginf(scores).all(axis=1), NOBODY, scores.argmax(axis=1))
    return np.append(best, NOBODY)


def _sentence_hits(
    gold: Document, sections: Sequence[Section], answers: Sequence[Section], truth: Truth, best: Ints1d
) -> NDArray[np.bool_]:
    """Return for each labelled sentence whether the best label of its predicted section is right."""
    right, answer = (sections_of(gold.spans.begin, part) for part in (sections, answers))
    table = _right_answers(truth, best)
    labelled = np.append(truth.labelled, False)[right]
    hits: NDArray[np.bool_] = table.reshape(len(sections), len(best))[right[labelled], answer[labelled]]
    return hits


def _character_sums(
    sections: Sequence[Section], answers: Sequence[Section], truth: Truth, best: Ints1d
) -> dict[str, float]:
    """Count the characters of labelled gold sections, and those that lie in a predicted section of a right label."""
    right = _right_answers(truth, best).reshape(len(sections), len(best))[:, :-1]
    shared = overlap_matrix(sections, answers)[truth.labelled]
    lengths = np.array([section.end - section.begin for section in sections], np.int64)[truth.labelled]
    hits = int(shared[right[truth.labelled]].sum())
    return {"labelled_characters": float(lengths.sum()), "character_hits": float(hits)}


def _right_answers(truth: Truth, best: Ints1d) -> NDArray[np.bool_]:
    """Return bool [gold, predicted sections]: whether the prediction's best label is one of the gold labels."""
    rows = [np.isin(best, columns) & (best != NOBODY) for columns in truth.columns]
    return np.array(rows, dtype=bool)
