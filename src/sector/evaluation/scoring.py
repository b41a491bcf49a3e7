"""Score predicted documents against gold ones: tally each document, then add up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sector.document import Document
from sector.documents import documents_among, many
from sector.errors import DataError
from sector.evaluation.bootstrap import bootstrap_intervals
from sector.evaluation.boundaries import boundary_counts, boundary_similarity
from sector.evaluation.calibration import expected_calibration_error
from sector.evaluation.labels import LabelSpace, Relevant, title_of, topic_of, vocabulary, words_of
from sector.evaluation.per_label import label_scores, macro_f1
from sector.evaluation.protocols import EvaluationProtocol, find_protocol
from sector.evaluation.report import RATIOS, SINGLE_LABEL, Report
from sector.evaluation.segments import clip, cut
from sector.evaluation.tally import Tally, tally
from sector.evaluation.windows import pk, window_diff, window_size
from sector.tasks import TaskName, check_task
from sector.values import is_whole


def score(
    gold: Sequence[Document],
    predicted: Sequence[Document],
    protocol: str | EvaluationProtocol = "sector",
    task: TaskName = "topics",
    labels: Sequence[str] | None = None,
    relevant: Relevant | None = None,
    *,
    segmentation: str = "given",
    bootstrap: int = 0,
    seed: int = 0,
) -> Report:
    """Compare predictions with gold documents of the same order.

    Args:
        gold: documents with gold sections.
        predicted: the same texts with predicted sections.
        protocol: the name of a protocol, or one of your own.
        task: "topics" or "headings".
        labels: the model's vocabulary; by default every label that a prediction mentions.
        relevant: returns the right labels of a gold section; by default its topic, or the words of its heading.
        segmentation: what the report calls the segmentation.
        bootstrap: number of resamples for 95 % intervals; 0 for none.
        seed: of the resampling.

    Returns:
        The figures as fractions from 0 to 1.

    Raises:
        DataError: predictions are missing, left over or for other texts, or no document has a sentence.
    """
    gold, predicted = list(documents_among(gold)), list(documents_among(predicted))
    known = vocabulary(predicted, task) if labels is None else many(labels, "labels")
    return score_pairs(
        pair_up(gold, predicted),
        Scorer(protocol, task, known, relevant),
        segmentation=segmentation,
        bootstrap=bootstrap,
        seed=seed,
    )


class Scorer:
    """The settings of one evaluation; turns pairs of documents into tallies."""

    def __init__(
        self,
        protocol: str | EvaluationProtocol,
        task: TaskName,
        labels: Iterable[str] = (),
        relevant: Relevant | None = None,
        language: str = "",
    ) -> None:
        self.protocol = find_protocol(protocol)
        self.task = check_task(task)
        self.space = LabelSpace(labels)
        self.known = frozenset(self.space.labels)
        """What the model can say."""
        self.asked: set[str] = set()
        """What the gold documents ask for."""
        self.relevant = relevant
        self.language = language

    def tally(self, gold: Document, predicted: Document) -> Tally:
        """Compare one document."""
        gold = cut(gold, self.protocol.truncation)
        relevant = self._relevant_for(gold)
        self.asked.update(label for section in gold.sections for label in relevant(section) if label)
        if self.protocol.truncation is not None:
            predicted = Document(gold.text, sections=clip(predicted.sections, len(gold.text)))
        return tally(gold, predicted, self.protocol, self.space, relevant, self.task)

    def common_labels(self) -> int | None:
        """Return how many labels of the gold documents the model knows; None where one side has none."""
        return len(self.known & self.asked) if self.known and self.asked else None

    def _relevant_for(self, gold: Document) -> Relevant:
        if self.relevant is not None:
            return self.relevant
        if self.task == "headings":
            return words_of(gold.language or self.language)
        return topic_of if self.task == "topics" else title_of


def pair_up(gold: Iterable[Document], predicted: Iterable[Document]) -> Iterable[tuple[Document, Document]]:
    """Yield pairs of gold document and prediction; raises DataError where they do not match."""
    answers, number = iter(predicted), 0
    for number, document in enumerate(gold, start=1):
        answer = next(answers, None)
        if answer is None:
            raise DataError(f"There are only {number - 1} predictions; every gold document needs one.")
        check_pair(document, answer, number)
        yield document, answer
    if next(answers, None) is not None:
        raise DataError(f"There are more predictions than the {number} gold documents; leave the others out.")


def check_pair(gold: Document, predicted: Document, number: int) -> None:
    """Refuse a prediction that was made for another text."""
    end = max((section.end for section in predicted.sections), default=0)
    length = len(predicted.text) or end
    if end > len(gold.text) or (predicted.text and length != len(gold.text)):
        raise DataError(
            f"The prediction is for a text of {max(length, end)} characters, "
            f"the gold text has {len(gold.text)}; predict on the same texts that are scored.",
            record=gold.id or number,
        )


def score_pairs(
    pairs: Iterable[tuple[Document, Document]],
    scorer: Scorer,
    *,
    segmentation: str,
    bootstrap: int = 0,
    seed: int = 0,
) -> Report:
    """Tally the pairs one by one, so that predictions need not fit into memory, and add up."""
    tallies = [scorer.tally(gold, answer) for gold, answer in pairs if len(gold.spans)]
    if not tallies:
        raise DataError("There is no document with a sentence to evaluate; give a data set that is not empty.")
    k = _window(scorer.protocol, tallies)
    sums = _table([entry.sums | segment_sums(entry, k) for entry in tallies])
    hidden = SINGLE_LABEL if scorer.task == "headings" else set()
    figures = {name: value for name, value in _ratios(sums).items() if name not in hidden}
    intervals = {} if is_whole(bootstrap, 0) and not bootstrap else _intervals(sums, bootstrap, seed)
    return Report(
        documents=len(tallies),
        sentences=sum(entry.sentences for entry in tallies),
        examples=int(sums["examples"].sum()),
        k=k,
        segmentation=segmentation,
        protocol=scorer.protocol.name,
        task=scorer.task,
        intervals={name: bounds for name, bounds in intervals.items() if name not in hidden},
        ece=_calibration(tallies),
        common_labels=scorer.common_labels(),
        **figures,
        **_label_figures(tallies, scorer),
    )


def _label_figures(tallies: Sequence[Tally], scorer: Scorer) -> dict[str, Any]:
    answers = np.concatenate([entry.answers for entry in tallies])
    if scorer.task == "headings" or not len(answers):
        return {}
    rows = label_scores(answers, scorer.space.labels)
    return {"per_label": rows, "macro_f1": macro_f1(rows)}


def _calibration(tallies: Sequence[Tally]) -> float | None:
    said = np.concatenate([entry.confidences for entry in tallies])
    return expected_calibration_error(said[:, 0], said[:, 1]) if len(said) else None


def _window(protocol: EvaluationProtocol, tallies: Sequence[Tally]) -> int | None:
    if protocol.window == "global":
        return window_size(entry.reference for entry in tallies)
    return None if protocol.window == "document" else protocol.window


def segment_sums(entry: Tally, k: int | None) -> dict[str, float]:
    """Return the segmentation figures of one document in the form of sums."""
    reference, hypothesis = entry.reference, entry.hypothesis
    counts = boundary_counts(reference, hypothesis)
    return {
        "documents": 1,
        "pk": pk(reference, hypothesis, k),
        "wd": window_diff(reference, hypothesis, k),
        "boundary_similarity": boundary_similarity(reference, hypothesis),
        "boundary_matches": counts.matches,
        "twice_boundary_matches": 2 * counts.matches,
        "gold_boundaries": counts.reference,
        "predicted_boundaries": counts.hypothesis,
        "all_boundaries": counts.reference + counts.hypothesis,
        "gold_segments": counts.reference + 1,
        "predicted_segments": counts.hypothesis + 1,
    }


def _table(rows: Sequence[dict[str, float]]) -> dict[str, NDArray[np.float64]]:
    return {name: np.array([row[name] for row in rows], dtype=np.float64) for name in rows[0]}


def _ratios(sums: dict[str, NDArray[np.float64]]) -> dict[str, Any]:
    totals = {name: float(column.sum()) for name, column in sums.items()}
    return {name: totals[top] / totals[bottom] if totals[bottom] else None for name, (top, bottom) in RATIOS.items()}


def _intervals(sums: dict[str, NDArray[np.float64]], resamples: int, seed: int) -> dict[str, tuple[float, float]]:
    tops, bottoms = (np.stack([sums[pair[side]] for pair in RATIOS.values()], axis=1) for side in (0, 1))
    bounds = bootstrap_intervals(tops, bottoms, resamples, seed=seed)
    rows = zip(RATIOS, bounds.tolist(), strict=True)
    return {name: (low, high) for name, (low, high) in rows if not np.isnan([low, high]).any()}
